"""Changes one place of a database function at a time, and expects a test to fail.

Run by scripts/mutate-sql, which explains the options.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mutants import Mutant, mutants, read
from mutation_judge import EFFORTS, ROOT, Judge
from server import Server
from workers import Tasks, build_golden, end_on_signals, existing_program, results_of, temporary_folder

FUNCTIONS = ROOT / "sql/functions"


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


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/mutate-sql", description=__doc__, allow_abbrev=False)
    parser.add_argument("--binary", type=Path, help="the program to test")
    parser.add_argument("--only", action="append", default=[], metavar="NAME",
                        help="try only mutants whose names begin so, such as ingest. (repeatable)")
    parser.add_argument("--sample", type=int, metavar="N", help="try N mutants, the same for the same seed")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample and of the model tester")
    parser.add_argument("--workers", type=int, default=2, help="number of parallel mutants")
    parser.add_argument("--effort", choices=EFFORTS, default="cases", help="the tests to run")
    parser.add_argument("--list", action="store_true", help="only print the mutants")
    parser.add_argument("--results", type=Path, metavar="FILE",
                        help="keep the results in this file, and skip mutants killed in an earlier run")
    return parser.parse_args()


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


def chosen_mutants(chosen: argparse.Namespace, functions: dict[str, str]) -> list[Mutant]:
    reasons = explained()
    found = [one for name, text in functions.items() for one in mutants(name, text)
             if not chosen.only or one.name.startswith(tuple(chosen.only))]
    if chosen.sample is not None:
        # An explained mutant costs the time of all tests and shows nothing.
        found = [one for one in found if one.name not in reasons]
        # The order of digests: a new or changed function moves only its own mutants into or out of the sample.
        found.sort(key=lambda one: hashlib.sha256(f"{chosen.seed} {one.name}".encode()).digest())
        found = found[:chosen.sample]
    return found


def work(
    worker: int, chosen: argparse.Namespace, golden: Server, tasks: Tasks[Mutant], hand_over: Callable[[Result], None],
) -> None:
    """One worker: tries mutants on its own server until none is left."""
    functions = read(FUNCTIONS)
    server = golden.copy(golden.folder.parent / f"worker-{worker}" / "server")
    try:
        judge = Judge(server, chosen.binary, chosen.seed, chosen.effort)
        for one in tasks:
            started = time.monotonic()
            verdict = None
            original = functions[one.function]
            if judge.put(one.script):
                verdict = judge.killer(one.function, original) or LIVES
            judge.put(original)
            hand_over(Result(one.name, one.digest, verdict, time.monotonic() - started))
    finally:
        server.destroy()


def diff(mutant: Mutant, text: str) -> str:
    start = text.index("create or replace")
    lines = difflib.unified_diff(
        text[start:text.index("\nrevoke")].splitlines(), mutant.script.splitlines(), lineterm="", n=0)
    return "\n".join(f"    {line}" for line in list(lines)[2:] if not line.startswith("@@"))


def try_all(chosen: argparse.Namespace, found: list[Mutant], functions: dict[str, str]) -> list[Result]:
    reasons = explained()
    # In memory if possible, because each mutant creates and drops databases.
    memory = Path("/dev/shm")
    tried: list[Result] = []
    by_name = {one.name: one for one in found}
    tasks = Tasks(found)
    with temporary_folder("mutate", memory if memory.is_dir() else None) as folder:
        golden = build_golden(folder, chosen.binary)
        for result in results_of(
                min(chosen.workers, len(found)),
                lambda worker, hand_over: work(worker, chosen, golden, tasks, hand_over)):
            tried.append(result)
            if chosen.results:
                write_result(chosen.results, result)
            one = by_name[result.name]
            verdict = result.verdict or "not a valid function"
            if verdict == LIVES and one.name in reasons:
                verdict = f"lives; explained: {reasons[one.name]}"
            print(f"{len(tried):4} {result.seconds:6.1f} s  {one.function}:{one.line}  {one.change} "
                  f"{one.place}  -- {verdict}", flush=True)
            if verdict == LIVES:
                print(diff(one, functions[one.function]), flush=True)
    return tried


def main() -> int:
    chosen = options()
    functions = read(FUNCTIONS)
    found = chosen_mutants(chosen, functions)
    if chosen.list:
        print("\n".join(one.name for one in found))
        return 0
    [chosen.binary] = existing_program("mutate-sql", chosen.binary)
    end_on_signals()
    known = read_results(chosen.results, found) if chosen.results else {}
    tried = list(known.values())
    left = [one for one in found if one.name not in known]
    if left:
        tried += try_all(chosen, left, functions)
    return conclude(tried)


def conclude(tried: list[Result]) -> int:
    reasons = explained()
    mutated = [one for one in tried if one.verdict]
    living = [one for one in mutated if one.verdict == LIVES]
    survivors = [one for one in living if one.name not in reasons]
    for one in mutated:
        if one.name in reasons and one.verdict != LIVES:
            print(f"killed but explained: {one.name}")
    for one in survivors:
        print(f"lives: {one.name}")
    print(f"== {len(mutated)} mutants, {len(mutated) - len(living)} killed, "
          f"{len(living) - len(survivors)} explained, {len(survivors)} live")
    # CI counts tests by this line.
    print(f"mutants: {len(mutated) - len(survivors)} passed, {len(survivors)} failed")
    return 1 if survivors or not mutated else 0


if __name__ == "__main__":
    sys.exit(main())
