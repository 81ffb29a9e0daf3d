"""The measurements of loads, and the tables of docs/performance.md."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import statistics
import sys
import time
from pathlib import Path

from data import STREAMS
from server import Measurement

# The loads of each stream: name, label, the way by whose time theirs is divided, and what that may be at most.
LOADS = (
    ("fresh", "new lines", "limit", 1.5),
    ("again", "the same file again", "limit", 0.2),
    ("other-bytes", "the same rows in other bytes", "limit", 1.3),
    ("mostly-known", "99 % known, 1 % new", "limit", None),
    ("gzip", "gzip", "limit", None),
    ("zstd", "Zstandard", "limit", None),
    ("rejects", "1 % refused, × new lines", "fresh", 1.05))
RECEIPT_BOUND = 1.3
# MiB.
PEAK_BOUND = 128


def table(*rows: list[str]) -> str:
    """A table in Markdown, whose first row is its head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "| --- " + "| ---: " * (len(rows[0]) - 1) + "|", *lines[1:]])


def judged(value: float, bound: float | None, text: str) -> str:
    """A cell: bold where the value is above its bound."""
    return f"**{text}**" if bound and value > bound else text


class Results:
    """One run: its command, conditions and measurements; stored as JSON."""

    def __init__(self, choice: argparse.Namespace, facts: dict[str, str]) -> None:
        self.choice, self.facts = choice, facts
        self.started = time.monotonic()
        self.samples: dict[str, list[Measurement]] = {}
        self.labels: dict[str, str] = {}
        # Whether a repeated load is a no-op, by the way's name.
        self.repeats: dict[str, str] = {}
        # The number of small files, and the round trips of a new one.
        self.small_files = 0
        self.trips_of_a_file = 0.0

    def write(self, path: Path) -> None:
        samples = {way: [vars(one) for one in found] for way, found in self.samples.items()}
        path.write_text(json.dumps({"facts": self.facts, "labels": self.labels, "samples": samples}, indent=1))

    def seconds(self, way: str) -> float:
        """The median."""
        return statistics.median(sample.seconds for sample in self.samples[way])

    def peak_mib(self, *ways: str) -> int:
        # Rounded up, so that a bound kept by this number is really kept.
        return -(-max(sample.peak_kib for way in ways for sample in self.samples[way]) // 1024)

    def ratio(self, way: str, other: str) -> float | None:
        """The ratio of the medians."""
        known = way in self.samples and other in self.samples
        return self.seconds(way) / self.seconds(other) if known else None

    def tables(self) -> str:
        parts = [self._facts(), self._loads(), self._two(), self._peers(), self._goals(), self._measurements()]
        return "\n\n".join(part for part in parts if part)

    def _facts(self) -> str:
        minutes = (time.monotonic() - self.started) / 60
        lines = [f"`{command()}`, {self.choice.rounds} rounds, {minutes:.0f} minutes", ""]
        return "\n".join(lines + [f"- {name}: {value}" for name, value in self.facts.items()])

    def _loads(self) -> str:
        """The loads of each stream as multiples of the limit."""
        streams = [stream for stream in STREAMS if f"{stream}/limit" in self.samples]
        if not streams:
            return ""
        rows = [["× limit", "at most", *(STREAMS[stream][1] for stream in streams)],
                ["limit, seconds", "", *(f"{self.seconds(f'{stream}/limit'):.2f}" for stream in streams)]]
        for name, label, other, bound in LOADS:
            text, cells = f"{bound:.2f}" if bound else "", []
            if name == "fresh":
                text += f"; receipts {RECEIPT_BOUND:.2f}"
            for stream in streams:
                ratio = self.ratio(f"{stream}/{name}", f"{stream}/{other}")
                most = RECEIPT_BOUND if (name, stream) == ("fresh", "receipt") else bound
                cells.append("–" if ratio is None else judged(ratio, most, f"{ratio:.2f}"))
            if set(cells) != {"–"}:
                rows.append([label, text, *cells])
        peaks = [self.peak_mib(*(way for way in self.samples if way.startswith(f"{stream}/"))) for stream in streams]
        return table(*rows, ["memory, MiB", str(PEAK_BOUND), *(judged(peak, PEAK_BOUND, str(peak)) for peak in peaks)])

    def _two(self) -> str:
        """Two files at once, and two COPY at once, against one after the other."""
        ours, copies = self.ratio("two/jobs-2", "two/jobs-1"), self.ratio("two/copy-2", "two/copy-1")
        if ours is None or copies is None:
            return ""
        saved = (1 - ours) / (1 - copies) if copies < 1 else float(ours <= 1)
        return (f"Two files at once take {ours:.2f} × the time of one after the other (at most 1.00), two COPY "
                f"{copies:.2f} ×: {saved:.2f} of the saving (at least 0.80: {'kept' if saved >= 0.8 else '**missed**'}).")

    def _peers(self) -> str:
        """All ways to load receipts, the fastest first."""
        peers = sorted((way for way in self.samples if way.startswith("peer/")), key=self.seconds)
        rows = [[self.labels[way], f"{self.seconds(way):.2f}", f"{self.ratio(way, 'receipt/limit'):.2f}",
                 self.repeats.get(way, "–"), str(self.peak_mib(way))]
                for way in ("receipt/limit", "receipt/fresh", *peers) if way in self.samples]
        head = ["receipts, by other means", "seconds", "× limit", "repeat is a no-op", "peak MiB"]
        return table(head, *rows) if peers else ""

    def _goals(self) -> str:
        """The size of tables and files."""
        goals: list[tuple[str, float, str, float, str]] = []
        if ratio := self.ratio("growth/next", "growth/first"):
            goals.append((f"{self.choice.lines:,} level-ups into {self.facts['growth']}, × into an empty one", ratio,
                          "", 1.2, ""))
        if ratio := self.ratio("small/fresh", "small/commits"):
            seconds = self.seconds("small/fresh")
            goals.append((f"{self.labels['small/fresh']}, × as many one-row commits by psql", ratio,
                          f" ({seconds:.2f} s)", 2, ""))
            goals.append(("round trips of a new file of ten lines", self.trips_of_a_file, "", 4, ""))
        if "small/again" in self.samples:
            goals.append((self.labels["small/again"], self.seconds("small/again"), " s", self.small_files * 3e-4, " s"))
        sizes = [way.rpartition("/")[0] for way in self.samples if way.startswith("sizes/") and way.endswith("/fresh")]
        ratios = {way: self.ratio(f"{way}/fresh", f"{way}/limit") or 0 for way in sizes}
        for way in sizes:
            _, stream, lines = way.split("/")
            largest = max(self.choice.sizes)
            more = ratios[way] - ratios[f"sizes/{stream}/{largest}"]
            if int(lines) < largest:
                goals.append((f"× limit of {int(lines):,} {STREAMS[stream][1]}, more than of {largest:,}", more, "", 0.15, ""))
        rows = [[goal, judged(value, most, f"{value:.2f}") + unit, f"{most:.2f}{of}"] for goal, value, unit, most, of in goals]
        return table(["goal", "measured", "at most"], *rows) if rows else ""

    def _measurements(self) -> str:
        rows = [[f"`{way}`", str(len(found)), f"{self.seconds(way):.2f}", f"{min(one.seconds for one in found):.2f}",
                 f"{max(one.seconds for one in found):.2f}", str(self.peak_mib(way))]
                for way, found in self.samples.items()]
        return table(["way", "measured", "seconds, median", "least", "most", "peak MiB"], *rows)


def command() -> str:
    """The command line, without the paths of this machine."""
    return "scripts/bench " + re.sub(r"--(binary|data)[= ]\S+ ?", "", shlex.join(sys.argv[2:]))
