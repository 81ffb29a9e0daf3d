"""The results of mutants, in a file that is kept between runs and as a table."""

from __future__ import annotations

from collections import Counter
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


def markdown(results: list[Result], reasons: dict[str, str]) -> str:
    mutants: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    living: Counter[str] = Counter()
    for one in results:
        function = one.name.split(" | ")[0]
        mutants[function] += 1
        killed[function] += one.verdict != LIVES
        living[function] += one.verdict == LIVES and one.name in reasons
    lines = [
        "# Mutation of the SQL", "",
        "Each mutant is a function of the database with one place changed. A mutant is killed when a test fails.",
        "Made by `scripts/mutate-sql --report`; do not edit.", "",
        "| function | mutants | killed | explained | alive |", "| --- | --- | --- | --- | --- |"]
    for name in [*sorted(mutants), "all"]:
        counts = [sum(one.values()) if name == "all" else one[name] for one in (mutants, killed, living)]
        lines.append(f"| `{name}` | {counts[0]} | {counts[1]} | {counts[2]} | {counts[0] - counts[1] - counts[2]} |")
    lines += ["", "## Explained", ""]
    alive = {one.name for one in results if one.verdict == LIVES}
    for reason in dict.fromkeys(reasons.values()):
        names = [name for name, of in reasons.items() if of == reason and name in alive]
        if names:
            lines += [f"{reason}", "", *(f"- `{name}`" for name in names), ""]
    return "\n".join(lines)
