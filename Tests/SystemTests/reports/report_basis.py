"""The terms that all views share, computed once from the facts: paid, first paid, observed, horizon, complete.

Every figure is found by a plain search over all rows. That is slow and meant to be: this is the judge of the rollups.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property

from report_calendar import DAY, PERIODS, rounded
from report_chains import chains_of
from report_days import first_open
from report_facts import PLAYER_STREAMS, Facts, Kept, Row, User, kept_of, user_of

# A rate serves for this many days.
RATE_DAYS = 7
# A stream this much behind the newest counts as stopped.
STOPPED = 8 * DAY


# By view: the columns of its grain, and its recomputation.
VIEWS: dict[str, tuple[str, Callable[[Basis], list[Row]]]] = {}


def view(grain: str) -> Callable[[Callable[[Basis], Iterable[Row]]], Callable[[Basis], Iterable[Row]]]:
    """Registers the recomputation of the view of the same name."""

    def add(made: Callable[[Basis], Iterable[Row]]) -> Callable[[Basis], Iterable[Row]]:
        VIEWS[made.__name__] = (grain, lambda basis: list(made(basis)))
        return made

    return add


def is_paid(row: Row) -> bool:
    return row["is_sandbox"] is not True and row["is_promotion"] is not True and (row["amount_minor"] or 0) > 0


class Basis:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.calendar = facts.calendar
        self.day = facts.calendar.day

    # Money

    def major(self, minor: int, currency: str) -> Fraction:
        return Fraction(minor, 10 ** self.facts.minor_unit[currency])

    def priced(self, row: Row) -> Row:
        """The row with its price in the major unit, if it has one."""
        minor = row["amount_minor"]
        return row | {"amount": None if minor is None else self.major(minor, row["currency"])}

    def ratio(self, amount: Fraction, users: int | None, currency: str) -> Fraction | None:
        """The money of each user, with two digits more than the currency has."""
        return rounded(amount / users, self.facts.minor_unit[currency] + 2) if users else None

    def base_amount(self, row: Row) -> Fraction | None:
        """The price of a receipt in the base currency, by the rate of its day or the last one that is not too old."""
        base, day = self.facts.base_currency, row["day"]
        rates = [(day, Fraction(1))] if row["currency"] == base else self.facts.rates.get(row["currency"], [])
        valid = [rate for since, rate in rates if since <= day <= since + timedelta(RATE_DAYS)]
        if base is None or not valid or row["amount_minor"] is None:
            return None
        return self.major(row["amount_minor"], row["currency"]) * valid[-1]

    def converted(self, rows: list[Row], **per_user: int | None) -> Row:
        """Paid purchases in the base currency: the sum, the number of those without a rate, and ratios by their names.

        The sum is NULL where nothing of it was converted, a ratio where anything was not.
        """
        base = self.facts.base_currency
        amounts = [self.base_amount(row) for row in rows]
        amount, unconverted = sum((one for one in amounts if one is not None), Fraction()), amounts.count(None)
        is_known = base is not None and (not rows or unconverted < len(rows))
        return {
            "base_currency": base, "unconverted_count": unconverted,
            "base_amount": rounded(amount, self.facts.minor_unit[base]) if base is not None and is_known else None,
            **{name: self.ratio(amount, users, base) if base is not None and not unconverted else None
               for name, users in per_user.items()}}

    @cached_property
    def receipts(self) -> list[Row]:
        """All receipts in the order of time; of one instant by the bytes of payment_seq."""
        return sorted((row | {"is_paid": is_paid(row)} for row in self.facts.rows["receipt"]),
                      key=lambda row: (row["at"], row["payment_seq"].encode()))

    @cached_property
    def production(self) -> list[Row]:
        return [row for row in self.receipts if row["is_sandbox"] is not True]

    @cached_property
    def paid(self) -> list[Row]:
        return paid_of(self.production)

    @cached_property
    def first_paid(self) -> dict[User, Row]:
        return {user_of(row): row for row in reversed(self.paid)}

    def is_new(self, row: Row, period: str, start: date) -> bool:
        """True when the first paid purchase of the row's user falls into the period."""
        first = self.first_paid.get(user_of(row))
        return first is not None and self.calendar.period_start(period, first["day"]) == start

    def currencies(self, app: str) -> list[str]:
        """The currencies in which an application was ever paid."""
        return sorted({row["currency"] for row in self.paid if row["app_id"] == app})

    # Subscriptions

    @cached_property
    def chains(self) -> list[list[Row]]:
        return chains_of(self.receipts)

    @cached_property
    def subscriptions(self) -> list[Row]:
        """The periods of all chains."""
        return [one for chain in self.chains for one in chain]

    @cached_property
    def subscription_of(self) -> dict[str, Row]:
        """The subscription periods by payment_seq."""
        return {one["payment_seq"]: one for one in self.subscriptions}

    # Observations

    def is_observation(self, row: Row) -> bool:
        """True when the row shows that its user was there."""
        if row["stream"] != "receipt":
            return row["at"] is not None
        kind = self.subscription_of.get(row["payment_seq"], {}).get("period_kind")
        return row["is_sandbox"] is not True and kind not in ("renewal", "resubscription", "continued")

    @cached_property
    def observations(self) -> list[Row]:
        return [row for stream in PLAYER_STREAMS for row in self.facts.rows[stream] if self.is_observation(row)]

    def timed(self, *streams: str) -> list[Row]:
        """The rows of streams with a time of their own, in its order."""
        return sorted((row for stream in streams for row in self.facts.rows[stream] if row["at"] is not None),
                      key=lambda row: row["at"])

    @cached_property
    def observed(self) -> dict[User, Kept]:
        """The first and last observation of each observed user: the rows' and the kept ones."""
        observed = ((user_of(row), Kept(row["at"], row["stream"], row["at"])) for row in self.observations)
        return kept_of([*self.facts.kept.items(), *observed])

    def first_day(self, user: User) -> date | None:
        """The day of a user's first observation."""
        return self.day(self.observed[user].first_at) if user in self.observed else None

    @cached_property
    def users(self) -> set[User]:
        """Each user of any stored row or kept observation."""
        return users(row for stream in PLAYER_STREAMS for row in self.facts.rows[stream]) | set(self.facts.kept)

    # Horizons

    @cached_property
    def accepted(self) -> dict[tuple[str, str], list[Row]]:
        """By application and stream of accepted lines: what the ledger says of each file that is loaded."""
        found = defaultdict(list)
        for row in self.facts.ledger["file_app"]:
            if row["file"]["undone_at"] is None:
                found[row["app_id"], row["file"]["stream"]].append(row)
        return dict(found)

    @cached_property
    def events(self) -> dict[tuple[str, str], tuple[int, int]]:
        """By application and stream: the first and the newest event of the loaded files.

        The ledger tells them, because a known line leaves no row, and one that is later than the start of its run is
        stored but is no event. The model test checks the ledger.
        """
        dated = {key: [row for row in rows if row["first_event_at"] is not None] for key, rows in self.accepted.items()}
        return {key: (min(row["first_event_at"] for row in rows), max(row["newest_event_at"] for row in rows))
                for key, rows in dated.items() if rows}

    def feed(self, app: str) -> str:
        """The stream whose files tell how far the receipts of an application go."""
        settings = self.facts.settings
        feed = settings.get(f"receipt-feed.{app}", settings.get("receipt-feed", "auto"))
        if feed == "auto":
            feed = "files" if (app, "receipt") in self.accepted else "events"
        return "receipt" if feed == "files" else "event"

    def times(self, app: str, streams: Collection[str]) -> dict[str, tuple[int, int]]:
        """The first and newest event of each stream, with the followed feed in the place of receipt."""
        followed = {self.feed(app) if stream == "receipt" else stream for stream in streams}
        return {stream: self.events[app, stream] for stream in followed if (app, stream) in self.events}

    def horizon(self, app: str, streams: Collection[str], is_trusted: bool = False) -> int | None:
        """The smallest newest event of the streams that have not stopped; None without an event.

        A trusted one counts no stream beyond the beginning of its first open day.
        """
        newest = {stream: at for stream, (_, at) in self.times(app, streams).items()}
        running = {stream: at for stream, at in newest.items() if at >= max(newest.values()) - STOPPED}
        opened = {stream: self.calendar.start(self.first_open[app, stream]) for stream in running
                  if is_trusted and (app, stream) in self.first_open}
        return min([*running.values(), *opened.values()], default=None)

    @cached_property
    def first_open(self) -> dict[tuple[str, str], date]:
        """By application and stream: the first day that is implausible or has no line, and that nobody dismissed."""
        return first_open(self)

    def is_behind_receipts(self, app: str, instant: int) -> bool:
        """True when the horizon of the receipts has come to the instant."""
        horizon = self.horizon(app, ["receipt"])
        return horizon is not None and instant <= horizon

    def is_dropped(self, start: int, end: int, streams: Collection[str]) -> bool:
        """True when retention has dropped a month of the streams that the span touches."""
        return any(stream in streams and start < month_end and month_start < end
                   for stream, month_start, month_end in self.facts.dropped)

    def is_mature(self, app: str, day: date, streams: Collection[str]) -> bool:
        return self._is_reached(app, self.calendar.start(day), self.calendar.end(day), streams)

    def is_complete(self, app: str, period: str, start: date, streams: Collection[str] = ("receipt",)) -> bool:
        first, end = self.calendar.bounds(period, start)
        return (self._is_reached(app, first, end, streams)
                and first >= min(first_event for first_event, _ in self.times(app, streams).values()))

    def _is_reached(self, app: str, first: int, end: int, streams: Collection[str]) -> bool:
        horizon = self.horizon(app, streams, is_trusted=True)
        return horizon is not None and end <= horizon and not self.is_dropped(first, end, streams)

    # Periods

    @cached_property
    def apps(self) -> list[str]:
        """The applications with an accepted line or a stored row."""
        return sorted({app for app, _ in {*self.accepted, *self.users}})

    def spine(self, app: str, period: str, streams: Collection[str] = ("receipt",)) -> Iterator[date]:
        """The periods that an event of the streams reaches, or a stored receipt; or an observation, of all streams."""
        rows = self.observations if "level_up" in streams else self.receipts
        instants = [at for times in self.times(app, streams).values() for at in times]
        instants += [row["at"] for row in rows if row["app_id"] == app]
        return self.calendar.spine(period, min(instants), max(instants)) if instants else iter(())

    def periods(self, streams: Collection[str]) -> Iterator[Row]:
        """The periods of the spine of each application."""
        return ({"period": period, "period_start": start, "app_id": app,
                 "is_complete": self.is_complete(app, period, start, streams)}
                for app in self.apps for period in PERIODS for start in self.spine(app, period, streams))

    def in_period(self, rows: Iterable[Row], key: Row) -> list[Row]:
        """The rows of the application in a period."""
        return [row for row in rows if row["app_id"] == key["app_id"] and row["day"] is not None
                and self.calendar.period_start(key["period"], row["day"]) == key["period_start"]]

    def observed_in(self, key: Row) -> int | None:
        """The observed users of a period; None where retention dropped rows of it."""
        if self.is_dropped(*self.calendar.bounds(key["period"], key["period_start"]), PLAYER_STREAMS):
            return None
        return len(users(self.in_period(self.observations, key)))


# Rows

def paid_of(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row["is_paid"]]


def total(rows: Iterable[Row]) -> int:
    return sum(row["amount_minor"] or 0 for row in rows)


def amounts(basis: Basis, rows: Iterable[Row], currency: str) -> Row:
    minor = total(rows)
    return {"amount_minor": minor, "amount": basis.major(minor, currency)}


def users(rows: Iterable[Row]) -> set[User]:
    return {user_of(row) for row in rows}


def count(rows: Iterable[Row], **values: object) -> int:
    """The number of rows with these values."""
    return sum(all(row[name] == value for name, value in values.items()) for row in rows)


def part(row: Row, columns: str) -> Row:
    return {name: row[name] for name in columns.split()}


def grouped(rows: Iterable[Row], columns: str) -> Iterator[tuple[Row, list[Row]]]:
    """The rows with equal values in these columns, with the values by column."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(part(row, columns).items())].append(row)
    return ((dict(key), some) for key, some in groups.items())


def versions(rows: list[Row], columns: str) -> list[Row]:
    """The changes of these columns in rows in the order of time, with the times from and to which each is valid."""
    found: list[Row] = []
    for row in rows:
        state = part(row, columns)
        if found and state.items() <= found[-1].items():
            continue
        if found:
            found[-1]["valid_to"] = row["at"]
        found.append(state | {"valid_from": row["at"], "valid_to": None})
    return found


def newest(rows: list[Row]) -> Row:
    """The snapshot that counts now: the newest with a time of its own, else the one of the newest load."""
    return max(rows, key=lambda row: (
        (True, row["observed_at"]) if row["at"] is not None else (False, row["source_file_id"])))
