"""The measurements, and the numbers computed from them."""

from __future__ import annotations

import json
import statistics
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Sample:
    """One measurement of a way."""

    way: str
    round: int
    seconds: float
    peak_kib: int


@dataclass(frozen=True)
class Summary:
    """All measurements of a way."""

    median: float
    least: float
    most: float
    peak_mib: int
    count: int

    @property
    def seconds(self) -> str:
        return f"{self.median:.2f} ({self.least:.2f} - {self.most:.2f})"


@dataclass
class Results:
    """One run: its command, conditions and measurements; stored as JSON."""

    command: str
    lines: int
    rounds: int
    facts: dict[str, str] = field(default_factory=dict)
    # The label of a way in tables, by its name.
    labels: dict[str, str] = field(default_factory=dict)
    # Whether a repeated load is a no-op, by the way's name.
    repeats: dict[str, str] = field(default_factory=dict)
    # The skipped parts with the reason.
    skipped: list[str] = field(default_factory=list)
    # The row count of the table of "growth" before its last measurements.
    grown_rows: int = 0
    # The number of files of "small", and the round trips per new file.
    small_files: int = 0
    statements_a_file: float = 0
    samples: list[Sample] = field(default_factory=list)

    def add(self, sample: Sample) -> None:
        self.samples.append(sample)

    def summary(self, way: str) -> Summary | None:
        """None when the way was not measured."""
        found = [sample for sample in self.samples if sample.way == way]
        if not found:
            return None
        seconds = [sample.seconds for sample in found]
        peak = max(sample.peak_kib for sample in found)
        # Rounded up, so that a bound kept by this number is really kept.
        return Summary(
            statistics.median(seconds), min(seconds), max(seconds), -(-peak // 1024), len(found))

    def ratio(self, way: str, other: str) -> float | None:
        """The ratio of the medians."""
        one, two = self.summary(way), self.summary(other)
        return one.median / two.median if one and two else None

    def paired_ratio(self, way: str, other: str) -> float | None:
        """The median ratio of neighboring samples, which cancels slow phases such as those of a disk."""
        one = [sample.seconds for sample in self.samples if sample.way == way]
        two = [sample.seconds for sample in self.samples if sample.way == other]
        return statistics.median(a / b for a, b in zip(one, two, strict=True)) if one else None

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=1))
