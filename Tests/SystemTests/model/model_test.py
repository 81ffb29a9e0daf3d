"""Runs random sequences of all commands, and compares the database with a model after each step.

Run by scripts/model-test, which explains the options.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from command_maker import WEIGHTS
from model_run import Run, World
from server import Server
from universe import INGREDIENTS
from workers import Verdict, do_runs, runs_parser, verdict_of


def options() -> argparse.Namespace:
    parser = runs_parser("model-test", __doc__, runs=100)
    parser.add_argument("--steps", type=int, default=120, help="number of steps of a run")
    parser.add_argument("--run", type=int, metavar="N", help="do only this run")
    parser.add_argument("--upto", type=int, metavar="STEP", help="end after this step")
    parser.add_argument("--skip", type=skipped, default=frozenset(), metavar="STEPS",
                        help="leave these steps out, such as 3,5,9-20")
    parser.add_argument("--shrink", action="store_true",
                        help="after a violation, find the steps that are needed for it")
    parser.add_argument("--without", action="append", default=[], choices=[*WEIGHTS, *INGREDIENTS],
                        help="leave out a kind of step or of data, such as one with a known violation")
    return parser.parse_args()


def skipped(text: str) -> frozenset[int]:
    """The numbers of a list such as 3,5,9-20."""
    numbers: set[int] = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        numbers |= set(range(int(first), int(last or first) + 1))
    return frozenset(numbers)


def one_run(world: World, number: int, steps: int, skip: frozenset[int] = frozenset()) -> Verdict:
    run = Run(world, number)

    def carry_out() -> None:
        for step in range(1, steps + 1):
            if step not in skip:
                run.step(step)
        run.conclude()

    def repeat() -> str:
        more = [f"--skip {','.join(map(str, sorted(skip)))}"] if skip else []
        more += [f"--without {name}" for name in sorted(world.without)]
        return " ".join([f"scripts/model-test --seed {world.seed} --run {number} --upto {run.done}", *more])

    return verdict_of(run, number, carry_out, lambda: f"run {number} of seed {world.seed}", repeat)


def shrunk(world: World, verdict: Verdict, skip: frozenset[int]) -> Verdict:
    """The violation of a run without the steps that it does not need: leaves out halves, then smaller parts."""
    steps = verdict.steps + len(skip)
    size = max(1, steps // 2)
    while True:
        for first in range(1, steps, size):
            part = skip.union(range(first, min(first + size, steps)))
            # Each run drops its database, so the same run can start again.
            if part != skip and (smaller := one_run(world, verdict.run, steps, part)).violation:
                skip, verdict = part, smaller
        if size == 1:
            return verdict
        size = max(1, size // 2)


def main() -> int:
    chosen = options()

    def run(server: Server, folder: Path, number: int) -> Verdict:
        world = World(chosen.seed, folder, server, chosen.binary, int(time.time() * 1000), frozenset(chosen.without))
        verdict = one_run(world, number, chosen.upto or chosen.steps, chosen.skip)
        return shrunk(world, verdict, chosen.skip) if verdict.violation and chosen.shrink else verdict

    numbers = list(range(chosen.runs)) if chosen.run is None else [chosen.run]
    return do_runs("model", chosen, numbers, run)


if __name__ == "__main__":
    sys.exit(main())
