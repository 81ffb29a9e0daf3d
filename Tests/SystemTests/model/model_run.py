"""One run of the model-based tester: steps, and a verdict after each."""

from __future__ import annotations

import hmac
import random
import time
from pathlib import Path

from checks import check_erased_words, check_nothing_new
from command_maker import Habits
from commands import Step
from commits import FileVersions
from data import STREAMS, Profile, Writer
from judge import Judge
from months import DAY, month_starts
from random_run import ERASURE_KEY, RandomRun
from random_runs import Violated
from report_compare import check_views
from server import Server

USERS = ("annalee77", "bob.smith", "유저일이삼사", 'o"hara\\x', "x9 y8 zulu", "90218731465")
# Few records at a time, so that keys and values often collide.
PROFILE = Profile(USERS, dict.fromkeys(STREAMS, (48, 48)), window=12)
# The kinds of steps, with their relative frequency.
WEIGHTS = {
    "load": 20, "load-again": 9, "load-several": 7, "load-failing": 8, "load-correction": 4, "load-dry": 2, "replay": 6,
    "undo": 9, "accept": 8, "undo-acceptance": 4, "forget": 3, "forget-lines": 2, "retention": 4, "grant": 1,
    "migrate": 1, "refresh": 4, "crash": 1, "disturbed": 8, "together": 14, "race": 3, "zone": 4, "base": 1, "rates": 2,
    "prune": 7,
}
FIRST = ("load", "load-failing", "load-failing", "load-several", "load-again", "zone", "base")
OTHERS = ("load", "load-again", "load-failing", "forget", "forget", "undo", "retention", "replay", "accept", "accept",
          "undo-acceptance", "grant", "migrate", "refresh", "refresh", "zone", "prune")
# Failures do not age, because the judge expects each of them until a load of its file.
AGED = {"ingest.source_file": (50, 100), "ingest.acceptance": (50, 100), "ingest.load": (50, 100),
        "ingest.reject": (100, 100)}
# The --observed-at of a run, in days after the beginning of the first month.
OBSERVED = 20
# The views that are compared with the rows after a refresh, which may have been killed before.
VIEWS = ("revenue_by_day", "sandbox_revenue_by_day", "product_by_day", "player_revenue", "purchase")
# The totals that a prune must not change.
TOTALS = "select stream, sum(reject_count), sum(conflict_count) from report.quality_by_day group by stream order by 1"


class Run(RandomRun):
    """A run after each of whose steps the judge compares the database with the model."""

    def __init__(self, server: Server, program: Path, seed: int, number: int) -> None:
        name = f"{seed} {number}"
        now = int(time.time() * 1000)
        # The four months before the present one, so that retention has months to drop.
        months = month_starts(now)
        choice = random.Random(f"times {name}")
        moments = [start + DAY * choice.randrange(1, 27) + choice.randrange(DAY) for start in months for _ in range(2)]
        # A line within a day after the start of a load is loaded, but moves no horizon.
        starts = (*months[2:], *(moment // 1000 * 1000 - DAY // 2 for moment in moments[4:]))
        observed_at = months[0] + OBSERVED * DAY
        habits = Habits(WEIGHTS, FIRST, OTHERS, ("held", "held", "plain"), 0.15, AGED, starts, (observed_at,))
        super().__init__(server, program, name, habits, Writer(f"model {name}", PROFILE, moments), months)
        self.versions = FileVersions(months, now, observed_at)
        # Users by the HMACs of their tombstones.
        self.judge = Judge(self.session, self.versions, {
            hmac.new(ERASURE_KEY, b"gamebase-ingest user\0" + user.encode(), "sha256").hexdigest(): user
            for user in USERS})

    def carry_out(self, step: Step) -> None:
        before = self.judge.seen.settings.zone
        is_prune = [command.kind for command in step.commands] == ["prune"]
        self.prepare(step)
        totals = self.session.rows(TOTALS) if is_prune else []
        self.judge.judge(step, self.take(step), "index" if self.done % 2 else "heap")
        if is_prune and (after := self.session.rows(TOTALS)) != totals:
            raise Violated(f"the prune changed the totals of report.quality_by_day from {totals} to {after}")
        zone = self.judge.seen.settings.zone
        # A change of the zone rebuilds all reports.
        if step.name == "refresh" or step.name == "zone" and zone != before:
            differences = check_views(self.session.connection, VIEWS)
            if differences:
                raise Violated("in the zone {}, views differ from the rows:\n    {}".format(
                    zone, "\n    ".join(differences[:20])))

    def conclude(self) -> None:
        check_erased_words(self.session, self.judge.erased_in_all)
        for left in self.server.left_by_loaders(self.database):
            raise Violated(left)
        check_nothing_new(self.judge.model, self.versions, self)


def violation_of(
    server: Server, program: Path, seed: int, number: int, steps: int, skip: frozenset[int] = frozenset()
) -> str | None:
    """What a run of these steps violates, without those to skip; None when nothing."""
    run = Run(server, program, seed, number)

    def repeat() -> str:
        skipped = f" --skip {','.join(map(str, sorted(skip)))}" if skip else ""
        return f"scripts/model-test --seed {seed} --run {number} --steps {run.done}{skipped}"

    numbers = (number for number in range(1, steps + 1) if number not in skip)
    return run.violation(((number, run.maker.step(number)) for number in numbers), repeat)
