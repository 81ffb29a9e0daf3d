"""Judges the database after a step: its events explain it, and no row is there that must not be."""

from __future__ import annotations

import hashlib
import itertools

from command_checks import EffectCheck, check_words
from commits import CommitFinder, Committed
from erased_words import ErasedWords
from events import Version
from file_versions import FileVersions
from history import History
from loader import Result
from look import Look, look_at
from masking import masked
from printing import SEPARATOR
from psql import Psql
from state import rows_without
from steps import Step
from violated import Violated


class Judge:
    def __init__(self, psql: Psql, files: FileVersions, tombstones: dict[str, str]) -> None:
        self.psql = psql
        self.files = files
        self.commits = CommitFinder(files, tombstones)
        self.history = History(files.parsed)
        self.words = ErasedWords(psql)
        # By path and stream: every version that a load tried.
        self.attempted: dict[tuple[str, str], set[Version]] = {}
        self.seen = look_at(psql, "heap")

    @property
    def erased_in_all(self) -> set[str]:
        """The users that are erased in all applications."""
        return {user for user, app in self.history.picture.erased if app is None}

    def judge(self, step: Step, results: list[Result], plan: str) -> None:
        before = self.history.picture
        for command, result in zip(step.commands, results):
            check_words(step, command, result)
        look = look_at(self.psql, plan)
        self._explain(self.commits.between(self.seen, look, step), look)
        self._check_failures(step, look)
        effects = EffectCheck(self.files, step, look, before, self.history.picture)
        for command, result in zip(step.commands, results):
            effects.check(command, result)
        if look.orphans:
            raise Violated(f"rows of files that are undone or never were: {look.orphans}")
        self.seen = look
        if any(command.kind == "forget" for command in step.commands):
            self.check_erased_words()

    def check_erased_words(self) -> None:
        self.words.check(self.erased_in_all)

    def _explain(self, new: Committed, look: Look) -> None:
        """Accepts the first order of events that leaves the database's rows."""
        nearest: list[str] | None = None
        orders = itertools.chain(
            self.history.explanations(new.certain, new.undo),
            self.history.explanations(
                [*new.certain, new.perhaps_drops, new.perhaps_erasures], new.undo)
            if new.perhaps_drops or new.perhaps_erasures else ())
        for order, picture in itertools.islice(orders, 3000):
            tables = picture.state().tables
            if tables == look.state:
                self.history.accept(order, picture)
                return
            differences = _differences(tables, look.state)
            if nearest is None or len(differences) < len(nearest):
                nearest = differences
        told = [event for one in new.certain for event in one]
        raise Violated(
            f"no order of {told}, undone {new.undo}, leaves what is there. "
            "The nearest:\n    " + "\n    ".join(nearest or []))

    def _check_failures(self, step: Step, look: Look) -> None:
        touched: set[str] = set()
        for command in step.commands:
            for one in command.attempts:
                version = self.files.version(one.file, command.as_of)
                if not command.is_dry:
                    self.attempted.setdefault((one.path, one.file.stream), set()).add(version)
                    touched |= {one.path, version.sha256}
        for number, rows in look.failed_rejects.items():
            stream, path, _ = look.failed[number]
            allowed = {
                (reject.line, reject.code,
                 hashlib.sha256(masked(reject.line_bytes)[:4096]).hexdigest())
                for version in self.attempted.get((path, stream), ())
                for reject in self.history.picture.rejects_left(self.files.parsed(version))}
            surplus = [row for row in rows if row not in allowed]
            if surplus:
                raise Violated(
                    f"ingest.failed_reject has lines of {path} that may not be there (of an erased "
                    f"user, or never in it): {surplus}")
        for number, (stream, path, sha256) in self.seen.failed.items():
            if number not in look.failed and path not in touched and sha256 not in touched:
                raise Violated(f"the story of {path}, which failed, is gone")


def _differences(due: dict[str, list[str]], found: dict[str, list[str]]) -> list[str]:
    told = []
    for table, rows in due.items():
        there = found.get(table, [])
        for what, some in (
            ("is missing", rows_without(rows, there)), ("is too much", rows_without(there, rows)),
        ):
            told += [f"{table}: {row.replace(SEPARATOR, '|')[:400]} {what}" for row in some]
    return told
