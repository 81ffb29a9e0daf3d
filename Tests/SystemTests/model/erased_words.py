"""Searches all tables for the ids of erased users, and for tokens."""

from __future__ import annotations

from data import MARKER
from psql import Psql
from violated import Violated


class ErasedWords:
    def __init__(self, psql: Psql) -> None:
        self.psql = psql
        self.texts = self._texts()

    def check(self, erased: set[str]) -> None:
        """Raises Violated when a row contains a token or the id of an erased user in any spelling."""
        words = {MARKER: MARKER} | {user: user for user in erased}
        spellings = []
        for meant, word in words.items():
            doubled = word.replace("\\", "\\\\")
            escaped = word.replace("\\", "\\\\").replace('"', '\\"')
            for one in {word, doubled.replace('"', '""'), escaped, word.encode().hex(),
                        escaped.encode().hex()}:
                spellings.append((meant, one))
        values = ", ".join(
            "({}, {})".format(_literal(meant), _literal(one)) for meant, one in spellings)
        rows = self.psql.ask(
            f"select distinct w.meant, t.place from (values {values}) w (meant, word), "
            f"({self.texts}) t where position(w.word in t.line) > 0")
        if rows:
            raise Violated(f"what was erased, or a token, is still there: {rows}")

    def _texts(self) -> str:
        """A query that returns every row of every table as one text."""
        tables = self.psql.ask(
            """select format('%I.%I', n.nspname, c.relname) from pg_class c
            join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('game', 'ingest',
            'rollup', 'staging') and c.relkind in ('r', 'p') and not c.relispartition""")
        return " union all ".join(
            f"select '{table[0]}' as place, t::text as line from {table[0]} t" for table in tables)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
