"""Judges the database after a step: events must explain its rows, and no erased or orphaned row may remain."""

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
from snapshot import Snapshot, take_snapshot
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
        # By path and stream: every version that a load has attempted.
        self.attempted: dict[tuple[str, str], set[Version]] = {}
        self.seen = take_snapshot(psql, "heap")

    @property
    def erased_in_all(self) -> set[str]:
        """The users erased in all applications."""
        return {user for user, app in self.history.model.erased if app is None}

    def judge(self, step: Step, results: list[Result], plan: str) -> None:
        before = self.history.model
        for command, result in zip(step.commands, results):
            check_words(step, command, result)
        snapshot = take_snapshot(self.psql, plan)
        self._explain(self.commits.between(self.seen, snapshot, step), snapshot)
        self._check_failures(step, snapshot)
        self._check_settings(step, results, snapshot)
        effects = EffectCheck(self.files, step, snapshot, before, self.history.model)
        for command, result in zip(step.commands, results):
            effects.check(command, result)
        if snapshot.orphans:
            raise Violated(f"rows of undone or unknown files: {snapshot.orphans}")
        self.seen = snapshot
        if any(command.kind == "forget" for command in step.commands):
            self.check_erased_words()

    def check_erased_words(self) -> None:
        self.words.check(self.erased_in_all)

    def _explain(self, new: Committed, snapshot: Snapshot) -> None:
        """Accepts the first order of events that leads to the rows of the database."""
        nearest: list[str] | None = None
        orders = itertools.chain(
            self.history.explanations(new.certain, new.undo),
            self.history.explanations(
                [*new.certain, new.possible_drops, new.possible_erasures], new.undo)
            if new.possible_drops or new.possible_erasures else ())
        for order, model in itertools.islice(orders, 3000):
            tables = model.state().tables
            if tables == snapshot.state:
                self.history.accept(order, model)
                return
            differences = _differences(tables, snapshot.state)
            if nearest is None or len(differences) < len(nearest):
                nearest = differences
        certain = [event for one in new.certain for event in one]
        raise Violated(
            f"no order of {certain} with {new.undo} leads to the rows of the database. "
            "The closest differs in:\n    " + "\n    ".join(nearest or []))

    def _check_failures(self, step: Step, snapshot: Snapshot) -> None:
        touched: set[str] = set()
        for command in step.commands:
            for one in command.attempts:
                version = self.files.version(one.file, command.as_of)
                if not command.is_dry:
                    self.attempted.setdefault((one.path, one.file.stream), set()).add(version)
                    touched |= {one.path, version.sha256}
        for number, rows in snapshot.failed_rejects.items():
            stream, path, _ = snapshot.failed[number]
            allowed = {
                (reject.line, reject.code,
                 hashlib.sha256(masked(reject.line_bytes)[:4096]).hexdigest())
                for version in self.attempted.get((path, stream), ())
                for reject in self.history.model.rejects_left(self.files.parsed(version))}
            surplus = [row for row in rows if row not in allowed]
            if surplus:
                raise Violated(
                    f"ingest.failed_reject has lines of {path} that are of an erased user or not in the file: "
                    f"{surplus}")
        for number, (stream, path, sha256) in self.seen.failed.items():
            if number not in snapshot.failed and path not in touched and sha256 not in touched:
                raise Violated(f"the failure of {path} was deleted, but no command loads this file")


    def _check_settings(self, step: Step, results: list[Result], snapshot: Snapshot) -> None:
        run = [(command, result) for command, result in zip(step.commands, results)
               if command.kind in ("setting", "rates")]
        for command, result in run:
            code = 0 if command.kind == "setting" or self.seen.settings.has_base else 78
            if step.how == "alone" and result.code != code:
                raise Violated(f"exit code {result.code}, expected {code}: {command}")
        due = set(self.seen.settings.outcomes(
            [(command, result.code == 0) for command, result in run]))
        if snapshot.settings not in due:
            raise Violated(f"the database has {snapshot.settings}, expected one of {due}")


def _differences(due: dict[str, list[str]], found: dict[str, list[str]]) -> list[str]:
    differences = []
    for table, rows in due.items():
        there = found.get(table, [])
        for what, some in (
            ("is missing", rows_without(rows, there)), ("is unexpected", rows_without(there, rows)),
        ):
            differences += [f"{table}: {row.replace(SEPARATOR, '|')[:400]} {what}" for row in some]
    return differences
