"""Finds the events that were committed between two snapshots of the database."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from commands import Attempt, Command, Step
from data import File
from events import Accept, Choice, DropMonth, Emptied, Erase, Event, Load, Prune, Replay, Undo, Version
from line_rules import Settings
from model import Model
from months import MONTHLY, month_of, months_before, table_of
from parsing import ParsedFile, parse_bytes
from random_runs import Violated
from snapshot import Snapshot
from values import DAY

# By kind of event: what completes it in the model before it.
COMPLETED: dict[type, Callable[[Model, Any], Event]] = {
    Erase: Model.with_rows, Accept: Model.with_lines, Prune: Model.with_removed, DropMonth: Model.with_accepted}


@dataclass
class FileVersions:
    """The files of a run by digest, and the oracle's reading of each."""

    months: tuple[int, ...]
    now: int
    observed_at: int
    by_sha: dict[str, File] = field(default_factory=dict)
    _parsed: dict[Version, ParsedFile] = field(default_factory=dict)

    def version(self, file: File, as_of: int | None) -> Version:
        """The version of a file, whose bytes are known by their digest from now on."""
        sha256 = hashlib.sha256(file.content).hexdigest()
        self.by_sha[sha256] = file
        # No time is in the present month, so all later starts give the same result.
        start = self.now if as_of is None or as_of > self.months[-1] + 40 * DAY else as_of
        return Version(sha256, file.stream, min(start, self.now))

    def version_of(self, sha256: str, as_of: int | None = None) -> Version:
        return self.version(self.by_sha[sha256], as_of)

    def attempts(self, commands: list[Command]) -> Iterator[tuple[Command, Attempt, Version]]:
        """The files of these commands that are loads."""
        for command in commands:
            for one in command.attempts:
                yield command, one, self.version(one.file, command.as_of)

    def months_to_drop(self, command: Command) -> dict[tuple[str, int], int]:
        """What a retention must drop: by stream and beginning of a month its end."""
        months = months_before(self.months, self.now, int(command.option("--keep") or 0))
        stream = command.option("--stream")
        return {(one, start): end for one in ([stream] if stream else MONTHLY) for start, end in months}

    def parsed(self, version: Version) -> ParsedFile:
        if version not in self._parsed:
            file = self.by_sha[version.sha256]
            self._parsed[version] = parse_bytes(
                file.content, file.name,
                Settings(self.observed_at, version.as_of, file.app_id, file.unwrap), file.stream)
        return self._parsed[version]


class Commits:
    """The events of a step by kind, in the order of their commits within a kind.

    `seen` is the snapshot before the step, `found` the one after it. An event that no command of the step can cause is
    a violation. `tombstones` has users by the HMACs of their tombstones.
    """

    def __init__(
        self, files: FileVersions, tombstones: dict[str, str], seen: Snapshot, found: Snapshot, step: Step
    ) -> None:
        self.files = files
        self.seen = seen
        self.found = found
        self.step = step
        self.commands = [command for command in step.commands if not command.is_dry]
        meant = {(user, command.app) for command in self.commands for user in command.users}
        # Files and acceptances have numbers in common.
        numbered = sorted([*self._loads(), *self._acceptances()], key=lambda one: one[0])
        self.undo = self._undone()
        drops, possible_drops = self._drops()
        self.certain: list[list[Event]] = [
            [event for _, event in numbered], [*self._erasures(tombstones, meant)], [*self._replays()], drops]
        # Such an erasure writes no new tombstone, but it can delete conflicts of lines that were loaded since.
        known = {(tombstones.get(user_hmac), app) for user_hmac, app in seen.erased}
        again: list[Event] = [Erase(user, app) for user, app in sorted(meant & known, key=str)]
        # A first erasure that emptied items and did not come to its end.
        emptied: list[Event] = [] if found.erased or not meant else [Emptied(found.extra_months)]
        # Events that leave no trace of their own.
        self.possible = [possible_drops, again, emptied]
        prunes: list[Event] = [Prune(found.old_files, found.old_acceptances)] * self._count("prune")
        (self.possible if step.is_disturbed else self.certain).append(prunes)

    def _count(self, kind: str) -> int:
        return sum(command.kind == kind for command in self.commands)

    def _loads(self) -> Iterator[tuple[int, Event]]:
        # Two commands can load the same file with different times; the ledger has one of the times.
        given = {(version.sha256, one.path, command.as_of)
                 for command, one, version in self.files.attempts(self.commands) if not one.is_broken}
        for number in self.found.files.keys() - self.seen.files:
            entry = self.found.files[number]
            as_of = next((time for time in (entry.as_of, None) if (entry.sha256, entry.path, time) in given), 0)
            if as_of == 0:
                raise Violated(f"the ledger has {entry}, but no command loads this file with this --as-of")
            yield number, Load(number, self.files.version_of(entry.sha256, as_of))
        # A prune removes entries of undone files.
        if any(not (self._count("prune") and self.seen.files[number].is_undone)
               for number in self.seen.files.keys() - self.found.files):
            raise Violated("the ledger has lost entries")

    def _acceptances(self) -> Iterator[tuple[int, Event]]:
        for number in self.found.acceptances.keys() - self.seen.acceptances:
            made = self.found.acceptances[number]
            asked = Choice(made.asked_file, made.asked_load_id, made.asked_stream, None, made.asked_field)
            choice = next((
                one for one in (command.choice for command in self.commands if command.kind == "accept")
                if replace(one, key=None) == asked and made.is_asked_by_key == (one.key is not None)
                and (one.key is None or not made.keys or json.loads(one.key) in made.keys)), None)
            if choice is None:
                raise Violated(f"{made} exists, but no command makes it")
            yield number, Accept(number, choice, files_of(choice, self.found))
        if self.seen.acceptances.keys() - self.found.acceptances:
            raise Violated("an acceptance was deleted")

    def _erasures(self, tombstones: dict[str, str], meant: set[tuple[str, str | None]]) -> Iterator[Event]:
        for user_hmac, app in sorted(self.found.erased - self.seen.erased, key=str):
            user = tombstones.get(user_hmac)
            if user is None or (user, app) not in meant:
                raise Violated(
                    f"a tombstone in application {app} is of "
                    f"{user or 'an unknown user; the program has changed an id'}, who was not to be erased")
            yield Erase(user, app)
        if self.seen.erased - self.found.erased:
            raise Violated("a tombstone was deleted")

    def _undone(self) -> Undo:
        """The files and acceptances that were undone, including new ones."""
        undos = [command for command in self.commands if command.kind in ("undo", "undo-acceptance")]
        files = newly_undone(self.seen.files, self.found.files)
        if files and not any(command.kind == "undo" or "--with-later" in command.arguments for command in undos):
            raise Violated(f"files {files} are undone, but no command undoes them")
        acceptances = newly_undone(self.seen.acceptances, self.found.acceptances)
        if unasked := acceptances - {command.target for command in undos if command.kind == "undo-acceptance"}:
            raise Violated(f"acceptances {unasked} are undone, but no command undoes them")
        return Undo(files, acceptances)

    def _replays(self) -> Iterator[Event]:
        for number, lines in self.found.resolved.items():
            new = tuple(line for line in lines if line not in self.seen.resolved.get(number, []))
            if new and not self._count("replay"):
                raise Violated(f"rejects of file {number} are resolved, but no command replays them")
            if new:
                yield Replay(number, self.files.version_of(self.found.files[number].sha256), new)

    def _drops(self) -> tuple[list[Event], list[Event]]:
        """The certain drops and the possible ones, each in the order in which retention drops months.

        A possible one is of a table that this step created: it may have dropped an earlier table of the month.
        """
        due = {month: end for command in self.commands if command.kind == "retention"
               for month, end in self.files.months_to_drop(command).items()}
        dropped = [month_of(table) for table, oid in self.seen.months.items() if self.found.months.get(table) != oid]
        for month in dropped:
            if month not in due:
                raise Violated(f"{table_of(*month)} was dropped, but no retention may drop it")
        new = [month for month in due if table_of(*month) not in self.seen.months and len(self.step.commands) > 1]
        created = [month for month in new if table_of(*month) in self.found.months]
        dropped += [month for month in new if month not in created]

        def drops(months: list[tuple[str, int]]) -> list[Event]:
            return [DropMonth(stream, start, due[stream, start])
                    for stream, start in sorted(months, key=lambda month: month[::-1])]

        return drops(dropped), drops(created)

    def explanations(self, events: list[Event], model: Model) -> Iterator[tuple[list[Event], Model]]:
        """The history with the new events in every possible order of their commits, each with its model.

        The order within a kind is known. An undo removes its files from the history. The other files, with the same
        replays, erasures and dropped months in between, must then lead to the rows that the undo leaves.
        """
        undos: list[list[Event]] = [[self.undo]] if self.undo.files or self.undo.acceptances else []
        for order in itertools.chain(
                merged(self.certain + undos),
                merged(self.certain + self.possible + undos) if any(self.possible) else ()):
            history, after = list(events), model.copy()
            for event in order:
                if isinstance(event, Undo):
                    history = list(event.others(history))
                    after = after.without(event, history)
                else:
                    if complete := COMPLETED.get(type(event)):
                        event = complete(after, event)
                    history.append(event)
                    after.after(event)
            yield history, after


def merged(lists: list[list[Event]]) -> Iterator[list[Event]]:
    """Every merged list that keeps the order within each list."""
    left = [one for one in lists if one]
    if not left:
        yield []
    for at, one in enumerate(left):
        for rest in merged(left[:at] + [one[1:]] + left[at + 1:]):
            yield [one[0], *rest]


def newly_undone(seen: Mapping[int, Any], found: Mapping[int, Any]) -> frozenset[int]:
    """The numbers of the files or acceptances that were undone since."""
    before = {number for number, one in seen.items() if one.is_undone}
    after = {number for number, one in found.items() if one.is_undone}
    for number in (before - after) & found.keys():
        raise Violated(f"{found[number]} was undone but is active again under the same number")
    return frozenset(after - before)


def files_of(choice: Choice, snapshot: Snapshot) -> frozenset[int]:
    """The numbers of the files that the choice selects."""
    return frozenset(
        entry.number for entry in snapshot.files.values()
        if (choice.file is None or f"/{entry.path}".endswith(f"/{choice.file}")
            or str(entry.number) == choice.file)
        and choice.load in (None, entry.load))
