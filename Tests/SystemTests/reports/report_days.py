"""The days that are judged: gaps in the calendar, days without a line, days whose figures are implausible."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from statistics import median
from typing import TYPE_CHECKING

from report_facts import Row

if TYPE_CHECKING:
    from report_basis import Basis

Feed = tuple[str, str]  # application, stream
WEEKS = 8
DAYS = 14
# Lines of these are judged only by a setting of their own.
RARE = ("event", "item")


def setting(basis: Basis, name: str, stream: str, general: int | None) -> int | None:
    """The setting of a stream, else that for all, else its default; of rare streams without it only their own."""
    settings = basis.facts.settings
    if f"{name}.{stream}" in settings:
        return int(settings[f"{name}.{stream}"])
    return None if general is None else int(settings.get(name, general))


def newest_of_any(basis: Basis, app: str) -> int | None:
    """The newest event of an application in any of the five streams."""
    return max((newest for (other, _), (_, newest) in basis.events.items() if other == app), default=None)


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
        is_dropped = {day: basis.is_dropped(*basis.calendar.bounds("day", day), [stream])
                      for day in {one for day in days for one in (day, *weeks_before(day))}}
        for day in days:
            before = [Fraction(counts[one]) for one in weeks_before(day)
                      if one >= basis.day(first) and not is_dropped[one]]
            usual = median(before) if before else None
            is_over = day < basis.day(end) and not is_dropped[day]
            yield {
                "stream": stream, "app_id": app, "day": day, "line_count": counts[day], "median_line_count": usual,
                "is_missing": None if is_dropped[day] else counts[day] == 0,
                "is_unusual": None if usual is None or not is_over else not usual / 2 <= counts[day] <= 2 * usual}


def is_pending(basis: Basis) -> bool:
    """True when the reports do not have all changes."""
    ledger = basis.facts.ledger
    return bool(ledger["change"]) or any(is_unrefreshed(basis, row) for row in ledger["file"])


def is_unrefreshed(basis: Basis, file: Row) -> bool:
    """True when no refresh has seen the file."""
    refreshed = {row["stream"]: row["source_file_id"] for row in basis.facts.ledger["refreshed"]}
    return bool(file["source_file_id"] > refreshed[file["stream"]])


def open_days(basis: Basis) -> list[Row]:
    """The open days: judged anew where the reports have all changes, else as they are kept."""
    kept = basis.facts.ledger["open_day"]
    if is_pending(basis):
        return kept
    dismissed = {(row["stream"], row["path"]) for row in basis.facts.ledger["dismissal"]
                 if row["kind"] in ("implausible", "incomplete")}
    known = {(row["app_id"], row["stream"], row["day"], row["kind"]) for row in kept}
    found: dict[tuple[str, str, date], str] = {}
    for feed in basis.events:
        was_open = {day for *one, day, kind in known if (*one, kind) == (*feed, "implausible")}
        ended = {date.fromisoformat(path[-10:]) for stream, path in dismissed
                 if stream == feed[1] and path[:-11] == "/".join(feed)}
        found |= {(*feed, day): "implausible" for day in _implausible(basis, feed, was_open, ended)}
    for row in gaps(basis):
        app, stream, day = key = row["app_id"], row["stream"], row["day"]
        distance = (basis.day(basis.events[app, stream][1]) - day).days
        least = setting(basis, "min-daily-lines", stream, 10) or 0
        if (row["is_missing"] and distance >= 1 and (distance <= DAYS or (*key, "incomplete") in known)
                and row["median_line_count"] is not None and row["median_line_count"] >= least
                and (stream, f"{app}/{stream}/{day}") not in dismissed):
            found.setdefault(key, "incomplete")
    return [{"app_id": app, "stream": stream, "day": day, "kind": kind} for (app, stream, day), kind in found.items()]


def _ripe(basis: Basis, feed: Feed) -> set[date]:
    """The days that have come: by the horizon, by the day of most rows of a file, by an empty file."""
    app, stream = feed
    calendar, newest = basis.calendar, basis.events[feed][1]
    days = {basis.day(newest) - timedelta(n) for n in range(28)}
    ripe = {day for day in days if calendar.end(day) <= newest}
    by_file: dict[int, list[Row]] = defaultdict(list)
    for row in _rows_of(basis, feed):
        # Not the receipts within events.
        if row["file"]["stream"] == stream:
            by_file[row["source_file_id"]].append(row)
    for rows in by_file.values():
        counts = Counter(row["day"] for row in rows)
        day = max(counts, key=lambda one: (counts[one], one))
        if rows[0]["file"]["loaded_at"] >= calendar.end(day):
            ripe.add(day)
    ripe |= {file["asked_on"] for file in basis.facts.ledger["file"] if file["undone_at"] is None
             and (file["app_id"], file["stream"]) == feed and file["asked_on"] is not None}
    now = basis.facts.ledger["now"][0]["now"]
    return {day for day in ripe if calendar.end(day) <= now and day > basis.day(newest) - timedelta(28)
            and not calendar.is_skipped(day)}


# A figure of a day, and the number of lines that it is made of.
Figure = tuple[float, float]


def _implausible(basis: Basis, feed: Feed, was_open: set[date], dismissed: set[date]) -> set[date]:
    app, stream = feed
    ripe = _ripe(basis, feed)
    newest = max(ripe, default=date.min)
    newest_event = basis.day(basis.events[feed][1])
    judged = {day for day in ripe if (newest - day).days < DAYS} | {day for day in was_open if day <= newest_event}
    # By currency, and without one for the lines.
    figures: dict[str, dict[date, Figure]] = {"": {day: (count, count) for day, count in lines_of(basis, feed).items()}}
    for row in basis.paid if basis.feed(app) == stream else ():
        if row["app_id"] == app:
            of_currency = figures.setdefault(row["currency"], {})
            amount, count = of_currency.get(row["day"], (0, 0))
            of_currency[row["day"]] = float(amount + row["amount_minor"]), count + 1
    found: set[date] = set()

    def known(currency: str, day: date) -> Figure | None:
        if currency and day in dismissed and day not in figures[currency]:
            return 0, 0
        return None if day in found else figures[currency].get(day)

    def usual(currency: str, day: date) -> Figure | None:
        values = [one for one in (known(currency, one) for one in weeks_before(day)) if one is not None]
        if len(values) < 3:
            return None
        middle = median(amount for amount, _ in values)
        return (middle, median(weight for _, weight in values)) if middle > 0 else None

    for at, currency in ((at, currency) for at in sorted(judged - dismissed) for currency in figures):
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


def first_open(basis: Basis) -> dict[Feed, date]:
    """By application and stream: the first open day."""
    found: dict[Feed, date] = {}
    for row in open_days(basis):
        key = row["app_id"], row["stream"]
        found[key] = min(row["day"], found.get(key, row["day"]))
    return found
