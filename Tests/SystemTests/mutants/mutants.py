"""Mutants of the functions in sql/functions. Each mutant differs from its function in one place."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutant_edits import edits

FUNCTIONS = Path(__file__).resolve().parents[3] / "sql/functions"
# The reasons of mutants that may live: each line with a reason precedes the indented names of its mutants.
EXPLAINED = Path(__file__).with_name("explained_mutants.txt")


@dataclass(frozen=True)
class Mutant:
    function: str
    # Line of the function's file, from 1.
    line: int
    # The kind of change and the changed text; together with the function they are the mutant's name.
    change: str
    place: str
    # The statements that install the mutant in a database.
    script: str

    @property
    def name(self) -> str:
        return f"{self.function} | {self.change} | {self.place}"

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.script.encode()).hexdigest()[:12]


def read() -> dict[str, str]:
    """The text of each function's file, by the function's name."""
    return {path.name.removesuffix(".sql"): path.read_text() for path in sorted(FUNCTIONS.glob("*.sql"))}


def explained() -> dict[str, str]:
    """The reasons of mutants that may live, by name."""
    reasons = {}
    reason = ""
    for line in EXPLAINED.read_text().splitlines():
        if line.startswith(" "):
            reasons[line.strip()] = reason
        elif not line.startswith("#"):
            reason = line.strip()
    return reasons


def mutants(function: str, text: str) -> Iterator[Mutant]:
    """The mutants of a function in the order of its text. A second mutant with the same name gets a number."""
    names: Counter[str] = Counter()
    scripts: set[str] = set()
    definition = text.index("create or replace function")
    end = text.index("\n$$;", definition) + len("\n$$;\n")
    for edit in sorted(edits(function, text), key=lambda one: one.start):
        script = text[definition:edit.start] + edit.new + text[edit.end:end]
        if edit.start >= end:
            script = edit.new
        place = " ".join((edit.place or text[edit.start:edit.end]).split())
        if len(place) > 90:
            place = f"{place[:60]} ... {place[-25:]}"
        key = f"{edit.change} | {place}"
        if script in scripts:
            continue
        scripts.add(script)
        names[key] += 1
        if names[key] > 1:
            place += f" ({names[key]})"
        yield Mutant(function, text.count("\n", 0, edit.start) + 1, edit.change, place, script)
