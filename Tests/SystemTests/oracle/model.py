"""The model: the expected content of the database after a sequence of events.

Written from docs/data-contract.md, without calls to the loader and without its code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from copy import copy
from dataclasses import dataclass, field, replace

from events import Accept, DropMonth, Emptied, Erase, Event, Folded, Line, Load, Prune, Replay, Undo, Version
from line_owner import Owner, keeps_bytes, owners_of_reject, owners_of_row
from line_rules import rows_of
from merge import OUTCOMES, Fill, Record, Refused, compared_by, given_by, is_of_another, key_of, with_followers
from parsing import ParsedFile, Reject
from printing import conflict_text, in_json, printed, sha256, shown_row, value_text
from streams import EVENT_TIMES, KEYS, TABLES, Key, Row
from values import OracleError


@dataclass
class LoadedFile:
    parsed: ParsedFile
    # The number of lines by outcome.
    counts: Counter[str]
    rejects: dict[int, Reject]
    unknown: dict[str, tuple[int, int]]
    # The lines that replays have loaded, in their order.
    resolved: dict[int, None] = field(default_factory=dict)
    # By outcome: the number of receipts within its lines.
    embedded: Counter[str] = field(default_factory=Counter)
    # By application of its accepted lines: the times of their events up to the start of the run.
    times: dict[str, tuple[int, ...]] = field(default_factory=dict)
    # By outcome: the number of lines whose records were erased.
    erased: Counter[str] = field(default_factory=Counter)
    # The refused lines that a prune has removed, by code and field.
    pruned: Counter[tuple[str, str | None]] = field(default_factory=Counter)

    def copy(self) -> LoadedFile:
        return replace(self, **{
            name: copy(value) for name, value in vars(self).items() if name != "parsed"})

    def outcomes(self) -> tuple[int, ...]:
        """The numbers of lines by outcome, and of blank lines; they add up to the file's lines."""
        outcomes = (*(self.counts[outcome] for outcome in OUTCOMES), self.parsed.blank_count)
        if sum(outcomes) != self.parsed.line_count:
            raise OracleError(f"the outcomes of {self.parsed.name} do not add up")
        return outcomes


@dataclass
class Model:
    """The content of all tables after a history. A changed row is a new one, so copies have rows in common."""

    versions: Callable[[Version], ParsedFile] = dict[Version, ParsedFile]().__getitem__
    rows: dict[str, dict[Key, Row]] = field(default_factory=lambda: {stream: {} for stream in TABLES})
    files: dict[int, LoadedFile] = field(default_factory=dict)
    refused: dict[Line, Refused] = field(default_factory=dict)
    fills: list[Fill] = field(default_factory=list)
    erased: set[tuple[str, str | None]] = field(default_factory=set)
    # The rows with accepted lines, as they would be without the newest acceptance.
    former: dict[tuple[str, Key], Row] = field(default_factory=dict)
    # By number: the counts of lines, rows and changed values at the acceptance.
    acceptances: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    undone_acceptances: frozenset[int] = frozenset()

    def copy(self) -> Model:
        return replace(self, **{name: copy(value) for name, value in vars(self).items()} | {
            "rows": {stream: dict(rows) for stream, rows in self.rows.items()},
            "files": {number: file.copy() for number, file in self.files.items()}})

    def after(self, event: Event) -> Model:
        """Applies the event to this model, and returns it."""
        apply: dict[type, Callable[..., None]] = {
            Load: self._load, Replay: self._replay, Erase: self._erase, Emptied: self._empty, Accept: self._accept,
            DropMonth: self._drop, Prune: self._prune}
        apply[type(event)](event)
        return self

    def without(self, undo: Undo, events: list[Event]) -> Model:
        """The model after an undo: the result of the other events, which are these, alone.

        What the ledger says of the other files stays: an undo judges none of their lines again. It can differ from the
        rows of the model, but only for erased records; any other loss appears as a missing row.
        """
        model = Model(self.versions)
        for event in events:
            model.after(event)
        for number, file in model.files.items():
            before = self.files[number]
            file.counts, file.embedded, file.erased, file.times = (
                before.counts, before.embedded, before.erased, before.times)
        model.acceptances = dict(self.acceptances)
        model.undone_acceptances = self.undone_acceptances | undo.acceptances
        return model

    # Erased users

    def is_suppressed(self, owner: Owner) -> bool:
        return any(owner.is_of(user, app) for user, app in self.erased)

    def rejects_left(self, parsed: ParsedFile) -> list[Reject]:
        """The refused lines that are not suppressed, as they are stored."""
        return parsed.rejects if not self.erased else [
            as_after_erasure(parsed, reject) for reject in parsed.rejects
            if not any(map(self.is_suppressed, owners_of_reject(parsed, reject).named))]

    # Events

    def _load(self, event: Load) -> None:
        self.load(event.file, self.versions(event.version))

    def load(self, number: int, parsed: ParsedFile) -> None:
        """Merges a file line by line: the first value wins, and absent values are filled."""
        left = {reject.line: reject for reject in self.rejects_left(parsed)}
        left_out = {reject.line for reject in parsed.rejects} - left.keys()
        file = self.files[number] = LoadedFile(
            parsed, Counter(rejected=len(left), suppressed=len(left_out)), left, {})
        for line, row in parsed.rows:
            if self._merge(number, line, row, parsed.settings.now) == "suppressed":
                left_out.add(line)
        file.unknown = parsed.unknown_fields(left_out)

    def _merge(self, number: int, line: int, row: Row, as_of: int) -> str:
        """Merges the rows of a line into the stored ones, and returns the outcome of the line."""
        file = self.files[number]
        stream = file.parsed.stream
        if self.erased and any(self.is_suppressed(owner) for owner in owners_of_row(file.parsed, row)):
            file.counts["suppressed"] += 1
            return "suppressed"
        outcome, *inner = [
            self._merge_row(kind, one, file.parsed.sha256, number, line) for kind, one in rows_of(stream, row)]
        file.counts[outcome] += 1
        file.embedded.update(inner)
        if outcome != "conflicts":
            time = int(str(row[EVENT_TIMES[stream]]))
            # A client's clock that is fast moves no horizon.
            is_event = row.get("observed_at_source") != "load_start" and time <= as_of
            app = str(row["app_id"])
            file.times[app] = file.times.get(app, ()) + ((time,) if is_event else ())
        return outcome

    def _merge_row(self, stream: str, row: Row, digest: str, number: int, line: int) -> str:
        if self.erased and stream == "item":
            row = row | {"extra": None}
        key, rows = key_of(stream, row), self.rows[stream]
        if key not in rows:
            rows[key] = row | {"sha256": digest, "file": number, "line_number": line}
            return "inserted"
        given = given_by(stream, row)
        compared = [(name, kept) for name, kept in compared_by(stream, rows[key]).items() if name in given]
        different = {name: kept for name, kept in compared if kept is not None and kept != given[name]}
        if different:
            if self._is_again(stream, key, row):
                return "duplicates"
            refused = Refused(stream, key, number, line, different, given)
            self.refused[refused.place] = refused
            return "conflicts"
        filled = [name for name, kept in compared if kept is None]
        values = with_followers(row, filled)
        rows[key] = rows[key] | values
        if former := self.former.get((stream, key)):
            self.former[stream, key] = former | values
        self.fills += [Fill(stream, key, number, line, name) for name in filled]
        return "filled" if filled else "duplicates"

    def _is_again(self, stream: str, key: Key, row: Row) -> bool:
        """True when the line equals the one refused last, or the row without its newest acceptance."""
        refused = [one.given for one in self.refused.values() if one.row == (stream, key)]
        former = self.former.get((stream, key))
        values = compared_by(stream, row)
        return any(compared_by(stream, one) == values for one in (*refused[-1:], *([former] if former else [])))

    def _replay(self, event: Replay) -> None:
        file = self.files[event.file]
        # The tests move the start of a file that they replay, which the program never does.
        parsed = self.versions(event.version)
        rows = dict(parsed.rows)
        for line in event.lines:
            file.counts["rejected"] -= 1
            file.resolved[line] = None
            # A KeyError here means that the program has resolved a line that is still refused.
            self._merge(event.file, line, rows[line], parsed.settings.now)

    # Acceptances

    def with_lines(self, event: Accept) -> Accept:
        """The event with the lines that it accepts in this model."""
        choice, lines = event.choice, set()
        # A choice without a file, run or key skips lines that are older than an accepted line of the same key.
        newest = {
            one.row: at for at, one in enumerate(self.refused.values()) if one.acceptance is not None
            and (choice.file, choice.load, choice.key) == (None, None, None)}
        # The values of the rows after each line.
        rows: dict[tuple[str, Key], Row] = {}
        for at, one in enumerate(self.refused.values()):
            is_chosen = (
                one.file in event.files and choice.stream in (None, one.stream)
                and choice.key in (None, one.natural_key) and choice.field in (None, *one.kept))
            if not is_chosen or one.acceptance is not None or at < newest.get(one.row, 0):
                continue
            row = rows.get(one.row) or self.rows[one.stream].get(one.key)
            if row is not None and not is_of_another(row, one.given):
                lines.add(one.place)
                rows[one.row] = row | one.given
        return replace(event, lines=frozenset(lines))

    def _accept(self, event: Accept) -> None:
        assert event.lines is not None
        accepted: list[Refused] = []
        for place, one in self.refused.items():
            row = self.rows[one.stream].get(one.key)
            if place not in event.lines or one.acceptance is not None or row is None:
                continue
            if all(one.row != other.row for other in accepted):
                self.former[one.row] = row
            before = {name: row[name] for name, value in one.given.items() if row[name] != value}
            self.refused[place] = replace(one, acceptance=event.number, before=before)
            self.rows[one.stream][one.key] = row | one.given
            accepted.append(self.refused[place])
        self.acceptances[event.number] = (
            len(accepted), len({one.row for one in accepted}), sum(len(one.before) for one in accepted))

    # Erasures

    def with_rows(self, event: Erase) -> Erase:
        """The event with the rows and the refused lines that it takes from this model."""
        gone = self._taken(event)
        payments = {key[0] for stream, key in gone if stream == "receipt"}
        lines = {
            place for place, one in self.refused.items()
            if self._is_line_of(one, event) or _is_record_of(event, one, gone)}
        # A refused event goes with the receipt that it carries: a row, or itself a refused line.
        lines |= {
            place for place, one in self.refused.items() if one.stream == "event"
            and (one.given.get("payment_seq") in payments or ("receipt", one.file, one.line) in lines)}
        return replace(event, taken=frozenset(
            (stream, key, int(str(row["file"]))) for (stream, key), row in gone.items()), lines=frozenset(lines),
            folded=self._folded(lines, gone))

    def _is_line_of(self, line: Refused, event: Erase) -> bool:
        """True when the line belongs to the user, even if it contradicts another user's row."""
        # The id of a row that has gone since.
        if line.kept.get("user_id") == event.user and event.app is None:
            return True
        row = self.rows[line.stream].get(line.key, {})
        return event.is_of(line.given | {"app_id": line.given.get("app_id") or row.get("app_id") or event.app})

    def _taken(self, event: Erase) -> dict[tuple[str, Key], Row]:
        payments = {key[0] for key, row in self.rows["receipt"].items() if event.is_of(row)}
        # An undo of the acceptance would bring the payment back.
        replaced = {
            one.key for one in self.refused.values()
            if one.stream == "event" and one.before.get("payment_seq") in payments}
        return {
            (stream, key): row for stream, rows in self.rows.items() for key, row in rows.items()
            if event.is_of(row) or (stream, key, row["file"]) in event.taken
            or (stream == "event" and (row["payment_seq"] in payments or key in replaced))}

    def _erase(self, event: Erase) -> None:
        gone = self._taken(event)
        assert event.lines is not None
        refused = [
            one for place, one in self.refused.items() if _is_record_of(event, one, gone) or place in event.lines]
        fills = [one for one in self.fills if _is_record_of(event, one, gone)]
        for one in refused:
            del self.refused[one.place]
        self._fold(event.folded)
        lines = [("inserted", stream, int(str(row["file"]))) for (stream, _), row in gone.items()]
        lines += [("conflict", one.stream, one.file) for one in refused]
        lines += [("filled", stream, number) for stream, number, _ in {one.place for one in fills}]
        for outcome, stream, number in lines:
            # Receipts within events are no lines of their file.
            if self.files[number].parsed.stream == stream:
                self.files[number].erased[outcome] += 1
        self._delete(gone)
        self.fills = [one for one in self.fills if one not in fills]
        for file in self.files.values():
            for line, reject in list(file.rejects.items()):
                owner = owners_of_reject(file.parsed, reject).owner
                if owner and owner.is_of(event.user, event.app):
                    del file.rejects[line]
                    if line not in file.resolved:
                        file.erased["rejected"] += 1
                else:
                    file.rejects[line] = as_after_erasure(file.parsed, reject)
        self._empty(Emptied(frozenset()))
        self.erased.add((event.user, event.app))

    def _delete(self, rows: Collection[tuple[str, Key]]) -> None:
        for stream, key in rows:
            del self.rows[stream][key]
            self.former.pop((stream, key), None)

    def _empty(self, event: Emptied) -> None:
        for key, row in self.rows["item"].items():
            if not any(start <= int(str(row["observed_at"])) < end for start, end in event.left):
                self.rows["item"][key] = row | {"extra": None}

    def _drop(self, event: DropMonth) -> None:
        """Deletes the rows of a month with their fills and accepted values; the ledger and the refused lines stay.

        The refused lines become open again, because the rows with the accepted values are gone.
        """
        self._delete([(event.stream, key) for key in self.rows[event.stream] if event.has(event.stream, key)])
        self.fills = [one for one in self.fills if not event.has(*one.row)]
        self._reopen(event.has)

    def with_accepted(self, event: DropMonth) -> DropMonth:
        """The event with the accepted lines of the rows that it drops from this model."""
        return replace(event, lines=frozenset(
            place for place, one in self.refused.items() if one.acceptance is not None and event.has(*one.row)))

    def _reopen(self, is_in: Callable[[str, Key], bool]) -> None:
        """Opens the accepted lines of some rows again."""
        self.refused |= {
            place: replace(one, acceptance=None, before={}) for place, one in self.refused.items() if is_in(*one.row)}

    # Old details

    def with_removed(self, event: Prune) -> Prune:
        """The event with the lines that it removes from this model."""
        rejects = set()
        for number in event.files & self.files.keys():
            file = self.files[number]
            # By the newest one an undo finds that the file depends on others.
            newest = [line for line in file.resolved if line in file.rejects][-1:]
            rejects |= {(number, line) for line in file.rejects if line not in newest}
        # `conflicts accept` compares all lines of a key.
        kept = {one.row for one in self.refused.values() if not (
            one.file in event.files and one.acceptance in event.acceptances)}
        lines = {place for place, one in self.refused.items() if one.row not in kept}
        return replace(
            event, rejects=frozenset(rejects), lines=frozenset(lines), folded=self._folded(lines, ()))

    def _prune(self, event: Prune) -> None:
        assert event.rejects is not None and event.lines is not None
        for number, line in event.rejects:
            if number in self.files and (reject := self.files[number].rejects.pop(line, None)):
                self.files[number].pruned[reject.code, reject.field] += 1
        for place in event.lines:
            self.refused.pop(place, None)
        self._fold(event.folded)

    def _folded(self, lines: Collection[Line], gone: Collection[tuple[str, Key]]) -> Folded:
        """The values of the rows that stay, of which an accepted line is among those that are to be removed."""
        accepted = [one for one in self.refused.values() if one.acceptance is not None]
        rows: dict[tuple[str, Key], list[Refused]] = {
            one.row: [] for one in accepted if one.place in lines and one.row not in gone}
        for one in accepted:
            rows.get(one.row, []).append(one)
        return tuple(
            (stream, key, {name: self.rows[stream][key][name] for one in accepted for name in one.given},
             frozenset(one.place for one in accepted))
            for (stream, key), accepted in rows.items())

    def _fold(self, folded: Folded) -> None:
        for stream, key, values, _ in folded:
            row = (stream, key)
            if key in self.rows[stream]:
                self.rows[stream][key] = self.rows[stream][key] | values
            self.former.pop(row, None)
            self.fills = [one for one in self.fills if one.row != row or one.field not in values]
            self._reopen(lambda *one: one == row)

    def reject_totals(self) -> list[str]:
        """The refused lines of loaded files, also of those that a prune has removed."""
        totals: Counter[tuple[str, str, str | None]] = Counter()
        for file in self.files.values():
            for cause, count in (Counter((one.code, one.field) for one in file.rejects.values()) + file.pruned).items():
                totals[file.parsed.stream, *cause] += count
        return sorted(printed(*cause, count) for cause, count in totals.items())

    # The form for comparing

    def state(self) -> dict[str, list[str]]:
        """The rows that the database must hold, printed and sorted, by table."""
        files = [(file.parsed.sha256, file) for file in self.files.values()]

        def place(one: Record) -> tuple[str, int]:
            return self.files[one.file].parsed.sha256, one.line

        tables: dict[str, Iterable[tuple[object, ...]]] = {
            stream: [shown_row(stream, row) for row in rows.values()] for stream, rows in self.rows.items()}
        tables |= {
            "file": (
                (file.parsed.stream, digest, file.parsed.byte_count, file.parsed.line_count, *file.outcomes())
                for digest, file in files),
            "file_app": (
                (digest, app, min(times, default=None), max(times, default=None))
                for digest, file in files for app, times in file.times.items()),
            "embedded_count": (
                (digest, "receipt", *(file.embedded[outcome] for outcome in OUTCOMES[:4]))
                for digest, file in files if file.embedded),
            "reject": (
                (digest, file.parsed.stream, line, one.offset, one.code, one.field, sha256(one.raw),
                 line in file.resolved)
                for digest, file in files for line, one in file.rejects.items()),
            "unknown_field": (
                (digest, name, *places) for digest, file in files for name, places in file.unknown.items()),
            "erased_line": ((digest, *count) for digest, file in files for count in file.erased.items()),
            "conflict": (
                (one.stream, one.natural_key, name, conflict_text(name, kept), conflict_text(name, one.given[name]),
                 *place(one), one.acceptance is not None)
                for one in self.refused.values() for name, kept in one.kept.items()),
            "refused_row": (
                (one.stream, one.natural_key, *place(one), in_json({
                    name: value_text(name, value) for name, value in one.given.items() if value is not None}))
                for one in self.refused.values()),
            "fill": ((one.stream, one.natural_key, one.field, *place(one)) for one in self.fills),
            "accepted_value": (
                (one.stream, one.natural_key, name, _in_json(name, before), _in_json(name, one.given[name]),
                 one.acceptance, *place(one)) for one in self.refused.values() for name, before in one.before.items()),
            "acceptance": (
                (number, *counts, number in self.undone_acceptances) for number, counts in self.acceptances.items()),
        }
        return {name: sorted(printed(*row) for row in rows) for name, rows in tables.items()}


def as_after_erasure(parsed: ParsedFile, reject: Reject) -> Reject:
    return reject if keeps_bytes(parsed, reject) else replace(reject, raw=b"")


def _is_record_of(event: Erase, record: Record, gone: Collection[tuple[str, Key]]) -> bool:
    """True when the record is of a row that the erasure takes, or of a row that would be the user's."""
    return record.row in gone or event.is_of(dict(zip(KEYS[record.stream], record.key)))


def _in_json(name: str, value: object) -> str | None:
    return None if value is None else in_json(value_text(name, value))
