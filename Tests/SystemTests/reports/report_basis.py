"""The terms that all views share, computed once from the facts: paid, first paid, observed, horizon, complete.

Every figure is found by a plain search over all rows. That is slow and meant to be: this is the judge of the rollups.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property

from report_calendar import DAY, HOUR, PERIODS, Calendar, rounded
from report_chains import Chain, periods_of
from report_days import open_days
from report_facts import (
    PLAYER_STREAMS, STREAMS, Facts, Row, User, by_user, greatest, grouped, least, part, user_of, users, where)

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


# By column: its figure of some rows, in each view of a table that has this column.
Figures = dict[str, Callable[[list[Row]], object]]


def add_sum(figures: Figures, name: str, grain: str, columns: str, rows: Callable[[Basis], Iterable[Row]]) -> None:
    """Registers a view that has figures of the rows with equal values in its grain."""
    VIEWS[name] = (grain, lambda basis: [
        key | {column: figures[column](some) for column in columns.split()}
        for key, some in grouped(rows(basis), grain)])


class Basis:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.settings: dict[str, str] = {row["name"]: row["value"] for row in facts["setting"]}
        self.base = self.settings.get("base-currency")
        self.minor_unit: dict[str, int] = {row["currency"]: row["minor_unit"] for row in facts["currency"]}
        self.calendar = Calendar(self.settings.get("time-zone", "UTC"))
        self.day = self.calendar.day
        # By stream, the stored rows, with the day and the hour of their own time.
        self.rows = {stream: [row | self._dated(row["at"]) for row in facts[stream]] for stream in STREAMS}
        # All receipts in the order of time; of one instant by the bytes of payment_seq.
        self.receipts = sorted(map(self._valued, self.rows["receipt"]),
                               key=lambda row: (row["at"], row["payment_seq"].encode()))
        self.rows |= {"receipt": self.receipts, "item": [*map(self.priced, self.rows["item"])]}
        self.production = [row for row in self.receipts if row["is_sandbox"] is not True]
        self.paid = where(self.receipts, is_paid=True)
        self.first_paid = {user: rows[0] for user, rows in by_user(self.paid).items()}
        # Stream, first instant and end of each month that retention has dropped.
        self.dropped = [(row["stream"], *Calendar("UTC").bounds("month", row["month"]))
                        for row in facts["dropped_month"]]

    def _dated(self, at: int | None) -> Row:
        return {"day": None, "hour": None} if at is None else {"day": self.day(at), "hour": at // HOUR * HOUR}

    # Money

    def _valued(self, row: Row) -> Row:
        """The receipt with its price in its own and in the base currency, and whether it counts as paid."""
        priced, rate = self.priced(row), self.rate(row["currency"], row["day"])
        amount, is_real = priced["amount"], row["is_sandbox"] is not True and row["is_promotion"] is not True
        return priced | {"base_amount": None if rate is None or amount is None else amount * rate,
                         "is_paid": is_real and amount is not None and amount > 0}

    def major(self, minor: int, currency: str) -> Fraction:
        return Fraction(minor, 10 ** self.minor_unit[currency])

    def priced(self, row: Row) -> Row:
        """The row with its price in the major unit, if it has one."""
        minor = row["amount_minor"]
        return row | {"amount": None if minor is None else self.major(minor, row["currency"])}

    def rate(self, currency: str, day: date) -> Fraction | None:
        """The value of a currency in the base currency: by the rate of the day, or the last one that is not too old."""
        if currency == self.base:
            return Fraction(1)
        rates = {row["valid_on"]: row["rate"] for row in self.facts["exchange_rate"]
                 if row["base_currency"] == self.base and row["currency"] == currency
                 and row["valid_on"] <= day <= row["valid_on"] + timedelta(RATE_DAYS)}
        return rates[max(rates)] if rates else None

    def ratio(self, amount: Fraction, users: int | None, currency: str) -> Fraction | None:
        """The money of each user, with two digits more than the currency has."""
        return rounded(amount / users, self.minor_unit[currency] + 2) if users else None

    def converted(self, rows: list[Row], **per_user: int | None) -> Row:
        """Paid purchases in the base currency: the sum, the number of those without a rate, and ratios by their names.

        The sum is NULL where nothing of it was converted, a ratio where anything was not.
        """
        base, amounts = self.base, [row["base_amount"] for row in rows if row["base_amount"] is not None]
        found = dict.fromkeys(("base_amount", *per_user)) | {
            "base_currency": base, "unconverted_count": len(rows) - len(amounts)}
        if base is not None and (amounts or not rows):
            found["base_amount"] = rounded(sum(amounts, Fraction()), self.minor_unit[base])
        if base is not None and len(amounts) == len(rows):
            found |= {name: self.ratio(sum(amounts, Fraction()), users, base) for name, users in per_user.items()}
        return found

    def is_new(self, row: Row, period: str, start: date) -> bool:
        """True when the first paid purchase of the row's user falls into the period."""
        first = self.first_paid.get(user_of(row))
        return first is not None and self.calendar.period_start(period, first["day"]) == start

    def currencies(self, app: str) -> list[str]:
        """The currencies in which an application was ever paid."""
        return sorted({row["currency"] for row in self.paid if row["app_id"] == app})

    # Subscriptions

    @cached_property
    def subscription_of(self) -> dict[str, Row]:
        """All periods, by payment_seq."""
        return {one["payment_seq"]: one for one in periods_of(self.receipts)}

    @cached_property
    def chains(self) -> list[Chain]:
        """The chains, without overlapped periods."""
        periods = where(self.subscription_of.values(), is_overlapped=False)
        return [chain for _, chain in grouped(periods, "chain_id")]

    # Observations

    def is_observation(self, row: Row) -> bool:
        """True when the row shows that its user was there."""
        if row["stream"] != "receipt":
            return row["at"] is not None
        kind = self.subscription_of.get(row["payment_seq"], {}).get("period_kind")
        return row["is_sandbox"] is not True and kind not in ("renewal", "resubscription", "continued")

    @cached_property
    def observations(self) -> list[Row]:
        return [row for stream in PLAYER_STREAMS for row in self.rows[stream] if self.is_observation(row)]

    @cached_property
    def observed(self) -> dict[User, list[Row]]:
        """The observations of each observed user in order, and the kept ones; of one instant in that of the streams."""
        kept = [row | {"at": row[name]} for row in self.facts["kept_observation"]
                for name in ("first_observed_at", "last_observed_at")]
        return by_user(sorted(
            [*self.observations, *kept], key=lambda row: (row["at"], PLAYER_STREAMS.index(row["stream"]))))

    def first_day(self, user: User) -> date:
        """The day of the first observation of an observed user."""
        return self.day(self.observed[user][0]["at"])

    def timed(self, *streams: str) -> list[Row]:
        """The rows of streams with a time of their own, in its order."""
        return sorted((row for stream in streams for row in self.rows[stream] if row["at"] is not None),
                      key=lambda row: row["at"])

    @cached_property
    def users(self) -> set[User]:
        """Each user of any stored row or kept observation."""
        return users(row for stream in PLAYER_STREAMS for row in self.rows[stream]) | users(
            self.facts["kept_observation"])

    # Horizons
    @cached_property
    def accepted(self) -> list[Row]:
        """Each application and stream of accepted lines: the first and the newest event of the loaded files, if any.

        The ledger tells them, because a known line leaves no row, and one that is later than the start of its run is
        stored but is no event. The model test checks the ledger.
        """
        loaded = [row | part(row["file"], "stream loaded_at undone_at") for row in self.facts["file_app"]]
        return [key | {
            "first_event_at": least("first_event_at", rows), "newest_event_at": greatest("newest_event_at", rows),
            "newest_loaded_at": greatest("loaded_at", rows),
        } for key, rows in grouped(where(loaded, undone_at=None), "app_id stream")]

    @cached_property
    def events(self) -> dict[tuple[str, str], tuple[int, int]]:
        """By application and stream: the first and the newest event."""
        return {(row["app_id"], row["stream"]): (row["first_event_at"], row["newest_event_at"])
                for row in self.accepted if row["first_event_at"] is not None}

    def feed(self, app: str) -> str:
        """The stream whose files tell how far the receipts of an application go."""
        feed = self.settings.get(f"receipt-feed.{app}", self.settings.get("receipt-feed", "auto"))
        if feed == "auto":
            feed = "files" if where(self.accepted, app_id=app, stream="receipt") else "events"
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
        return {(key["app_id"], key["stream"]): min(row["day"] for row in rows)
                for key, rows in grouped(open_days(self), "app_id stream")}

    def is_behind_receipts(self, app: str, instant: int) -> bool:
        """True when the horizon of the receipts has come to the instant."""
        horizon = self.horizon(app, ["receipt"])
        return horizon is not None and instant <= horizon

    def is_dropped(self, start: int, end: int, streams: Collection[str]) -> bool:
        """True when retention has dropped a month of the streams that the span touches."""
        return any(stream in streams and start < month_end and month_start < end
                   for stream, month_start, month_end in self.dropped)

    def is_mature(self, app: str, start: date, streams: Collection[str], period: str = "day") -> bool:
        """True when the trusted horizon has come to the end of a day or another period, of which no row is dropped."""
        horizon, (first, end) = self.horizon(app, streams, is_trusted=True), self.calendar.bounds(period, start)
        return horizon is not None and end <= horizon and not self.is_dropped(first, end, streams)

    def is_complete(self, app: str, period: str, start: date, streams: Collection[str] = ("receipt",)) -> bool:
        return (self.is_mature(app, start, streams, period) and self.calendar.start(start) >= min(
            first_event for first_event, _ in self.times(app, streams).values()))

    # Periods

    @cached_property
    def apps(self) -> list[str]:
        """The applications with an accepted line or a stored row."""
        return sorted({row["app_id"] for row in self.accepted} | {app for app, _ in self.users})

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
