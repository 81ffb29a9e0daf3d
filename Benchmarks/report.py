"""Makes the tables of docs/performance.md from the results."""

from __future__ import annotations

from results import Results

STREAMS = {"receipt": "receipts", "level_up": "level-ups", "game_user": "game users", "item": "items", "event": "events"}
# The loads of each stream: name, label, and the way by whose time their time is divided.
LOADS = (
    ("fresh", "new lines", "limit"),
    ("again", "the same file again", "limit"),
    ("other-bytes", "the same rows in other bytes", "limit"),
    ("mostly-known", "99 % known, 1 % new", "limit"),
    ("gzip", "gzip", "limit"),
    ("zstd", "Zstandard", "limit"),
    ("rejects", "1 % refused, × new lines", "fresh"))
# What the loads may take at most, and the memory of any in MiB.
BOUNDS = {"fresh": 1.5, "again": 0.2, "other-bytes": 1.3, "rejects": 1.05}
RECEIPT_BOUND = 1.3
PEAK_BOUND = 128


def everything(results: Results) -> str:
    parts = [
        main_part(results), growth_part(results), small_part(results), sizes_part(results)]
    return "\n\n".join(part for part in parts if part)


def main_part(results: Results) -> str:
    if all(sample.way.startswith(("growth/", "small/", "sizes/")) for sample in results.samples):
        return ""
    parts = [facts(results), loads_table(results), two_files(results), peers_table(results)]
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


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def judged(value: float | None, bound: float | None, text: str) -> str:
    """A cell: bold where the value is above its bound."""
    return "–" if value is None else f"**{text}**" if bound and value > bound else text


def loads_table(results: Results) -> str:
    """The loads of each stream as multiples of the limit."""
    streams = [stream for stream in STREAMS if results.summary(f"{stream}/limit")]
    if not streams:
        return ""
    limits = [results.summary(f"{stream}/limit") for stream in streams]
    rows = [row("× limit", "at most", *(STREAMS[stream] for stream in streams)),
            row("---", "---", *["---:"] * len(streams)),
            row("limit, seconds", "", *(f"{limit.median:.2f}" if limit else "–" for limit in limits))]
    for name, label, other in LOADS:
        bound = BOUNDS.get(name)
        text = f"{bound:.2f}" if bound else ""
        cells = []
        for stream in streams:
            ratio = results.ratio(f"{stream}/{name}", f"{stream}/{other}")
            most = RECEIPT_BOUND if (name, stream) == ("fresh", "receipt") else bound
            cells.append(judged(ratio, most, f"{ratio or 0:.2f}"))
        if name == "fresh":
            text += f"; receipts {RECEIPT_BOUND:.2f}"
        if set(cells) != {"–"}:
            rows.append(row(label, text, *cells))
    peaks = [max((summary.peak_mib for name, _, _ in LOADS if (summary := results.summary(f"{stream}/{name}"))), default=0)
             for stream in streams]
    rows.append(row("memory, MiB", str(PEAK_BOUND), *(judged(peak, PEAK_BOUND, str(peak)) for peak in peaks)))
    return "\n".join(rows)


def two_files(results: Results) -> str:
    """Two files at once, and two COPY at once, against one after the other."""
    ours, copies = results.ratio("two/jobs-2", "two/jobs-1"), results.ratio("two/copy-2", "two/copy-1")
    if ours is None or copies is None:
        return ""
    quotient = (1 - ours) / (1 - copies) if copies < 1 else float(ours <= 1)
    return (f"Two files at once take {ours:.2f} × the time of one after the other (at most 1.00), two COPY {copies:.2f} ×: "
            f"{quotient:.2f} of the saving (at least 0.80: {'kept' if quotient >= 0.8 else '**missed**'}).")


def peers_table(results: Results) -> str:
    """All ways to load receipts, the fastest first."""
    names = sorted((name for name in results.labels if name.startswith("peer/")),
                   key=lambda name: results.ratio(name, "receipt/limit") or 0)
    rows = [row("receipts, by other means", "seconds", "× limit", "repeat is a no-op", "peak MiB"),
            row("---", "---:", "---:", "---", "---:")]
    for name in ("receipt/limit", "receipt/fresh", *names):
        summary, ratio = results.summary(name), results.ratio(name, "receipt/limit")
        if summary and ratio is not None:
            rows.append(row(results.labels[name], f"{summary.median:.2f}", f"{ratio:.2f}", results.repeats.get(name, "–"),
                            str(summary.peak_mib)))
    return "\n".join(rows) if names else ""


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
