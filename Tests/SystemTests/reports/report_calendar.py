"""Days, weeks and months of the reporting zone, and the rounding of the reports. Instants are microseconds."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction
from zoneinfo import ZoneInfo

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
# The kinds of periods, with a number of days that leads from the start of each into the next one.
PERIODS = {"day": 1, "week": 7, "month": 32}
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def utc(instant: int) -> datetime:
    return EPOCH + timedelta(microseconds=instant)


def instant_of(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


class Calendar:
    """The days of one zone."""

    def __init__(self, zone: str) -> None:
        self.zone = ZoneInfo(zone)
        self.day = functools.lru_cache(maxsize=None)(self._day)
        self.start = functools.lru_cache(maxsize=None)(self._start)

    def _day(self, instant: int) -> date:
        return utc(instant).astimezone(self.zone).date()

    def _start(self, day: date) -> int:
        """The first instant of a day, also where midnight does not exist or exists twice."""
        found = instant_of(datetime(day.year, day.month, day.day, tzinfo=self.zone))
        while self._day(found - 15 * MINUTE) >= day:
            found -= 15 * MINUTE
        return found

    def end(self, day: date) -> int:
        return self.start(day + timedelta(1))

    def is_skipped(self, day: date) -> bool:
        """True for a day that the zone left out, such as Samoa's 2011-12-30."""
        return self.start(day) == self.end(day)

    def period_start(self, period: str, day: date) -> date:
        """The first day of the period of a day."""
        if period == "week":
            return day - timedelta(day.weekday())
        return day.replace(day=1) if period == "month" else day

    def next_period(self, period: str, start: date) -> date:
        return self.period_start(period, start + timedelta(PERIODS[period]))

    def bounds(self, period: str, start: date) -> tuple[int, int]:
        """The first instant of a period and its end."""
        return self.start(start), self.start(self.next_period(period, start))

    def spine(self, period: str, first: int, newest: int) -> Iterator[date]:
        """The starts of all periods from that of one instant to that of another."""
        start = self.period_start(period, self.day(first))
        while start <= self.day(newest):
            yield start
            start = self.next_period(period, start)


def rounded(value: Fraction, digits: int) -> Fraction:
    """Rounds half up to a number of decimal digits; the value is not negative."""
    scale = 10 ** digits
    return Fraction((value * scale + Fraction(1, 2)).__floor__(), scale)


def rate(part: int | Fraction, whole: int | Fraction) -> Fraction | None:
    return rounded(Fraction(part) / whole, 6) if whole else None
