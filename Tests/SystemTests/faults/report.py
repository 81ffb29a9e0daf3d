"""Counts the outcomes of the faults, and writes the table of docs/reliability.md."""

from __future__ import annotations

import collections
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

import generated_part
from invariants import Violation
from trial import Fault

MAKER = "scripts/torture --report"

# Faults of one kind share a row of the table. `scripts/torture --list` names each.
FAMILIES = {
    r"[a-z-]+-(killed|terminated|crashed)": "a command other than `load` is killed or terminated, or the server crashes",
    r"kill-at-.*": "kill -9 of the loader at a named point; half of the recoveries are killed too",
    r"(server|backend)-[a-z]+-at-.*": "the server stops (immediate, fast), or the backend ends, at a named point",
    r"commit-under-way-.*": "the server stops, or the backend ends, while COMMIT is under way",
    r"connection-(close|reset|stall)-.*": "the connection closes, is reset or stalls after a random number of bytes",
    r"role-.*": "a hostile setting of the role or database; kill -9, and an immediate stop",
    r"sig(term|int)-.*": "SIGTERM or SIGINT: at a random time, in a COPY, twice, while a lock is awaited",
    r"calls?-.*": "a random system call fails, once or from then on",
    r"file-calls?-.*": "a random system call on a source file fails, once or from then on",
}
# Names that only look like those of a family.
SINGLE = {"rivals-killed", "pipe-producer-killed", "pipe-archive-killed"}


@dataclass
class Line:
    """The outcomes of one fault."""

    what: str
    times: int = 0
    notes: collections.Counter[str] = field(default_factory=collections.Counter)
    violations: int = 0
    seconds: float = 0
    skipped: str | None = None

    def outcomes(self) -> str:
        if self.skipped:
            return f"skipped: {self.skipped}"
        return ", ".join(
            f"{note} ×{count}" if count > 1 else note
            for note, count in sorted(self.notes.items(), key=lambda item: -item[1]))

    def add(self, other: Line) -> None:
        """Adds the outcomes of the same fault in another worker."""
        self.times += other.times
        self.notes.update(other.notes)
        self.violations += other.violations
        self.seconds += other.seconds
        self.skipped = None if self.times else self.skipped or other.skipped


@dataclass
class Tally:
    """The outcomes of all faults."""

    # The options of the run.
    run: str
    lines: dict[str, Line] = field(default_factory=dict)
    versions: str = ""
    started: float = field(default_factory=time.monotonic)

    def _line(self, fault: Fault) -> Line:
        return self.lines.setdefault(fault.name, Line(fault.what))

    def add(self, fault: Fault, notes: list[str], violations: list[Violation], seconds: float) -> None:
        line = self._line(fault)
        line.times += 1
        line.notes.update(notes)
        line.violations += len(violations)
        line.seconds += seconds

    def skip(self, fault: Fault, reason: str) -> None:
        self._line(fault).skipped = reason

    def line(self, fault: Fault) -> str:
        line = self.lines[fault.name]
        verdict = "SKIPPED" if line.skipped else f"{line.violations} violations"
        return f"{fault.name:34} {line.times:4} times {line.seconds:6.1f} s  {verdict}  {line.outcomes()}"

    @property
    def violation_count(self) -> int:
        return sum(line.violations for line in self.lines.values())

    @property
    def times(self) -> int:
        return sum(line.times for line in self.lines.values())

    def summary(self) -> str:
        skipped = [name for name, line in self.lines.items() if line.skipped]
        broken = [name for name, line in self.lines.items() if line.violations]
        text = (
            f"== {self.run}: {len(self.lines)} faults, {self.times} times, "
            f"{self.violation_count} violations, {time.monotonic() - self.started:.0f} s")
        if skipped:
            text += f"\n== SKIPPED: {', '.join(skipped)}"
        if broken:
            text += f"\n== VIOLATED by: {', '.join(broken)}"
        return text

    def families(self) -> dict[str, Line]:
        """The outcomes by family; a fault without one stands for itself."""
        members: dict[str, list[str]] = collections.defaultdict(list)
        for name in self.lines:
            pattern = next((one for one in FAMILIES if re.fullmatch(one, name)), None)
            members[name if name in SINGLE or pattern is None else pattern].append(name)
        rows = {}
        for pattern, names in members.items():
            if pattern not in FAMILIES:
                rows[f"`{names[0]}`"] = self.lines[names[0]]
                continue
            row = Line(FAMILIES[pattern])
            for name in names:
                row.add(self.lines[name])
            first = min(names)
            rows[f"`{first}` and {len(names) - 1} more" if len(names) > 1 else f"`{first}`"] = row
        return rows

    def table(self) -> str:
        rows = ["| fault | action | times | outcomes | violations |", "| --- | --- | ---: | --- | ---: |"]
        for name, line in sorted(self.families().items()):
            rows.append(
                f"| {name} | {line.what} | {line.times} | {line.outcomes()} | "
                f"{'–' if line.skipped else line.violations} |")
        rows.append(f"| **all** | | **{self.times}** | | **{self.violation_count}** |")
        return "\n".join(rows)

    @classmethod
    def sum(cls, tallies: list[Tally]) -> Tally:
        """The outcomes of workers that ran at the same time."""
        total = cls(tallies[0].run, versions=tallies[0].versions, started=min(one.started for one in tallies))
        for tally in tallies:
            for name, line in tally.lines.items():
                total.lines.setdefault(name, Line(line.what)).add(line)
        return total


def write_report(path: Path, tally: Tally) -> None:
    """Replaces the table in the document."""
    minutes = (time.monotonic() - tally.started) / 60
    made = f"Made by `scripts/torture {tally.run}` in {minutes:.0f} minutes with {tally.versions}."
    generated_part.replace(path, MAKER, f"{made}\n\n{tally.table()}")
