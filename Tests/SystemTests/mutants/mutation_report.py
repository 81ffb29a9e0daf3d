"""The results of mutants, in a file that is kept between runs, and the reasons of those that may live."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mutants import Mutant

# The reasons of mutants that may live: each line with a reason precedes the indented names of its mutants.
EXPLAINED = Path(__file__).with_name("explained_mutants.txt")
LIVES = "LIVES"


@dataclass(frozen=True)
class Result:
    name: str
    # The digest of the mutant's text, so that a mutant of a changed function is tried again.
    digest: str
    # The test that failed, or LIVES; None when the server refused the text.
    verdict: str | None
    seconds: float


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


def write_result(path: Path, result: Result) -> None:
    with path.open("a") as file:
        file.write(f"{result.digest}\t{result.seconds:.1f}\t{result.verdict or ''}\t{result.name}\n")


def read_results(path: Path, mutants: list[Mutant]) -> dict[str, Result]:
    """The results that are still valid, by name. A living mutant without a reason is tried again, because a test may
    exist by now."""
    reasons = explained()
    digests = {one.name: one.digest for one in mutants}
    results = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        digest, seconds, verdict, name = line.split("\t", 3)
        if digests.get(name) == digest and (verdict != LIVES or name in reasons):
            results[name] = Result(name, digest, verdict or None, float(seconds))
    return results
