"""The terms that all views share, computed once from the facts: paid, first paid, observed, horizon, complete.

Every figure is found by a plain search over all rows. That is slow and meant to be: this is the judge of the rollups.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property

from report_calendar import DAY, Calendar, rounded
from report_days import first_open
from report_facts import PLAYER_STREAMS, Facts, Kept, Row, User, kept_of, user_of
from report_chains import Chain, Period, chains_of

# The horizon of a feed without an event.
BEFORE_ALL = -10 ** 18
# A rate serves for this many days.
RATE_DAYS = 7
# A stream this much behind the newest counts as stopped.
STOPPED = 8 * DAY


# By view: the columns of its grain, and its recomputation.
VIEWS: dict[str, tuple[str, Callable[[Basis], list[Row]]]] = {}


def view(grain: str) -> Callable[[Callable[[Basis], list[Row]]], Callable[[Basis], list[Row]]]:
    """Registers the recomputation of the view of the same name."""

    def add(made: Callable[[Basis], list[Row]]) -> Callable[[Basis], list[Row]]:
        VIEWS[made.__name__] = (grain, made)
        return made

    return add


def is_paid(row: Row) -> bool:
    return (row["is_sandbox"] is not True and row["is_promotion"] is not True
            and row["amount_minor"] is not None and row["amount_minor"] > 0)


class Basis:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.calendar = Calendar(facts.zone)
        self.day = self.calendar.day

    # Money

    def major(self, minor: int, currency: str) -> Fraction:
        return Fraction(minor, 10 ** self.facts.minor_unit[currency])

    def digits(self, currency: str) -> int:
        """The decimal digits of a ratio of money."""
        return self.facts.minor_unit[currency] + 2

    def base_amount(self, row: Row) -> Fraction | None:
        """The price of a receipt in the base currency, by the rate of its day or the last one that is not too old."""
        base, day = self.facts.base_currency, row["day"]
        rates = [(day, Fraction(1))] if row["currency"] == base else self.facts.rates.get(row["currency"], [])
        valid = [rate for since, rate in rates if since <= day <= since + timedelta(RATE_DAYS)]
        if base is None or not valid or row["amount_minor"] is None:
            return None
        return self.major(row["amount_minor"], row["currency"]) * valid[-1]

    def in_base_currency(self, rows: list[Row]) -> tuple[Fraction, int]:
        """The sum of the purchases with a rate in the base currency, and the number of the others."""
        amounts = [self.base_amount(row) for row in rows]
        return sum((one for one in amounts if one is not None), Fraction()), amounts.count(None)

    def base_sum(self, rows: list[Row]) -> Fraction | None:
        """The sum of paid purchases as views show it: rounded, and None where nothing of it was converted."""
        base = self.facts.base_currency
        amount, unconverted = self.in_base_currency(rows)
        if base is None or rows and unconverted == len(rows):
            return None
        return rounded(amount, self.facts.minor_unit[base])

    def base_ratio(self, rows: list[Row], users: int | None) -> Fraction | None:
        base = self.facts.base_currency
        amount, unconverted = self.in_base_currency(rows)
        return rounded(amount / users, self.digits(base)) if base and users and not unconverted else None

    @cached_property
    def receipts(self) -> list[Row]:
        """All receipts in the order of time; of one instant by the bytes of payment_seq."""
        return sorted((row | {"day": self.day(row["at"]), "is_paid": is_paid(row)}
                       for row in self.facts.rows["receipt"]),
                      key=lambda row: (row["at"], row["payment_seq"].encode()))

    @cached_property
    def production(self) -> list[Row]:
        return [row for row in self.receipts if row["is_sandbox"] is not True]

    @cached_property
    def paid(self) -> list[Row]:
        return [row for row in self.production if row["is_paid"]]

    @cached_property
    def first_paid(self) -> dict[User, Row]:
        first: dict[User, Row] = {}
        for row in self.paid:
            first.setdefault(user_of(row), row)
        return first

    def is_new(self, row: Row, period: str, start: date) -> bool:
        """True when the first paid purchase of the row's user falls into the period."""
        first = self.first_paid.get(user_of(row))
        return first is not None and self.calendar.period_start(period, first["day"]) == start

    @cached_property
    def currencies(self) -> dict[str, list[str]]:
        """By application: the currencies in which it was ever paid."""
        found = defaultdict(set)
        for row in self.paid:
            found[row["app_id"]].add(row["currency"])
        return {app: sorted(some) for app, some in found.items()}

    # Subscriptions

    @cached_property
    def chains(self) -> list[Chain]:
        return chains_of(self.receipts)

    @cached_property
    def periods(self) -> dict[str, Period]:
        """The subscription periods by payment_seq."""
        return {one.receipt["payment_seq"]: one for chain in self.chains for one in chain.periods}

    # Observations

    def is_observation(self, row: Row) -> bool:
        """True when the row shows that its user was there."""
        if row["stream"] != "receipt":
            return row["at"] is not None
        period = self.periods.get(row["payment_seq"])
        return row["is_sandbox"] is not True and (
            period is None or period.kind not in ("renewal", "resubscription", "continued"))

    @cached_property
    def observations(self) -> list[Row]:
        return [row for stream in PLAYER_STREAMS for row in self.facts.rows[stream] if self.is_observation(row)]

    def timed(self, stream: str) -> list[Row]:
        """The rows of a stream with a time of their own, in its order."""
        return sorted((row for row in self.facts.rows[stream] if row["at"] is not None), key=lambda row: row["at"])

    @cached_property
    def observed(self) -> dict[User, Kept]:
        """The first and last observation of each observed user: the rows' and the kept ones."""
        observed = ((user_of(row), Kept(row["at"], row["stream"], row["at"])) for row in self.observations)
        return kept_of([*self.facts.kept.items(), *observed])

    def first_day(self, user: User) -> date | None:
        """The day of a user's first observation."""
        one = self.observed.get(user)
        return self.day(one.first_at) if one else None

    # Horizons

    @cached_property
    def events(self) -> dict[tuple[str, str], tuple[int, int]]:
        """By application and stream: the first and the newest event of the loaded files.

        The ledger tells them, because a known line leaves no row, and one that is later than the start of its run is
        stored but is no event. The model test checks the ledger.
        """
        return {key: (min(first), max(newest)) for key, (first, newest) in self.accepted.items() if first}

    @cached_property
    def accepted(self) -> dict[tuple[str, str], tuple[list[int], list[int]]]:
        """By application and stream of accepted lines: the times of the events of each file."""
        stream = {row["source_file_id"]: row["stream"] for row in self.facts.ledger["file"] if row["undone_at"] is None}
        found: dict[tuple[str, str], tuple[list[int], list[int]]] = {}
        for row in self.facts.ledger["file_app"]:
            if row["source_file_id"] in stream:
                first, newest = found.setdefault((row["app_id"], stream[row["source_file_id"]]), ([], []))
                if row["first_event_at"] is not None:
                    first.append(row["first_event_at"])
                    newest.append(row["newest_event_at"])
        return found

    def feed(self, app: str) -> str:
        """The stream whose files tell how far the receipts of an application go."""
        set_feed = self.facts.feeds.get(app, self.facts.feeds.get("", "auto"))
        if set_feed == "auto":
            set_feed = "files" if (app, "receipt") in self.accepted else "events"
        return "receipt" if set_feed == "files" else "event"

    def _followed(self, app: str, streams: Iterable[str]) -> set[str]:
        """The streams, with the followed feed in the place of receipt."""
        return {self.feed(app) if stream == "receipt" else stream for stream in streams}

    def times(self, app: str, streams: Iterable[str]) -> list[tuple[int, int]]:
        """The first and newest event of each stream, with the followed feed in the place of receipt."""
        return [self.events[app, stream] for stream in self._followed(app, streams) if (app, stream) in self.events]

    def _newest(self, app: str, streams: Iterable[str]) -> dict[str, int]:
        """The newest event of each stream that has not stopped, with the followed feed in the place of receipt."""
        newest = {stream: self.events[app, stream][1] for stream in self._followed(app, streams)
                  if (app, stream) in self.events}
        return {stream: at for stream, at in newest.items() if at >= max(newest.values()) - STOPPED}

    def horizon(self, app: str, streams: Iterable[str]) -> int | None:
        """The smallest newest event of the streams that have not stopped; None without an event."""
        return min(self._newest(app, streams).values(), default=None)

    @cached_property
    def first_open(self) -> dict[tuple[str, str], date]:
        """By application and stream: the first day that is implausible or has no line, and that nobody dismissed."""
        return first_open(self)

    def trusted_horizon(self, app: str, streams: Iterable[str]) -> int | None:
        """The horizon, where no stream counts beyond the beginning of its first open day."""
        opened = {stream: self.calendar.start(self.first_open[app, stream])
                  for stream in self._followed(app, streams) if (app, stream) in self.first_open}
        return min((min(at, opened.get(stream, at)) for stream, at in self._newest(app, streams).items()), default=None)

    def receipt_horizon(self, app: str) -> int:
        horizon = self.horizon(app, ["receipt"])
        return BEFORE_ALL if horizon is None else horizon

    def is_dropped(self, start: int, end: int, streams: Iterable[str]) -> bool:
        """True when retention has dropped a month of the streams that the span touches."""
        return any(stream in streams and start < month_end and month_start < end
                   for stream, month_start, month_end in self.facts.dropped)

    def is_day_dropped(self, day: date, stream: str) -> bool:
        return self.is_dropped(self.calendar.start(day), self.calendar.end(day), [stream])

    def is_complete(self, app: str, period: str, start: date, streams: Iterable[str] = ("receipt",)) -> bool:
        first = self.calendar.start(start)
        end = self.calendar.start(self.calendar.next_period(period, start))
        return (self._is_reached(app, first, end, streams)
                and first >= min(times[0] for times in self.times(app, streams)))

    def is_mature(self, app: str, day: date, streams: Iterable[str]) -> bool:
        return self._is_reached(app, self.calendar.start(day), self.calendar.end(day), streams)

    def _is_reached(self, app: str, first: int, end: int, streams: Iterable[str]) -> bool:
        horizon = self.trusted_horizon(app, streams)
        return horizon is not None and end <= horizon and not self.is_dropped(first, end, streams)

    @cached_property
    def apps(self) -> list[str]:
        """The applications with an accepted line or a stored row."""
        return sorted({app for app, _ in self.accepted}
                      | {row["app_id"] for stream in PLAYER_STREAMS for row in self.facts.rows[stream]}
                      | {app for app, _ in self.facts.kept})

    def spine(self, app: str, period: str) -> Iterator[date]:
        """The periods of money views: all that the followed feed or a stored receipt reaches."""
        return self._spine(app, period, ["receipt"], [row["at"] for row in self.receipts if row["app_id"] == app])

    def observed_spine(self, app: str, period: str) -> Iterator[date]:
        """The periods that an event of any stream or an observation reaches."""
        return self._spine(app, period, PLAYER_STREAMS, [
            row["at"] for row in self.observations if row["app_id"] == app])

    def _spine(self, app: str, period: str, streams: Iterable[str], more: list[int]) -> Iterator[date]:
        instants = [at for times in self.times(app, streams) for at in times] + more
        return self.calendar.spine(period, min(instants), max(instants)) if instants else iter(())


def total(rows: list[Row]) -> int:
    return sum(row["amount_minor"] or 0 for row in rows)


def amounts(basis: Basis, rows: list[Row], currency: str) -> Row:
    return {"amount_minor": total(rows), "amount": basis.major(total(rows), currency)}


def users(rows: Iterable[Row]) -> set[User]:
    return {user_of(row) for row in rows}


def grouped(rows: Iterable[Row], *columns: str) -> Iterator[tuple[Row, list[Row]]]:
    """The rows with equal values in these columns, with the values by column."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in columns)].append(row)
    return ((dict(zip(columns, key)), some) for key, some in groups.items())


def versions(rows: list[Row], columns: Iterable[str]) -> Iterator[Row]:
    """The changes of these columns in rows in the order of time, with the times from and to which each is valid."""
    found: list[Row] = []
    for row in rows:
        state = {name: row[name] for name in columns}
        if found and state.items() <= found[-1].items():
            continue
        if found:
            found[-1]["valid_to"] = row["at"]
        found.append(state | {"valid_from": row["at"], "valid_to": None})
    return iter(found)


def newest(rows: list[Row]) -> Row:
    """The snapshot that counts now: the newest with a time of its own, else the one of the newest load."""
    return max(rows, key=lambda row: (
        (True, row["observed_at"]) if row["at"] is not None else (False, row["source_file_id"])))
