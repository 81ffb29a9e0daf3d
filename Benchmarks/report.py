"""Makes tables of the results, and writes them and the plot into docs/performance.md."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import generated_part
from results import Results

MAIN = "scripts/bench --report"
GROWTH = "scripts/bench --growth --report"
SMALL = "scripts/bench --small --report"
SIZES = "scripts/bench --sizes --report"
TITLES = {
    "receipt": "Receipts", "level_up": "Level-ups", "game_user": "Game users", "item": "Shop items",
    "event": "Events, a tenth of them with a receipt",
    "two": "Two files of different streams",
    "peer": "Receipts, by other means"}


@dataclass(frozen=True)
class Goal:
    """A goal: a result and its bound."""

    what: str
    bound: str
    value: float | None
    kept: bool
    text: str

    def row(self) -> str:
        return f"| {self.what} | {self.bound} | {self.text} | {'yes' if self.kept else '**no**'} |"


def everything(results: Results) -> str:
    parts = [
        main_part(results), growth_part(results), small_part(results), sizes_part(results)]
    return "\n\n".join(part for part in parts if part)


def main_part(results: Results) -> str:
    if all(sample.way.startswith(("growth/", "small/", "sizes/")) for sample in results.samples):
        return ""
    parts = [facts(results), goals_table(goals(results))]
    parts += [table(results, group) for group in TITLES]
    parts += [f"Not measured: {reason}." for reason in results.skipped]
    return "\n\n".join(part for part in parts if part)


def facts(results: Results) -> str:
    known = results.facts
    lines = [f"`{results.command}`, {results.rounds} rounds, {known.get('minutes', '?')} minutes", ""]
    for name in ("data", "machine", "PostgreSQL", "settings", "gamebase-ingest", "Swift", "Python",
                 "peers"):
        if name in known:
            lines.append(f"- {name}: {known[name]}")
    return "\n".join(lines)


def limit_of(group: str) -> str:
    return {"peer": "receipt/limit", "two": "two/copy-1"}.get(group, f"{group}/limit")


def table(results: Results, group: str) -> str:
    """All ways of a group, in the order in which they were first measured."""
    names = [name for name in results.labels if name.startswith(f"{group}/")]
    if group == "peer":
        names = sorted(names, key=lambda name: results.ratio(name, limit_of(group)) or 0)
        names = ["receipt/limit", "receipt/fresh", *names] if names else []
    if not names:
        return ""
    against = {"two": "two COPY, one after the other"}.get(group, "limit")
    noop = " repeat is a no-op |" if group == "peer" else ""
    rows = [f"**{TITLES[group]}**", "",
            f"| way | seconds: median (least - most) | × {against} |{noop} peak MiB |",
            f"| --- | --- | ---: |{' --- |' if noop else ''} ---: |"]
    for name in names:
        summary, ratio = results.summary(name), results.ratio(name, limit_of(group))
        if summary is None or ratio is None:
            continue
        repeat = f" {results.repeats.get(name, '–')} |" if noop else ""
        rows.append(
            f"| {results.labels[name]} | {summary.seconds} | {ratio:.2f} |{repeat} "
            f"{summary.peak_mib} |")
    return "\n".join(rows)


def goals(results: Results) -> list[Goal]:
    """The project's goals, as far as they were measured."""
    found: list[Goal] = []

    def add(what: str, value: float | None, bound: float, text: Callable[[float], str],
            at_least: bool = False) -> None:
        if value is not None:
            kept = value >= bound if at_least else value <= bound
            sign = "≥" if at_least else "≤"
            found.append(Goal(what, f"{sign} {text(bound)}", value, kept, text(value)))

    def times(value: float) -> str:
        return f"{value:.2f} ×"

    for stream, bound in (
            ("receipt", 1.3), ("level_up", 1.5), ("game_user", 1.5), ("item", 1.5), ("event", 1.5)):
        limit, noun = f"{stream}/limit", TITLES[stream].lower()
        add(f"{noun}, against the limit", results.ratio(f"{stream}/fresh", limit), bound, times)
        add(f"{noun}, the same file again", results.ratio(f"{stream}/again", limit), 0.2, times)
        add(f"{noun}, the same rows in other bytes",
            results.ratio(f"{stream}/other-bytes", limit), 1.3, times)
        add(f"{noun}, 1 % refused, against none refused",
            results.ratio(f"{stream}/rejects", f"{stream}/fresh"), 1.05, times)
    peaks = [summary.peak_mib for name in results.labels
             if not name.startswith("peer/") and not name.endswith(("/limit", "/copy-1", "/copy-2"))
             and (summary := results.summary(name))]
    add("memory of the loader at its peak", max(peaks, default=None), 128,
        lambda value: f"{value:.0f} MiB")
    ours, copies = results.saving("two/jobs-2", "two/jobs-1"), results.saving("two/copy-2", "two/copy-1")
    if ours is not None and copies is not None:
        add(f"two files at once save {ours:.0%} of the time, two COPY {copies:.0%}: quotient",
            ours / copies if copies > 0 else float(ours >= 0), 0.8, lambda value: f"{value:.2f}",
            at_least=True)
        add("two files at once, against one after the other",
            results.ratio("two/jobs-2", "two/jobs-1"), 1.0, times)
    return found


def goals_table(found: list[Goal]) -> str:
    if not found:
        return ""
    return "\n".join(["| goal | bound | measured | kept |", "| --- | ---: | ---: | --- |",
                      *(goal.row() for goal in found)])


def growth_part(results: Results) -> str:
    first, later = results.summary("growth/first"), results.summary("growth/next")
    ratio = results.ratio("growth/next", "growth/first")
    if not first or not later or ratio is None:
        return ""
    what = f"{results.lines:,} level-ups"
    return "\n".join([
        f"`{results.command}`: PostgreSQL {results.facts['PostgreSQL']}, "
        f"{results.facts['settings']}; {results.facts['machine']}", "",
        f"| {what} | seconds: median (least - most) | × the first | measured | peak MiB |",
        "| --- | --- | ---: | ---: | ---: |",
        f"| into an empty table | {first.seconds} | 1.00 | {first.count} times | {first.peak_mib} |",
        f"| later ones, into a table of {results.grown_rows:,} | {later.seconds} | {ratio:.2f} | "
        f"{later.count} times | {later.peak_mib} |", "",
        f"Bound: 1.20 ×; kept: {'yes' if ratio <= 1.2 else '**no**'}."])


def conditions(results: Results) -> str:
    return (f"`{results.command}`: {results.facts['gamebase-ingest']}; PostgreSQL "
            f"{results.facts['PostgreSQL']}, {results.facts['settings']}; {results.facts['machine']}")


def small_part(results: Results) -> str:
    commits, fresh = results.summary("small/commits"), results.summary("small/fresh")
    again, read = results.summary("small/again"), results.summary("small/read")
    if not (commits and fresh and again and read):
        return ""
    count = results.small_files
    rows = [conditions(results), "",
            f"| {count:,} files of ten receipts | seconds: median (least - most) | × the commits | "
            "ms a file |", "| --- | --- | ---: | ---: |"]
    for name in ("small/commits", "small/fresh", "small/again", "small/read"):
        if summary := results.summary(name):
            rows.append(
                f"| {results.labels[name]} | {summary.seconds} | "
                f"{summary.median / commits.median:.2f} | {1000 * summary.median / count:.3f} |")
    again_bound = max(3 * count / 10_000, read.median + 0.0002 * count)
    return "\n".join([*rows, "", "\n".join(_bounds([
        ("new files, against the commits", f"{fresh.median / commits.median:.2f} ×", "2 ×",
         fresh.median <= 2 * commits.median),
        ("the same files again", f"{again.median:.2f} s", f"{again_bound:.2f} s",
         again.median <= again_bound),
        ("round trips of a new file", f"{results.statements_a_file:.2f}", "4",
         results.statements_a_file <= 4)]))])


def sizes_part(results: Results) -> str:
    names = [name for name in results.labels if name.startswith("sizes/") and name.endswith("/fresh")]
    if not names:
        return ""
    ratios = {}
    for name in names:
        _, stream, lines, _ = name.split("/")
        ratios[stream, int(lines)] = results.paired_ratio(name, name.replace("/fresh", "/limit"))
    largest = max(lines for _, lines in ratios)
    rows = [conditions(results), "",
            "| lines | stream | limit: median (least - most) | gamebase-ingest | × limit: median of pairs | "
            f"more than at {largest:,} |", "| ---: | --- | --- | --- | ---: | ---: |"]
    kept = True
    for (stream, lines), ratio in sorted(ratios.items(), key=lambda item: item[0][::-1]):
        way = f"sizes/{stream}/{lines}"
        limit, fresh = results.summary(f"{way}/limit"), results.summary(f"{way}/fresh")
        most = ratios[stream, largest]
        if not limit or not fresh or ratio is None or most is None:
            continue
        kept = kept and ratio - most <= 0.15
        rows.append(f"| {lines:,} | {stream} | {limit.seconds} | {fresh.seconds} | {ratio:.2f} | "
                    f"{ratio - most:+.2f} |")
    return "\n".join([*rows, "", f"Bound: +0.15; kept: {'yes' if kept else '**no**'}."])


def _bounds(found: list[tuple[str, str, str, bool]]) -> list[str]:
    return ["| goal | measured | bound | kept |", "| --- | ---: | ---: | --- |", *(
        f"| {what} | {value} | ≤ {bound} | {'yes' if kept else '**no**'} |"
        for what, value, bound, kept in found)]


def write(path: Path, results: Results, kept: Path, python: Path) -> None:
    """Writes each measured part, and the plot beside the document."""
    growth = growth_part(results)
    if growth:
        generated_part.replace(path, GROWTH, growth)
    for maker, part in ((SMALL, small_part(results)), (SIZES, sizes_part(results))):
        if part:
            generated_part.replace(path, maker, part)
    main = main_part(results)
    if not main:
        return
    plot = path.with_suffix(".svg")
    here = Path(__file__).parent
    if python.exists():
        subprocess.run(
            [str(python), str(here / "plot.py"), str(kept), str(plot)], check=True,
            stdin=subprocess.DEVNULL)
        main = f"![× limit of each way]({plot.name})\n\n{main}"
    generated_part.replace(path, MAIN, main)
