"""Two programs over the same input: all tables, views, exit codes and outputs are compared.

Run by scripts/compare, which explains the options.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

from server import Server, folder_of_servers
from steps import CHECKED, STEPS, make_input

ROOT = Path(__file__).resolve().parents[3]
DATABASE = "games"
SHOWN_LINES = 5
# What the clock fills in a row, and in an output.
OF_THE_CLOCK = (
    (r"{today}[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z|\+00(:00)?)?", "{time}"), (r"{today}", "{day}"),
    (r"\d+(\.\d+)? hours", "{hours}"))
OF_THE_RUN = (
    *OF_THE_CLOCK, (r"\b\d+(\.\d+)? m?s\b", "{seconds}"), (r"(?<=seconds[ \"])[^\n,]*", "{seconds}"),
    (r'(hours_[a-z_]+(?:"|\{[^}]*\}):? ?)[\d.]+', r"\1{hours}"), (r" {2,}", "  "))
# The compared columns of each relation: without numbers, which follow from the order of parallel loaders, without what
# the clock or the program's version fills, and without tables that say how a database was made.
COLUMNS = """
    select n.nspname || '.' || c.relname, string_agg(a.attname, ',' order by a.attnum)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where (n.nspname in ('game', 'ingest') and c.relkind in ('r', 'p')
        or n.nspname = 'report' and c.relkind in ('v', 'm'))
      and not c.relispartition and a.attnum > 0 and not a.attisdropped and a.atttypid <> 'xid8'::regtype
      and a.attname not in (
        'hours_behind_now', 'hours_since_load', 'hours_without_news', 'loader_version', 'resolved_order',
        'database_user')
      and (a.attname = 'source_file_id' or a.attname not in (
        select attname from pg_attribute where attidentity <> '' and attrelid::regclass::text ~ '^(game|ingest)[.]'))
      and c.relname not in ('schema_migration', 'definition_set', 'row_digest_key', 'table_place')
    group by 1"""
# In place of the number of a file.
FILE = "f.stream || ' ' || f.path || ' ' || left(encode(f.sha256, 'hex'), 8)"
# By place: the lines that differ, - old, + new.
Differences = dict[str, list[str]]


class Side:
    """One of the two programs, with a server of its own."""

    def __init__(self, program: Path, folder: Path) -> None:
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "gamebase-ingest").symlink_to(program)
        self.server = Server(folder / "server")
        self.server.make()
        self.server.configure(
            log_statement="none", shared_buffers="512MB", max_wal_size="4GB", autovacuum="on",
            log_min_messages="warning")
        self.server.start()
        self.server.create(DATABASE, "template0")
        self.variables = {name: value for name, value in os.environ.items()
                          if not name.startswith(("PG", "GAMEBASE_INGEST_"))} | {
            "PATH": f"{folder}/bin:{os.environ['PATH']}", "PGHOST": str(self.server.folder), "LC_ALL": "C.UTF-8",
            "PGPORT": str(self.server.port), "PGUSER": "torture", "PGDATABASE": DATABASE, "HOME": str(folder)}

    def run(self, command: str, data: Path) -> list[str]:
        """The lines of the exit code, the outputs and the messages of a step."""
        out = data / "out"
        out.mkdir()
        done = subprocess.run(
            ["bash", "-c", command], cwd=data, env=self.variables, stdin=subprocess.DEVNULL, capture_output=True)
        outputs = {"stdout": done.stdout, "stderr": done.stderr}
        outputs |= {path.name: path.read_bytes() for path in sorted(out.iterdir())}
        shutil.rmtree(out)
        lines = [f"exit {done.returncode}"]
        for name, content in outputs.items():
            text = content.decode(errors="backslashreplace")
            for own in (str(self.server.folder), f'"{self.server.port}"'):
                text = text.replace(own, "{server}")
            lines += [f"{name}: {line}" for line in without(OF_THE_RUN, text).splitlines()]
        return lines

    def relations(self) -> dict[str, list[str]]:
        return {relation: columns.split(",") for relation, columns in self.server.ask(DATABASE, COLUMNS)}

    def rows(self, relation: str, columns: list[str]) -> list[str]:
        shown = ", ".join(FILE if column == "source_file_id" else f't."{column}"' for column in columns)
        join = "left join ingest.source_file f using (source_file_id)" if "source_file_id" in columns else ""
        copy = f"copy (select {shown} from {relation} t {join}) to stdout"
        return sorted(row for [row] in self.server.ask(DATABASE, "set timezone = 'UTC'", copy))


def without(patterns: tuple[tuple[str, str], ...], text: str) -> str:
    """The text as each run would write it. Its days can be of a time zone, and of the run's begin."""
    now = datetime.now(timezone.utc)
    today = "|".join(f"{now + timedelta(days):%Y-%m-%d}" for days in (-1, 0, 1))
    for pattern, stands_for in patterns:
        text = re.sub(pattern.replace("{today}", f"(?:{today})"), stands_for, text)
    return text


def difference(old: list[str], new: list[str]) -> list[str]:
    """The lines that one side has more often, else those that are at another place."""
    before, after = Counter(old), Counter(new)
    lines = [f"- {line}" for line in (before - after).elements()]
    lines += [f"+ {line}" for line in (after - before).elements()]
    return lines or [f"- moved: {line}" for line, other in zip(old, new) if line != other]


def compare_databases(old: Side, new: Side) -> Differences:
    """By relation: the columns and rows that differ."""
    differences: Differences = {}
    first, second = old.relations(), new.relations()
    for relation in sorted({*first, *second}):
        one, other = first.get(relation, []), second.get(relation, [])
        lines = [f"{'-' if column in one else '+'} the column {column}" for column in sorted({*one} ^ {*other})]
        if common := [column for column in one if column in other]:
            # Only rows that differ are searched for times, since most rows have none.
            rows = difference(old.rows(relation, common), new.rows(relation, common))
            rows = difference(
                *([without(OF_THE_CLOCK, row[2:]) for row in rows if row[0] == sign] for sign in "-+"))
            lines += [f"  {' '.join(common)}", *rows] if rows else []
        differences[relation] = lines
    return differences


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/compare", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--lines", type=int, default=20000, help="generated lines of each stream")
    parser.add_argument("--days", type=int, default=30, help="the days of the generated data")
    chosen = parser.parse_args()
    count = 0
    with folder_of_servers("compare") as folder:
        data = folder / "data"
        data.mkdir()
        make_input(data, chosen.new.resolve(), ROOT / "Tests" / "Fixtures", chosen.lines, chosen.days)
        old, new = Side(chosen.old.resolve(), folder / "old"), Side(chosen.new.resolve(), folder / "new")
        for step, command in STEPS.items():
            results = [side.run(command, data) for side in (old, new)]
            found = {"output": difference(*results)} | (compare_databases(old, new) if step in CHECKED else {})
            found = {place: lines for place, lines in found.items() if lines}
            print(f"{step}: {results[0][0]}, {len(found)} differences", file=sys.stderr)
            count += len(found)
            for place, lines in found.items():
                print(f"\n{step}: {place}: {sum(line[0] != ' ' for line in lines)} lines differ")
                for sign in " -+":
                    for line in [one for one in lines if one[0] == sign][:SHOWN_LINES]:
                        print(line[:400])
    print(f"\n{count} differences")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
