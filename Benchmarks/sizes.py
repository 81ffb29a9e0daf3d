"""The fixed cost of a run: loads of smaller files, compared with the limit of the same size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from cluster import Cluster
from data import generate, make_rows
from ways import EMPTY, Way, Ways, run

LOADED = "sizes_loaded"
# Lines per round and stream: a smaller file is measured more often, because its time varies more.
LINES_A_ROUND = 600_000
# At least two for the largest file, because the others are compared with it.
LEAST_A_ROUND = 2


class Sizes:
    """Files of several sizes, each loaded into an empty database, as prepared rows and as lines in turn."""

    def __init__(
        self, binary: Path, cluster: Cluster, folder: Path, lines: list[int],
        measure: Callable[[Way, int], None], say: Callable[[str], None],
    ) -> None:
        self.binary, self.cluster, self.folder, self.lines = binary, cluster, folder, sorted(lines)
        self.measure, self.say = measure, say

    def run(self, rounds: int) -> None:
        if self.cluster.ask("postgres", f"select 1 from pg_database where datname = '{EMPTY}'") != "1":
            self.cluster.ask("postgres", f"create database {EMPTY}")
            run((str(self.binary), "migrate", "--database", self.cluster.conninfo(EMPTY)))
            for stream in ("level_up", "game_user", "item", "event"):
                self.cluster.ask(EMPTY, f"select ingest.ensure_partition('{stream}', '2025-07-01')")
        pairs = [pair for lines in self.lines for pair in self._pairs(lines)]
        for number in range(rounds):
            self.say(f"sizes: round {number + 1} of {rounds}")
            for pair in pairs:
                # The first of two is sometimes slower, so both are first equally often.
                pair.reverse()
                for way in pair:
                    self.cluster.fresh(EMPTY)
                    self.measure(way, number)

    def _pairs(self, lines: int) -> list[list[Way]]:
        """Pairs of limit and load for each stream, as many as one round has."""
        self.say(f"making {lines} lines of each stream")
        folder = self.folder / str(lines)
        streams = generate(self.binary, folder, lines)
        ways = Ways(self.binary, self.cluster, streams)
        found = []
        for stream, files in streams.items():
            self.cluster.create(LOADED, EMPTY)
            run((str(self.binary), "load", str(files.plain), "--no-refresh", "--quiet", "--database",
                 self.cluster.conninfo(LOADED)))
            make_rows(self.cluster, files, LOADED)
            self.cluster.drop(LOADED)
            pair = [
                replace(way, name=f"sizes/{stream}/{lines}/{way.name.partition('/')[2]}")
                for way in ways.of_stream(files) if way.name.endswith(("/limit", "/fresh"))]
            found += [list(pair) for _ in range(max(LEAST_A_ROUND, LINES_A_ROUND // lines))]
        return found
