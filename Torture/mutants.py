"""Mutants of the functions in sql/functions: each differs from its function in one place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutant_edits import edits


@dataclass(frozen=True)
class Mutant:
    function: str
    # Line of the function's file, from 1.
    line: int
    # What is done there, and to what: together with the function the mutant's name.
    change: str
    place: str
    # The statements that put it into a database.
    script: str

    @property
    def name(self) -> str:
        return f"{self.function} | {self.change} | {self.place}"

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.script.encode()).hexdigest()[:12]


def read(folder: Path) -> dict[str, str]:
    """The text of each function's file, by the function's name."""
    return {path.name.removesuffix(".sql"): path.read_text() for path in sorted(folder.glob("*.sql"))}


def mutants(function: str, text: str) -> Iterator[Mutant]:
    """In the order of the text; a second one of the same name has a number."""
    names: dict[str, int] = {}
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
        names[key] = names.get(key, 0) + 1
        if names[key] > 1:
            place += f" ({names[key]})"
        yield Mutant(function, text.count("\n", 0, edit.start) + 1, edit.change, place, script)
