"""Judges the database after a step: events must explain its rows, and no erased or orphaned row may remain."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator

from checks import EffectCheck, check_erased_words
from commands import Step
from commits import Commits, FileVersions
from events import Accept, DropMonth, Erase, Event, Prune, Undo, Version
from loader import ProgramRun
from line_owner import keeps_bytes
from model import Model, as_after_erasure
from printing import SEPARATOR
from random_runs import Violated
from server import Session
from snapshot import Snapshot, take_snapshot
from state import differing


class Judge:
    def __init__(self, session: Session, files: FileVersions, tombstones: dict[str, str]) -> None:
        self.session = session
        self.files = files
        self.tombstones = tombstones
        # The committed events in order, and the model that they lead to.
        self.events: list[Event] = []
        self.model = Model(files.parsed)
        # By path and stream: every version that a load has attempted.
        self.attempted: dict[tuple[str, str], set[Version]] = {}
        self.seen = take_snapshot(session, "heap")

    @property
    def erased_in_all(self) -> set[str]:
        """The users erased in all applications."""
        return {user for user, app in self.model.erased if app is None}

    def judge(self, step: Step, results: list[ProgramRun], plan: str) -> None:
        before = self.model
        snapshot = take_snapshot(self.session, plan)
        self._explain(Commits(self.files, self.tombstones, self.seen, snapshot, step), snapshot)
        self._check_failures(step, snapshot)
        self._check_settings(step, results, snapshot)
        effects = EffectCheck(self.files, step, snapshot, before, self.model)
        for command, result in zip(step.commands, results):
            effects.check(command, result)
        if snapshot.orphans:
            raise Violated(f"rows of undone or unknown files: {snapshot.orphans}")
        self.seen = snapshot
        if any(command.kind == "forget" for command in step.commands):
            check_erased_words(self.session, self.erased_in_all)

    def _explain(self, new: Commits, snapshot: Snapshot) -> None:
        """Accepts the first order of events that leads to the rows of the database."""
        found: list[list[str]] = []
        orders = itertools.chain(
            self._explanations(new.certain, new.undo),
            self._explanations([*new.certain, *new.possible], new.undo) if any(new.possible) else ())
        for events, model in itertools.islice(orders, 3000):
            tables = model.state() | {"reject_total": model.reject_totals()}
            if tables == snapshot.state:
                self.events, self.model = events, model
                return
            found.append([
                f"{table}: {row.replace(SEPARATOR, '|')[:400]} {what}"
                for table, missing, surplus in differing(tables, snapshot.state)
                for what, rows in (("is missing", missing), ("is unexpected", surplus)) for row in rows])
        certain = [event for one in new.certain for event in one]
        raise Violated("\n    ".join([
            f"no order of {certain} with {new.undo} leads to the rows of the database. The closest differs in:",
            *min(found, key=len, default=[])]))

    def _explanations(self, new: list[list[Event]], undo: Undo) -> Iterator[tuple[list[Event], Model]]:
        """The history with the new events in every possible order of their commits, each with its model.

        The order within a list is known. An undo removes its files from the history. The other files, with the same
        replays, erasures and dropped months in between, must then lead to the rows that the undo leaves.
        """
        for order in merged(new + ([[undo]] if undo.files or undo.acceptances else [])):
            events, model = list(self.events), self.model.copy()
            for event in order:
                if isinstance(event, Undo):
                    events = list(event.others(events))
                    model = model.without(event, events)
                else:
                    if isinstance(event, Erase):
                        event = model.with_rows(event)
                    elif isinstance(event, Accept):
                        event = model.with_lines(event)
                    elif isinstance(event, Prune):
                        event = model.with_removed(event)
                    elif isinstance(event, DropMonth):
                        event = model.with_accepted(event)
                    events.append(event)
                    model.after(event)
            yield events, model

    def _check_failures(self, step: Step, snapshot: Snapshot) -> None:
        touched: set[str] = set()
        for command, one, version in self.files.attempts(step.commands):
            if not command.is_dry:
                self.attempted.setdefault((one.path, one.file.stream), set()).add(version)
                touched |= {one.path, version.sha256}
        for stream, path in sorted({row[:2] for row in snapshot.failed_rejects}):
            parsed = [self.files.parsed(version) for version in self.attempted.get((path, stream), ())]
            left = [reject for one in parsed for reject in self.model.rejects_left(one)]
            # A line that names an erased user beside another one is only emptied where it was kept before the erasure.
            left += [as_after_erasure(one, reject) for one in parsed for reject in one.rejects
                     if self.model.erased and not keeps_bytes(one, reject)]
            allowed = {(stream, path, reject.line, reject.code, hashlib.sha256(reject.raw[:4096]).hexdigest())
                       for reject in left}
            surplus = [row for row in snapshot.failed_rejects if row[:2] == (stream, path) and row not in allowed]
            if surplus:
                raise Violated(
                    f"ingest.failed_reject has lines of {path} that are of an erased user or not in the file: "
                    f"{surplus}")
        for number, (stream, path, sha256) in self.seen.failed.items():
            if number not in snapshot.failed and path not in touched and sha256 not in touched:
                raise Violated(f"the failure of {path} was deleted, but no command loads this file")

    def _check_settings(self, step: Step, results: list[ProgramRun], snapshot: Snapshot) -> None:
        run = [(command, result) for command, result in zip(step.commands, results)
               if command.kind in ("setting", "rates")]
        due = set(self.seen.settings.outcomes([(command, result.code) for command, result in run]))
        if snapshot.settings not in due:
            codes = [f"{result.code}: {command}" for command, result in run]
            raise Violated(f"after {codes} the database has {snapshot.settings}, expected one of {due}")


def merged(lists: list[list[Event]]) -> Iterator[list[Event]]:
    """Every merged list that keeps the order within each list."""
    left = [one for one in lists if one]
    if not left:
        yield []
    for at, one in enumerate(left):
        for rest in merged(left[:at] + [one[1:]] + left[at + 1:]):
            yield [one[0], *rest]
