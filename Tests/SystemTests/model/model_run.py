"""One run of the model-based tester: a fresh database, steps, and a verdict after each."""

from __future__ import annotations

import contextlib
import hmac
import itertools
import tempfile
import time
from pathlib import Path

from checks import check_leftovers, check_nothing_new
from command_maker import StepMaker
from commands import Step
from commits import FileVersions
from judge import Judge
from loader import Loader
from model import Model
from months import DAY, month_starts
from printing import timestamp
from random_runs import Violated, violation
from report_compare import check_views
from server import Server, ServerError
from snapshot import Session, Snapshot
from step_runner import StepRunner
from universe import USERS, File, UniverseWriter

# The --observed-at of a run, in days after the beginning of the first month.
OBSERVED = 20
# The views that are compared with the rows after a refresh, which may have been killed before.
VIEWS = ("revenue_by_day", "sandbox_revenue_by_day", "product_by_day", "player_revenue", "purchase")
# The totals that a prune must not change.
TOTALS = "select stream, sum(reject_count), sum(conflict_count) from report.quality_by_day group by stream order by 1"
ERASURE_KEY = b"k" * 32


class Run:
    """One run; joins the steps, their runner and the judge, and tells the command maker their state."""

    def __init__(self, server: Server, program: Path, seed: int, number: int) -> None:
        self.name = f"{seed} {number}"
        self.database = f"m{number}"
        server.drop(self.database)
        server.create(self.database)
        self.session = Session(server, self.database)
        self.temporary = tempfile.TemporaryDirectory(prefix="gi-model.")
        folder = Path(self.temporary.name)
        self.inbox = folder / "inbox"
        self.inbox.mkdir()
        key_file = folder / "erasure.key"
        key_file.write_bytes(ERASURE_KEY)
        key_file.chmod(0o600)
        now = int(time.time() * 1000)
        months = month_starts(now)
        observed_at = months[0] + OBSERVED * DAY
        self.writer = UniverseWriter(self.name, months)
        self.steps = StepMaker(self, months)
        self.files: list[File] = []
        self.versions = FileVersions(months, now, observed_at)
        # The commands so far, and the number of the last step.
        self.told: list[str] = []
        self.done = 0
        self.counter = itertools.count(1)
        self.runner = StepRunner(
            self.session, Loader(program, folder, timestamp(observed_at, "{}T{}Z")), key_file, self.counter)
        self.judge = Judge(self.session, self.versions, _tombstones())

    # The state that commands depend on

    @property
    def seen(self) -> Snapshot:
        return self.judge.seen

    @property
    def model(self) -> Model:
        return self.judge.history.model

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
        self.carry_out(self.steps.step(number))

    def carry_out(self, step: Step) -> None:
        self.told.append(f"{self.done:4}. {step}")
        before = self.seen.settings.zone
        is_prune = [command.kind for command in step.commands] == ["prune"]
        totals = self.session.rows(TOTALS) if is_prune else []
        results = self.runner.carry_out(step)
        self.runner.wait_for_backends()
        self.judge.judge(step, results, "index" if self.done % 2 else "heap")
        if is_prune and (after := self.session.rows(TOTALS)) != totals:
            raise Violated(f"the prune changed the totals of report.quality_by_day from {totals} to {after}")
        zone = self.seen.settings.zone
        # A change of the zone rebuilds all reports.
        if step.name == "refresh" or step.name == "zone" and zone != before:
            differences = check_views(self.session.connection, VIEWS)
            if differences:
                raise Violated("in the zone {}, views differ from the rows:\n    {}".format(
                    zone, "\n    ".join(differences[:20])))

    def conclude(self) -> None:
        """The checks at the end."""
        self.judge.check_erased_words()
        check_leftovers(self.session)
        check_nothing_new(self.judge.history, self.versions, self.runner, self.inbox)

    def close(self) -> None:
        self.session.close()
        self.temporary.cleanup()
        self.session.server.drop(self.database)


def violation_of(
    server: Server, program: Path, seed: int, number: int, steps: int, skip: frozenset[int] = frozenset()
) -> str | None:
    """What a run of these steps violates, without those to skip; None when nothing."""
    run = Run(server, program, seed, number)

    def carry_out() -> None:
        for step in range(1, steps + 1):
            if step not in skip:
                run.step(step)
        run.conclude()

    def repeat() -> str:
        skipped = f" --skip {','.join(map(str, sorted(skip)))}" if skip else ""
        return f"scripts/model-test --seed {seed} --run {number} --steps {run.done}{skipped}"

    found = violation(run.told, carry_out, repeat)
    # After a violation the server may be down.
    with contextlib.suppress(ServerError):
        run.close()
    return found


def _tombstones() -> dict[str, str]:
    """Users by the HMACs of their tombstones."""
    return {hmac.new(ERASURE_KEY, b"gamebase-ingest user\0" + user.encode(), "sha256").hexdigest(): user
            for user in USERS}
