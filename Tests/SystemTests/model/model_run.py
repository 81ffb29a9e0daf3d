"""One run of the model-based tester: a fresh database, steps, and a verdict after each."""

from __future__ import annotations

import hmac
import itertools
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from checks import check_leftovers, check_nothing_new
from command_maker import StepMaker
from commits import FileVersions
from judge import Judge
from loader import Loader
from merge import is_of_another
from model import Conflict
from months import DAY, month_starts
from psql import Psql
from report_compare import check_views
from server import Server
from step_runner import StepRunner
from streams import Key
from universe import USERS, File, UniverseWriter
from workers import Violated

# The --observed-at of a run, in days after the beginning of the first month.
OBSERVED = 20
# The views that are compared with the rows after a refresh, which may have been killed before.
VIEWS = ("revenue_by_day", "sandbox_revenue_by_day", "product_by_day", "player_revenue", "purchase")


@dataclass
class World:
    """The server, program and options that all runs of a worker share."""

    seed: int
    folder: Path
    server: Server
    binary: Path
    now: int
    without: frozenset[str] = frozenset()

    @property
    def key_file(self) -> Path:
        path = self.folder / "erasure.key"
        if not path.exists():
            path.write_bytes(b"k" * 32)
            path.chmod(0o600)
        return path


# The totals that a prune must not change.
TOTALS = "select stream, sum(reject_count), sum(conflict_count) from report.quality_by_day group by stream order by 1"


class Run:
    """One run; joins the steps, their runner and the judge, and tells the command maker their state."""

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.name = f"{world.seed} {number}"
        self.folder = world.folder / f"run-{number}"
        self.inbox = self.folder / "inbox"
        self.inbox.mkdir(parents=True)
        self.database = f"m{number}"
        world.server.create(self.database, template="empty")
        self.psql = Psql(world.server, self.database)
        months = month_starts(world.now)
        observed_at = months[0] + OBSERVED * DAY
        self.writer = UniverseWriter(self.name, months, world.without)
        self.steps = StepMaker(self, months, world.without)
        self.files: list[File] = []
        self.versions = FileVersions(months, world.now, observed_at)
        # The commands so far, and the number of the last step.
        self.told: list[str] = []
        self.done = 0
        self.counter = itertools.count(1)
        self.runner = StepRunner(
            self.psql, Loader(world.binary, self.folder, _rfc3339(observed_at)), world.key_file, self.counter)
        self.judge = Judge(self.psql, self.versions, _tombstones(world.key_file.read_bytes()))

    # The state that commands depend on

    @property
    def erased_in_all(self) -> set[str]:
        return self.judge.erased_in_all

    @property
    def load_ids(self) -> list[int]:
        return sorted({entry.load for entry in self.judge.seen.files.values() if not entry.is_undone})

    def active_files(self) -> list[int]:
        return sorted(self.judge.history.model.files)

    def open_conflicts(self) -> list[Conflict]:
        """The conflicts that can be accepted."""
        model = self.judge.history.model
        return [
            one for one in model.conflicts if one.place not in model.accepted_lines
            and one.key in model.rows[one.stream]
            and not is_of_another(model.rows[one.stream][one.key], one.given)]

    def accepted_rows(self) -> dict[tuple[str, Key], list[int]]:
        """The acceptances of each row, oldest first."""
        rows: dict[tuple[str, Key], list[int]] = {}
        for one in self.judge.history.model.accepted_values:
            rows.setdefault((one.stream, one.key), []).append(one.acceptance)
        return rows

    def acceptances(self) -> list[int]:
        """The acceptances that are not undone, and the first one."""
        numbers = sorted(self.judge.seen.acceptances)
        return [number for number in numbers
                if number == numbers[0] or not self.judge.seen.acceptances[number].is_undone]

    def load_of(self, number: int) -> int:
        return self.judge.seen.files[number].load

    def path_of(self, number: int) -> str:
        return self.judge.seen.files[number].path

    def sha256_of(self, number: int) -> str:
        return self.judge.seen.files[number].sha256

    def store(self, file: File, content: bytes, suffix: str) -> str:
        """Writes the bytes under a new name for the file, and returns the path."""
        stem = file.name.removesuffix(".jsonl")
        path = self.inbox / f"{stem}-{next(self.counter)}.jsonl{suffix}"
        path.write_bytes(content)
        if ".broken" not in suffix:
            file.paths.append(path)
        self.versions.add(file)
        return str(path)

    # The run

    def step(self, number: int) -> None:
        self.done = number
        step = self.steps.step(number)
        self.told.append(f"{number:4}. {step}")
        before = self.judge.seen.settings.zone
        is_prune = [command.kind for command in step.commands] == ["prune"]
        totals = self.psql.ask(TOTALS) if is_prune else []
        results = self.runner.carry_out(step)
        self.runner.wait_for_backends()
        self.judge.judge(step, results, "index" if number % 2 else "heap")
        if is_prune and (after := self.psql.ask(TOTALS)) != totals:
            raise Violated(f"the prune changed the totals of report.quality_by_day from {totals} to {after}")
        zone = self.judge.seen.settings.zone
        # A change of the zone rebuilds all reports.
        if step.name == "refresh" or step.name == "zone" and zone != before:
            differences = check_views(self.psql.ask, VIEWS)
            if differences:
                raise Violated("in the zone {}, views differ from the rows:\n    {}".format(
                    zone, "\n    ".join(differences[:20])))

    def conclude(self) -> None:
        """The checks at the end."""
        self.judge.check_erased_words()
        check_leftovers(self.psql)
        check_nothing_new(self.judge.history, self.versions, self.runner, self.inbox)

    def close(self) -> None:
        self.psql.close()
        self.world.server.drop(self.database)


def _tombstones(key: bytes) -> dict[str, str]:
    """Users by the HMACs of their tombstones."""
    return {hmac.new(key, b"gamebase-ingest user\0" + user.encode(), "sha256").hexdigest(): user for user in USERS}


def _rfc3339(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
