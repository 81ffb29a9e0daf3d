"""Runs random commands, and compares every report view with a slow recomputation, and every rollup with a rebuild.

Run by scripts/report-test, which explains the options.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from pathlib import Path

from report_basis import VIEWS
from report_calendar import DAY
from report_run import ReportRun
from report_scenes import SCENES
from server import Server
from workers import Verdict, do_runs, runs_parser, verdict_of

# The scenes have negative numbers.
NUMBERS = range(-len(SCENES), 0)[::-1]


def one_run(
    seed: int, number: int, server: Server, binary: Path, folder: Path, views: Iterable[str] = tuple(VIEWS)
) -> Verdict:
    """A random run, or for a negative number a scene."""
    # The day, because a run draws its times from the year before it.
    now = int(time.time() * 1_000_000) // DAY * DAY
    run = ReportRun(seed, number, server, binary, folder, now, frozenset(views))
    scene = SCENES[-number - 1] if number < 0 else None
    return verdict_of(
        run, number, lambda: run.run(scene),
        lambda: f"{f'scene {scene.__name__}, ' if scene else ''}run {number} of seed {seed}",
        lambda: f"scripts/report-test --seed {seed} --run {number}")


def main() -> int:
    parser = runs_parser("report-test", __doc__, runs=60)
    parser.add_argument("--views", default=",".join(VIEWS), metavar="NAMES",
                        help="compare only these views, such as player,purchase")
    parser.add_argument("--run", type=int, metavar="N",
                        help="do only this run; a negative number is a scene of report_scenes.py")
    chosen = parser.parse_args()
    numbers = [*NUMBERS, *range(chosen.runs)] if chosen.run is None else [chosen.run]
    return do_runs("reports", chosen, numbers, lambda server, folder, number: one_run(
        chosen.seed, number, server, chosen.binary, folder, chosen.views.split(",")))


if __name__ == "__main__":
    sys.exit(main())
