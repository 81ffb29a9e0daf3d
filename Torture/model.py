"""What the database must hold after loads, replays, undos, erasures and retention in any order.

Written from docs/data-contract.md. A history says what was committed, in which order; a picture is
what it leaves. An undo takes its files out of the history: what is left must be what the others, with
the same replays, erasures and dropped months between them, would have left.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from oracle import (
    KEYS, TABLES, TIMES, Counts, Key, ParsedFile, Reject, Row, State, key_of, natural_key, printed,
    printed_conflict, printed_file, printed_reject, printed_row, record_members, take)
from universe import USERS, text
from values import Refusal, user_id

MONTHLY = ("level_up", "game_user")


@dataclass(frozen=True)
class Version:
    """A file's bytes as they were read: the start of the run bounds the times in it."""

    sha256: str
    stream: str
    as_of: int


# What can have been committed.


@dataclass(frozen=True)
class Load:
    file: int
    version: Version


@dataclass(frozen=True)
class Replay:
    """Refused lines of a file were read anew, as the version has it, and are resolved."""

    file: int
    version: Version
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Erase:
    user: str
    # None: in all applications.
    app: str | None
    # The rows that it took: stream, key and file. They stay taken, also where a file is undone that had
    # filled the application by which the row was the user's.
    taken: frozenset[tuple[str, Key, int]] = frozenset()


@dataclass(frozen=True)
class DropMonth:
    """A month of a stream, from its first millisecond to that of the next."""

    stream: str
    start: int
    end: int


@dataclass(frozen=True)
class Undo:
    """These files are taken back; it leaves a history that never had them."""

    files: frozenset[int]


Event = Load | Replay | Erase | DropMonth | Undo


def _file_of(event: Event) -> int | None:
    return event.file if isinstance(event, (Load, Replay)) else None


@dataclass(frozen=True)
class Conflict:
    stream: str
    key: Key
    natural_key: str
    field: str
    kept: object
    refused: object
    file: int
    line: int


@dataclass(frozen=True)
class Fill:
    stream: str
    key: Key
    natural_key: str
    field: str
    file: int
    line: int


@dataclass
class LoadedFile:
    parsed: ParsedFile
    counts: Counts
    rejects: dict[int, Reject]
    unknown: dict[str, tuple[int, int]]
    resolved: set[int] = field(default_factory=set)
    # By outcome: lines of which the records were erased.
    erased: dict[str, int] = field(default_factory=dict)

    def copy(self) -> LoadedFile:
        return LoadedFile(
            self.parsed, Counts(**vars(self.counts)), dict(self.rejects), self.unknown,
            set(self.resolved), dict(self.erased))


@dataclass(frozen=True)
class Owner:
    """Whose a line is: one user's, or, where that cannot be told, of all that it names."""

    user: str | None
    app: str = ""
    named: frozenset[str] = frozenset()

    def is_of(self, user: str, app: str | None) -> bool:
        if self.user is None:
            return user in self.named
        return self.user == user and app in (None, self.app)


def owner_of(parsed: ParsedFile, row: Row | None = None, reject: Reject | None = None) -> Owner:
    if row is not None:
        return Owner(str(row["user_id"]), str(row["app_id"]))
    assert reject is not None
    return _owner_of_line(reject.line_bytes, parsed.unwrap, parsed.app_id)


@functools.lru_cache(maxsize=65536)
def _owner_of_line(line: bytes, unwrap: str | None, app_id: str) -> Owner:
    try:
        members = record_members(line, unwrap)
        users = {user_id(value, name) for name, value in members if name == "userId"}
        apps = [str(value) for name, value in members if name == "appId" and value]
        if len(users) == 1:
            return Owner(users.pop(), apps[0] if apps else app_id)
    except Refusal:
        pass
    return Owner(None, named=frozenset(
        user for user in USERS if text(user).encode() in line or user.encode() in line))


@dataclass
class Picture:
    """What a history leaves."""

    versions: Callable[[Version], ParsedFile]
    rows: dict[str, dict[Key, Row]] = field(
        default_factory=lambda: {stream: {} for stream in TABLES})
    files: dict[int, LoadedFile] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    fills: list[Fill] = field(default_factory=list)
    erased: set[tuple[str, str | None]] = field(default_factory=set)

    def copy(self) -> Picture:
        return Picture(
            self.versions,
            {stream: {key: dict(row) for key, row in rows.items()}
             for stream, rows in self.rows.items()},
            {number: file.copy() for number, file in self.files.items()},
            list(self.conflicts), list(self.fills), set(self.erased))

    def after(self, event: Event) -> Picture:
        """This picture itself, with what the event does to it."""
        if isinstance(event, Load):
            self._load(event)
        elif isinstance(event, Replay):
            self._replay(event)
        elif isinstance(event, Erase):
            self._erase(event)
        elif isinstance(event, DropMonth):
            self._drop(event)
        return self

    # Erased users

    def is_suppressed(self, owner: Owner) -> bool:
        return any(
            user in owner.named if owner.user is None
            else owner.user == user and app in (None, owner.app)
            for user, app in self.erased)

    def rejects_left(self, parsed: ParsedFile) -> list[Reject]:
        """The lines that are refused, and not suppressed."""
        return [reject for reject in parsed.rejects
                if not self.is_suppressed(owner_of(parsed, reject=reject))]

    # Events

    def _load(self, event: Load) -> None:
        parsed = self.versions(event.version)
        left = self.rejects_left(parsed)
        counts = Counts(rejected=len(left), suppressed=len(parsed.rejects) - len(left))
        left_out = {reject.line for reject in parsed.rejects} - {reject.line for reject in left}
        file = LoadedFile(parsed, counts, {reject.line: reject for reject in left}, {})
        self.files[event.file] = file
        for number, row in parsed.rows:
            if self._merge(file, event.file, number, row) == "suppressed":
                left_out.add(number)
        file.unknown = parsed.unknown_fields(left_out)

    def _merge(self, file: LoadedFile, number: int, line: int, row: Row) -> str:
        if self.erased and self.is_suppressed(owner_of(file.parsed, row=row)):
            file.counts.note("suppressed")
            return "suppressed"
        stream = file.parsed.stream
        place: Row = {"sha256": file.parsed.sha256, "file": number, "line_number": line}
        taken = take(stream, row, place, self.rows[stream])
        file.counts.note(taken.outcome)
        key, name = key_of(stream, row), natural_key(stream, row)
        self.conflicts += [
            Conflict(stream, key, name, *difference, number, line)
            for difference in taken.conflicts]
        self.fills += [Fill(stream, key, name, filled, number, line) for filled in taken.fills]
        return taken.outcome

    def _replay(self, event: Replay) -> None:
        file = self.files[event.file]
        rows = dict(self.versions(event.version).rows)
        for line in event.lines:
            file.counts.note("rejected", -1)
            file.resolved.add(line)
            # A line that is still refused and yet resolved shows as a missing row.
            self._merge(file, event.file, line, rows[line])

    def with_rows(self, event: Erase) -> Erase:
        """The event with the rows that it takes from this picture."""
        return replace(event, taken=frozenset(
            (stream, key, int(str(row["file"]))) for (stream, key), row in self._taken(event).items()))

    def _taken(self, event: Erase) -> dict[tuple[str, Key], Row]:
        return {
            (stream, key): row for stream, rows in self.rows.items() for key, row in rows.items()
            if (row["user_id"] == event.user and event.app in (None, row["app_id"]))
            or (stream, key, row["file"]) in event.taken}

    def _erase(self, event: Erase) -> None:
        user, app = event.user, event.app
        gone = self._taken(event)
        by_line: dict[tuple[int, int], dict[str, object]] = {}
        for conflict in self.conflicts:
            by_line.setdefault((conflict.file, conflict.line), {})[conflict.field] = conflict.refused

        def is_users(record: Conflict | Fill) -> bool:
            if record.stream == "receipt":
                return (record.stream, record.key) in gone
            named = dict(zip(KEYS[record.stream], record.key))
            return named["user_id"] == user and app in (None, named["app_id"])

        def is_users_line(conflict: Conflict) -> bool:
            """A line of the user that contradicted the row of another."""
            refused = by_line[conflict.file, conflict.line]
            if refused.get("user_id") != user:
                return False
            row = self.rows[conflict.stream].get(conflict.key, {})
            return app in (None, refused.get("app_id") or row.get("app_id") or app)

        conflicts = [one for one in self.conflicts if is_users(one) or is_users_line(one)]
        fills = [one for one in self.fills if is_users(one)]
        for row in gone.values():
            self._count_erased(int(str(row["file"])), "inserted", 1)
        for outcome, records in (("conflict", conflicts), ("filled", fills)):
            for number, _ in {(one.file, one.line) for one in records}:
                self._count_erased(number, outcome, 1)
        for stream, key in gone:
            del self.rows[stream][key]
        self.conflicts = _without(self.conflicts, conflicts)
        self.fills = _without(self.fills, fills)
        for number, file in self.files.items():
            for line, reject in list(file.rejects.items()):
                if owner_of(file.parsed, reject=reject).is_of(user, app):
                    del file.rejects[line]
                    if line not in file.resolved:
                        self._count_erased(number, "rejected", 1)
        self.erased.add((user, app))

    def _count_erased(self, number: int, outcome: str, count: int) -> None:
        erased = self.files[number].erased
        erased[outcome] = erased.get(outcome, 0) + count

    def _drop(self, event: DropMonth) -> None:
        """With a month's rows goes what is known of their fills; the ledger and conflicts stay."""
        place = next(at for at, name in enumerate(KEYS[event.stream]) if name in TIMES)

        def is_in(key: Key) -> bool:
            return event.start <= int(str(key[place])) < event.end

        rows = self.rows[event.stream]
        for key in [key for key in rows if is_in(key)]:
            del rows[key]
        self.fills = [
            one for one in self.fills if one.stream != event.stream or not is_in(one.key)]

    # As it is compared

    def state(self) -> State:
        sha256 = {number: file.parsed.sha256 for number, file in self.files.items()}
        tables: dict[str, list[str]] = {
            stream: [printed_row(stream, row) for row in rows.values()]
            for stream, rows in self.rows.items()}
        tables["conflict"] = [
            printed_conflict(one.stream, one.natural_key, one.field, one.kept, one.refused,
                             sha256[one.file], one.line) for one in self.conflicts]
        tables["fill"] = [
            printed(one.stream, one.natural_key, one.field, sha256[one.file], one.line)
            for one in self.fills]
        tables |= {"file": [], "reject": [], "unknown_field": [], "erased_line": []}
        for number, file in self.files.items():
            tables["file"].append(printed_file(file.parsed, file.counts))
            tables["reject"] += [
                printed_reject(file.parsed, reject, line in file.resolved)
                for line, reject in file.rejects.items()]
            tables["unknown_field"] += [
                printed(sha256[number], name, *places) for name, places in file.unknown.items()]
            tables["erased_line"] += [
                printed(sha256[number], outcome, count) for outcome, count in file.erased.items()]
        for rows in tables.values():
            rows.sort()
        return State(tables)


def _without(records: list, gone: list) -> list:  # type: ignore[type-arg]
    lost = set(map(id, gone))
    return [record for record in records if id(record) not in lost]


class History:
    """What was committed, in order, and the picture that it leaves."""

    def __init__(self, versions: Callable[[Version], ParsedFile]) -> None:
        self.versions = versions
        self.events: list[Event] = []
        self.picture = Picture(versions)

    def explanations(
        self, new: list[list[Event]], undone: set[int]
    ) -> Iterator[tuple[list[Event], Picture]]:
        """Every order in which what is new can have been committed, and what that leaves.

        Each list is in its own order already.
        """
        if not undone and not any(new):
            yield self.events, self.picture
            return
        for order in merged(new + ([[Undo(frozenset(undone))]] if undone else [])):
            events, picture = list(self.events), self.picture.copy()
            for event in order:
                if isinstance(event, Undo):
                    events = [one for one in events if _file_of(one) not in undone]
                    picture = self._without(events, picture)
                else:
                    if isinstance(event, Erase):
                        event = picture.with_rows(event)
                    events.append(event)
                    picture.after(event)
            yield events, picture

    def _without(self, events: list[Event], before: Picture) -> Picture:
        """What is left by an undo: what the other files would have left.

        Their counts stay what they were. Where they are no more what they would have been, the record
        was erased: what is lost otherwise is a row that is missing.
        """
        picture = Picture(self.versions)
        for event in events:
            picture.after(event)
        for number, file in picture.files.items():
            file.counts = before.files[number].counts
            file.erased = before.files[number].erased
        return picture

    def accept(self, events: list[Event], picture: Picture) -> None:
        self.events, self.picture = events, picture


def merged(lists: list[list[Event]]) -> Iterator[list[Event]]:
    """All ways to put lists together that keep the order within each."""
    left = [one for one in lists if one]
    if not left:
        yield []
    for at, one in enumerate(left):
        for rest in merged(left[:at] + [one[1:]] + left[at + 1:]):
            yield [one[0], *rest]


