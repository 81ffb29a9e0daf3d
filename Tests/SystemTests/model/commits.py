"""Finds the events that were committed between two snapshots of the database."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from commands import Command, Step
from data import File
from events import Accept, Choice, DropMonth, Emptied, Erase, Event, Load, Prune, Replay, Undo, Version
from line_rules import Settings
from months import DAY, month_of, months_before, table_of
from parsing import ParsedFile, parse_bytes
from random_runs import Violated
from snapshot import Snapshot


class FileVersions:
    """The files of a run by digest, and the oracle's reading of each."""

    def __init__(self, months: tuple[int, ...], now: int, observed_at: int) -> None:
        self.months = months
        self.now = now
        self.observed_at = observed_at
        self.by_sha: dict[str, File] = {}
        self._parsed: dict[Version, ParsedFile] = {}

    def version(self, file: File, as_of: int | None) -> Version:
        """The version of a file, whose bytes are known by their digest from now on."""
        sha256 = hashlib.sha256(file.content).hexdigest()
        self.by_sha[sha256] = file
        # No time is in the present month, so all later starts give the same result.
        start = self.now if as_of is None or as_of > self.months[-1] + 40 * DAY else as_of
        return Version(sha256, file.stream, min(start, self.now))

    def parsed(self, version: Version) -> ParsedFile:
        if version not in self._parsed:
            file = self.by_sha[version.sha256]
            self._parsed[version] = parse_bytes(
                file.content, file.name,
                Settings(self.observed_at, version.as_of, file.app_id, file.unwrap), file.stream)
        return self._parsed[version]


@dataclass
class Committed:
    """The new events by kind, in the order of their commits within a kind."""

    certain: list[list[Event]]
    # Events that leave no trace of their own.
    possible: list[list[Event]]
    # The files and acceptances that were undone, including new ones.
    undo: Undo


class CommitFinder:
    def __init__(self, files: FileVersions, tombstones: dict[str, str]) -> None:
        self.files = files
        # Users by the HMACs of their tombstones.
        self.tombstones = tombstones

    def between(self, seen: Snapshot, snapshot: Snapshot, step: Step) -> Committed:
        """The events of a step. An event that no command of the step can cause is a violation."""
        real = [command for command in step.commands if not command.is_dry]
        loads = self._loads(seen, snapshot, real) + self._acceptances(seen, snapshot, real)
        # Files and acceptances have numbers in common.
        loads.sort(key=lambda event: event.file if isinstance(event, Load) else event.number)
        undo = Undo(self._undone(seen, snapshot, real), self._undone_acceptances(seen, snapshot, real))
        drops, possible_drops = self._drops(seen, snapshot, step, real)
        certain = [loads, self._erasures(seen, snapshot, real), self._replays(seen, snapshot, real), drops]
        meant = {(user, command.app) for command in real for user in command.users}
        # Such an erasure writes no new tombstone, but it can delete conflicts of lines that were loaded since.
        known = {(self.tombstones.get(user_hmac), app) for user_hmac, app in seen.erased}
        again: list[Event] = [Erase(user, app) for user, app in sorted(meant & known, key=str)]
        # A first erasure that emptied items and did not come to its end.
        emptied: list[Event] = [] if snapshot.erased or not meant else [Emptied(snapshot.extra_months)]
        possible = [possible_drops, again, emptied]
        prunes: list[Event] = [
            Prune(snapshot.old_files, snapshot.old_acceptances) for command in real if command.kind == "prune"]
        (possible if step.is_disturbed else certain).append(prunes)
        return Committed(certain, possible, undo)

    def _loads(self, seen: Snapshot, snapshot: Snapshot, real: list[Command]) -> list[Event]:
        given: dict[tuple[str, str], list[Command]] = {}
        for command in real:
            for one in command.attempts:
                if not one.is_broken:
                    sha256 = self.files.version(one.file, command.as_of).sha256
                    given.setdefault((sha256, one.path), []).append(command)
        loads: list[Event] = []
        for number, entry in snapshot.files.items():
            if number in seen.files:
                if seen.files[number].is_undone and not entry.is_undone:
                    raise Violated(f"{entry} was undone but is loaded again under the same number")
                continue
            if (entry.sha256, entry.path) not in given:
                raise Violated(f"the ledger has {entry}, but no command loads this file")
            # Two commands can load the same file with different times; the ledger has one of the times.
            given_times = {command.as_of for command in given[entry.sha256, entry.path]}
            as_of = entry.as_of if entry.as_of in given_times else None
            if as_of not in given_times:
                raise Violated(f"{entry} does not have the --as-of of the command")
            loads.append(Load(number, self.files.version(self.files.by_sha[entry.sha256], as_of)))
        lost = {number for number, entry in seen.files.items() if number not in snapshot.files and not (
            entry.is_undone and any(command.kind == "prune" for command in real))}
        if lost:
            raise Violated("the ledger has lost entries")
        return loads

    def _erasures(self, seen: Snapshot, snapshot: Snapshot, real: list[Command]) -> list[Event]:
        erasures: list[Event] = []
        meant = {(user, command.app) for command in real for user in command.users}
        for user_hmac, app in sorted(snapshot.erased - seen.erased, key=str):
            user = self.tombstones.get(user_hmac)
            if user is None or (user, app) not in meant:
                raise Violated(
                    f"a tombstone in application {app} is of "
                    f"{user or 'an unknown user; the program has changed an id'}, who was not to be erased")
            erasures.append(Erase(user, app))
        if seen.erased - snapshot.erased:
            raise Violated("a tombstone was deleted")
        return erasures

    def _undone(self, seen: Snapshot, snapshot: Snapshot, real: list[Command]) -> frozenset[int]:
        undone = frozenset(
            number for number, entry in snapshot.files.items() if entry.is_undone
            and not (number in seen.files and seen.files[number].is_undone))
        if undone and not any(
                command.kind == "undo" or command.kind == "undo-acceptance" and "--with-later" in command.arguments
                for command in real):
            raise Violated(f"files {undone} are undone, but no command undoes them")
        return undone

    def _acceptances(self, seen: Snapshot, snapshot: Snapshot, real: list[Command]) -> list[Event]:
        events: list[Event] = []
        for number, acceptance in snapshot.acceptances.items():
            if number in seen.acceptances:
                continue
            choice = next((
                command.choice for command in real if command.kind == "accept"
                and asked_of(command.choice) == acceptance.asked
                and acceptance.is_by(command.choice.key)), None)
            if choice is None:
                raise Violated(f"{acceptance} exists, but no command makes it")
            events.append(Accept(number, choice, files_of(choice, snapshot)))
        if set(seen.acceptances) - set(snapshot.acceptances):
            raise Violated("an acceptance was deleted")
        return events

    def _undone_acceptances(self, seen: Snapshot, snapshot: Snapshot, real: list[Command]) -> frozenset[int]:
        asked = {command.target for command in real if command.kind == "undo-acceptance"}
        undone = set()
        for number, acceptance in snapshot.acceptances.items():
            was = number in seen.acceptances and seen.acceptances[number].is_undone
            if was and not acceptance.is_undone:
                raise Violated(f"{acceptance} was undone but is active again")
            if acceptance.is_undone and not was:
                undone.add(number)
        if undone - asked:
            raise Violated(f"acceptances {undone - asked} are undone, but no command undoes them")
        return frozenset(undone)

    def _replays(self, seen: Snapshot, snapshot: Snapshot, real: list[Command]) -> list[Event]:
        replays: list[Event] = []
        for number, lines in snapshot.resolved.items():
            new = [line for line in lines if line not in seen.resolved.get(number, [])]
            if not new:
                continue
            if not any(command.kind == "replay" for command in real):
                raise Violated(f"rejects of file {number} are resolved, but no command replays them")
            entry = snapshot.files[number]
            replays.append(Replay(number, self.files.version(self.files.by_sha[entry.sha256], None), tuple(new)))
        return replays

    def _drops(
        self, seen: Snapshot, snapshot: Snapshot, step: Step, real: list[Command]
    ) -> tuple[list[Event], list[Event]]:
        """The certain drops and the possible ones, each in the order in which retention drops months.

        A possible one is of a table that this step created: it may have dropped an earlier table of the month.
        """
        due = {
            (stream, start): end for command in real if command.kind == "retention"
            for stream in command.streams
            for start, end in months_before(self.files.months, self.files.now, int(command.option("--keep") or 0))}
        dropped = [month_of(table) for table, oid in seen.months.items() if snapshot.months.get(table) != oid]
        for stream, start in dropped:
            if (stream, start) not in due:
                raise Violated(f"{table_of(stream, start)} was dropped, but no retention may drop it")
        created = []
        if len(step.commands) > 1:
            new = [month for month in due if table_of(*month) not in seen.months]
            dropped += [month for month in new if table_of(*month) not in snapshot.months]
            created = [month for month in new if table_of(*month) in snapshot.months]

        def drops(months: list[tuple[str, int]]) -> list[Event]:
            return [DropMonth(stream, start, due[stream, start])
                    for stream, start in sorted(months, key=lambda month: month[::-1])]

        return drops(dropped), drops(created)


def files_of(choice: Choice, snapshot: Snapshot) -> frozenset[int]:
    """The numbers of the files that the choice selects."""
    return frozenset(
        entry.number for entry in snapshot.files.values()
        if (choice.file is None or f"/{entry.path}".endswith(f"/{choice.file}")
            or str(entry.number) == choice.file)
        and choice.load in (None, entry.load))


def asked_of(choice: Choice) -> tuple[str | None, int | None, str | None, str | None, bool]:
    """The choice in the form of ingest.acceptance."""
    return choice.file, choice.load, choice.stream, choice.field, choice.key is not None
