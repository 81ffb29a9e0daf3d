"""The days that are judged: gaps in the calendar, days without a line, days whose figures are implausible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from statistics import median
from typing import TYPE_CHECKING

from report_facts import Row, grouped, part, where

if TYPE_CHECKING:
    from report_basis import Basis

Feed = tuple[str, str]  # application, stream
WEEKS = 8
DAYS = 14
# Lines of these are judged only by a setting of their own.
RARE = ("event", "item")


def setting(basis: Basis, name: str, stream: str, general: int | None) -> int | None:
    """The setting of a stream, else that for all, else its default; of rare streams without it only their own."""
    own = basis.settings.get(f"{name}.{stream}")
    if own is None:
        return None if general is None else int(basis.settings.get(name, general))
    return int(own)


def newest_of_any(basis: Basis, app: str) -> int:
    """The newest event of an application in any of the five streams."""
    return max(newest for (other, _), (_, newest) in basis.events.items() if other == app)


def _rows_of(basis: Basis, feed: Feed) -> list[Row]:
    return [row for row in basis.timed(feed[1]) if row["app_id"] == feed[0]]


def lines_of(basis: Basis, feed: Feed) -> Counter[date]:
    """The rows of each day; of receipts none after the newest event of the receipt files."""
    return Counter(row["day"] for row in _rows_of(basis, feed)
                   if row["stream"] != "receipt" or row["at"] <= basis.events[feed][1])


def weeks_before(day: date) -> list[date]:
    return [day - timedelta(7 * week) for week in range(1, WEEKS + 1)]


def gaps(basis: Basis) -> Iterator[Row]:
    """The rows of calendar_gap."""
    for (app, stream), (first, _) in basis.events.items():
        counts = lines_of(basis, (app, stream))
        end = newest_of_any(basis, app)
        days = [day for day in basis.calendar.spine("day", first, end) if not basis.calendar.is_skipped(day)]
        dropped = {one for day in days for one in (day, *weeks_before(day))
                   if basis.is_dropped(*basis.calendar.bounds("day", one), [stream])}
        for day in days:
            before = [Fraction(counts[one]) for one in weeks_before(day)
                      if one >= basis.day(first) and one not in dropped]
            usual = median(before) if before else None
            is_over = day < basis.day(end) and day not in dropped
            yield {
                "stream": stream, "app_id": app, "day": day, "line_count": counts[day], "median_line_count": usual,
                "is_missing": None if day in dropped else counts[day] == 0,
                "is_unusual": None if usual is None or not is_over else not usual / 2 <= counts[day] <= 2 * usual}


def is_pending(basis: Basis) -> bool:
    """True when the reports do not have all changes."""
    return bool(basis.facts["change"]) or any(is_unrefreshed(basis, row) for row in basis.facts["source_file"])


def is_unrefreshed(basis: Basis, file: Row) -> bool:
    """True when no refresh has seen the file."""
    refreshed = {row["stream"]: row["source_file_id"] for row in basis.facts["refresh_state"]}
    return bool(file["source_file_id"] > refreshed[file["stream"]])


def path_of(row: Row) -> str:
    """The path that an open day has among the failures."""
    return f"{row['app_id']}/{row['stream']}/{row['day']}"


def open_days(basis: Basis) -> list[Row]:
    """The open days: judged anew where the reports have all changes, else as they are kept."""
    kept = basis.facts["open_day"]
    if is_pending(basis):
        return kept
    dismissed = {row["path"] for row in basis.facts["failure_dismissal"]
                 if row["kind"] in ("implausible", "incomplete")}
    known = {(path_of(row), row["kind"]) for row in kept}
    found: dict[str, Row] = {}
    for app, stream in basis.events:
        was_open = {row["day"] for row in where(kept, app_id=app, stream=stream, kind="implausible")}
        for day in _implausible(basis, (app, stream), was_open, dismissed):
            one = {"app_id": app, "stream": stream, "day": day, "kind": "implausible"}
            found[path_of(one)] = one
    for row in gaps(basis):
        path = path_of(row)
        distance = (basis.day(basis.events[row["app_id"], row["stream"]][1]) - row["day"]).days
        is_looked_at = distance >= 1 and (distance <= DAYS or (path, "incomplete") in known)
        least = setting(basis, "min-daily-lines", row["stream"], 10) or 0
        if (row["is_missing"] and is_looked_at and path not in dismissed
                and row["median_line_count"] is not None and row["median_line_count"] >= least):
            found.setdefault(path, part(row, "app_id stream day") | {"kind": "incomplete"})
    return list(found.values())


def _ripe(basis: Basis, feed: Feed) -> set[date]:
    """The days that have come: by the horizon, by the day of most rows of a file, by an empty file."""
    app, stream = feed
    calendar, newest = basis.calendar, basis.events[feed][1]
    days = [basis.day(newest) - timedelta(n) for n in range(28)]
    ripe = {day for day in days if calendar.end(day) <= newest}
    # Not the receipts within events.
    own = [row for row in _rows_of(basis, feed) if row["file"]["stream"] == stream]
    for _, rows in grouped(own, "source_file_id"):
        counts = Counter(row["day"] for row in rows)
        day = max(counts, key=lambda one: (counts[one], one))
        if rows[0]["file"]["loaded_at"] >= calendar.end(day):
            ripe.add(day)
    ripe |= {file["asked_on"] for file in where(basis.facts["source_file"], app_id=app, stream=stream, undone_at=None)
             if file["asked_on"] is not None}
    now = basis.facts["now"][0]["now"]
    return {day for day in ripe if calendar.end(day) <= now and day >= days[-1] and not calendar.is_skipped(day)}


# A figure of a day, and the number of lines that it is made of.
Figure = tuple[float, float]


def _implausible(basis: Basis, feed: Feed, was_open: set[date], dismissed: set[str]) -> set[date]:
    app, stream = feed
    ripe = _ripe(basis, feed)
    newest = max(ripe, default=date.min)
    newest_event = basis.day(basis.events[feed][1])
    judged = {day for day in ripe if (newest - day).days < DAYS} | {day for day in was_open if day <= newest_event}
    # By currency, and without one for the lines.
    figures: dict[str, dict[date, Figure]] = {"": {day: (lines, lines) for day, lines in lines_of(basis, feed).items()}}
    paid = where(basis.paid, app_id=app) if basis.feed(app) == stream else []
    for key, rows in grouped(paid, "currency day"):
        amount = float(sum(row["amount_minor"] for row in rows))
        figures.setdefault(key["currency"], {})[key["day"]] = amount, len(rows)
    found: set[date] = set()

    def is_dismissed(day: date) -> bool:
        return path_of({"app_id": app, "stream": stream, "day": day}) in dismissed

    def known(currency: str, day: date) -> Figure | None:
        if currency and is_dismissed(day) and day not in figures[currency]:
            return 0, 0
        return None if day in found else figures[currency].get(day)

    def usual(currency: str, day: date) -> Figure | None:
        values = [one for one in (known(currency, one) for one in weeks_before(day)) if one is not None]
        if len(values) < 3:
            return None
        middle = median(amount for amount, _ in values)
        return (middle, median(weight for _, weight in values)) if middle > 0 else None

    for at, currency in ((at, currency) for at in sorted(judged) if not is_dismissed(at) for currency in figures):
        least = setting(basis, "min-usual-lines", stream, None if stream in RARE and not currency else 50)
        compared = usual(currency, at)
        figure = figures[currency].get(at)
        if figure is None and (at == newest or at > newest_event or currency and at in figures[""]):
            figure = 0, 0
        if figure is None or compared is None or least is None or compared[1] < least:
            continue
        before = [(known(currency, day), usual(currency, day)) for day in (at - timedelta(n + 1) for n in range(DAYS))]
        levels = [value[0] / then[0] for value, then in before if value is not None and then is not None]
        factor = 10 if currency else 1.5
        level = figure[0] / compared[0]
        if len(levels) >= 7 and not min(levels) / factor <= level <= max(levels) * factor:
            found.add(at)
    return found
