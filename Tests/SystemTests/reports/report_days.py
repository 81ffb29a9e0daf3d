"""The days that are judged: gaps in the calendar, days without a line, days whose figures are implausible."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

from report_calendar import percentile
from report_facts import Row

if TYPE_CHECKING:
    from report_basis import Basis

Feed = tuple[str, str]  # application, stream
WEEKS = 8
DAYS = 14
HALF = Fraction(1, 2)
# Lines of these are judged only by a setting of their own.
RARE = ("event", "item")


def setting(basis: Basis, name: str, stream: str, general: int | None) -> int | None:
    """The setting of a stream, else that for all, else its default; of rare streams without it only their own."""
    settings = {row["name"]: row["value"] for row in basis.facts.ledger["setting"]}
    if f"{name}.{stream}" in settings:
        return int(settings[f"{name}.{stream}"])
    return None if general is None else int(settings.get(name, general))


def newest_of_any(basis: Basis, app: str) -> int | None:
    """The newest event of an application in any of the five streams."""
    return max((newest for (other, _), (_, newest) in basis.events.items() if other == app), default=None)


def lines_of(basis: Basis, feed: Feed) -> Counter[date]:
    """The rows of each day; of receipts none after the newest event of the receipt files."""
    app, stream = feed
    newest = basis.events[feed][1]
    return Counter(basis.day(row["at"]) for row in basis.facts.rows[stream]
                   if row["app_id"] == app and row["at"] is not None and (stream != "receipt" or row["at"] <= newest))


def gaps(basis: Basis) -> list[Row]:
    """The rows of calendar_gap."""
    found = []
    for (app, stream), (first, newest) in basis.events.items():
        counts = lines_of(basis, (app, stream))
        end = newest_of_any(basis, app)
        for day in basis.calendar.spine("day", first, end):
            if basis.calendar.is_skipped(day):
                continue
            before = [day - timedelta(7 * week) for week in range(1, WEEKS + 1)]
            median = percentile(
                [Fraction(counts[one]) for one in before
                 if one >= basis.day(first) and not basis.is_day_dropped(one, stream)], HALF)
            is_dropped = basis.is_day_dropped(day, stream)
            is_over = day < basis.day(end) and not is_dropped
            found.append({
                "stream": stream, "app_id": app, "day": day, "line_count": counts[day],
                "median_line_count": median, "is_missing": None if is_dropped else counts[day] == 0,
                "is_unusual": None if median is None or not is_over
                    else counts[day] < median / 2 or counts[day] > 2 * median})
    return found


def is_pending(basis: Basis) -> bool:
    """True when the reports do not have all changes."""
    ledger = basis.facts.ledger
    refreshed = {row["stream"]: row["source_file_id"] for row in ledger["refreshed"]}
    return bool(ledger["change"]) or any(row["source_file_id"] > refreshed[row["stream"]] for row in ledger["file"])


def open_days(basis: Basis) -> list[Row]:
    """The open days: judged anew where the reports have all changes, else as they are kept."""
    kept = [row | {"day": date.fromisoformat(row["day"])} for row in basis.facts.ledger["open_day"]]
    if is_pending(basis):
        return kept
    dismissed = {(row["stream"], row["path"]) for row in basis.facts.ledger["dismissal"]
                 if row["kind"] in ("implausible", "incomplete")}
    found: dict[tuple[str, str, date], str] = {}
    for feed in basis.events:
        was_open = {row["day"] for row in kept if (row["app_id"], row["stream"]) == feed and row["kind"] == "implausible"}
        ended = {date.fromisoformat(path[-10:]) for stream, path in dismissed
                 if stream == feed[1] and path[:-11] == "/".join(feed)}
        for day in _implausible(basis, feed, was_open, ended):
            found[*feed, day] = "implausible"
    was_missing = {(row["app_id"], row["stream"], row["day"]) for row in kept if row["kind"] == "incomplete"}
    for row in gaps(basis):
        key = row["app_id"], row["stream"], row["day"]
        distance = (basis.day(basis.events[key[:2]][1]) - row["day"]).days
        least = setting(basis, "min-daily-lines", row["stream"], 10)
        if (row["is_missing"] and distance >= 1 and (distance <= DAYS or key in was_missing)
                and row["median_line_count"] is not None and row["median_line_count"] >= (least or 0)
                and (row["stream"], f"{row['app_id']}/{row['stream']}/{row['day']}") not in dismissed):
            found.setdefault(key, "incomplete")
    return [{"app_id": app, "stream": stream, "day": day, "kind": kind} for (app, stream, day), kind in found.items()]


def _ripe(basis: Basis, feed: Feed) -> set[date]:
    """The days that have come: by the horizon, by the day of most rows of a file, by an empty file."""
    app, stream = feed
    newest = basis.events[feed][1]
    now = basis.facts.ledger["now"][0]["now"]
    files = {row["source_file_id"]: row for row in basis.facts.ledger["file"]
             if row["undone_at"] is None and row["stream"] == stream}
    by_file: dict[int, Counter[date]] = defaultdict(Counter)
    for row in basis.facts.rows[stream]:
        if row["app_id"] == app and row["source_file_id"] in files and row["at"] is not None:
            by_file[row["source_file_id"]][basis.day(row["at"])] += 1
    ripe = {basis.day(newest) - timedelta(n) for n in range(28)}
    ripe = {day for day in ripe if basis.calendar.end(day) <= newest}
    for number, counts in by_file.items():
        day = max(counts, key=lambda one: (counts[one], one))
        if files[number]["loaded_at"] >= basis.calendar.end(day):
            ripe.add(day)
    for file in files.values():
        if file["asked_on"] is not None and file["app_id"] == app:
            ripe.add(date.fromisoformat(file["asked_on"]))
    oldest = basis.day(newest) - timedelta(28)
    return {day for day in ripe if basis.calendar.end(day) <= now and day > oldest and not basis.calendar.is_skipped(day)}


def _implausible(basis: Basis, feed: Feed, was_open: set[date], dismissed: set[date]) -> set[date]:
    app, stream = feed
    ripe = _ripe(basis, feed)
    newest = max(ripe, default=None)
    newest_event = basis.day(basis.events[feed][1])
    judged = {day for day in ripe if newest is not None and day > newest - timedelta(DAYS)} | {
        day for day in was_open if day <= newest_event}
    figures = {"": {day: (float(count), float(count)) for day, count in lines_of(basis, feed).items()}}
    if basis.feed(app) == stream:
        for row in basis.paid:
            if row["app_id"] == app:
                of_currency = figures.setdefault(row["currency"], {})
                amount, count = of_currency.get(row["day"], (0.0, 0.0))
                of_currency[row["day"]] = amount + row["amount_minor"], count + 1
    found: set[date] = set()

    def known(currency: str, day: date) -> tuple[float, float] | None:
        if currency and day in dismissed and day not in figures[currency]:
            return 0.0, 0.0
        return None if day in found else figures[currency].get(day)

    def usual(currency: str, day: date) -> tuple[float, float] | None:
        before = [known(currency, day - timedelta(7 * week)) for week in range(1, WEEKS + 1)]
        values = [one for one in before if one is not None]
        if len(values) < 3:
            return None
        median, weight = (percentile([one[place] for one in values], HALF) for place in (0, 1))
        return (median, weight) if median > 0 else None

    for at in sorted(judged - dismissed):
        for currency in figures:
            least = setting(basis, "min-usual-lines", stream, None if stream in RARE and not currency else 50)
            compared = usual(currency, at)
            figure = figures[currency].get(at)
            if figure is None and (at == newest or at > newest_event or currency and at in figures[""]):
                figure = 0.0, 0.0
            if figure is None or compared is None or least is None or compared[1] < least:
                continue
            levels = []
            for n in range(1, DAYS + 1):
                day = at - timedelta(n)
                value, then = known(currency, day), usual(currency, day)
                if value is not None and then is not None:
                    levels.append(value[0] / then[0])
            factor = 10 if currency else 1.5
            level = figure[0] / compared[0]
            if len(levels) >= 7 and (level < min(levels) / factor or level > max(levels) * factor):
                found.add(at)
    return found


def first_open(basis: Basis) -> dict[Feed, date]:
    """By application and stream: the first open day."""
    found: dict[Feed, date] = {}
    for row in open_days(basis):
        key = row["app_id"], row["stream"]
        found[key] = min(row["day"], found.get(key, row["day"]))
    return found
