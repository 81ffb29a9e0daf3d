"""The months of a run's times, and the names of their partitions."""

from __future__ import annotations

import re
from datetime import datetime, timezone

from streams import TABLES
from values import DAY, OracleError

# The streams with monthly partitions.
MONTHLY = ("level_up", "game_user", "item", "event")
# The times of a run are in this many months before the present one.
MONTHS = 4


def month_starts(now: int, count: int = MONTHS) -> tuple[int, ...]:
    """The beginnings of the months before the present one, oldest first, in epoch milliseconds."""
    today = datetime.fromtimestamp(now / 1000, timezone.utc)
    number = today.year * 12 + today.month - 1
    return tuple(_start(month // 12, month % 12 + 1) for month in range(number - count, number))


def _start(year: int, month: int) -> int:
    return int(datetime(year, month, 1, tzinfo=timezone.utc).timestamp() * 1000)


def months_before(months: tuple[int, ...], now: int, keep: int) -> list[tuple[int, int]]:
    """The months that `retention --keep` must drop, each with the beginning of the next month."""
    starts = [*months, month_starts(now + 40 * DAY)[-1]]
    return [(start, end) for start, end in zip(starts, starts[1:]) if len(months) - starts.index(start) >= keep]


def table_of(stream: str, start: int) -> str:
    return TABLES[stream] + datetime.fromtimestamp(start / 1000, timezone.utc).strftime("_%Y_%m")


def month_of(table: str) -> tuple[str, int]:
    """The stream of a partition and the beginning of its month."""
    found = re.fullmatch(r"(.*)_(\d{4})_(\d\d)", table)
    if not found:
        raise OracleError(f"{table} is not a monthly partition")
    return next(name for name in MONTHLY if TABLES[name] == found[1]), _start(int(found[2]), int(found[3]))
