"""One run of the model-based tester: after each step events explain the rows, and no erased or orphaned row remains."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import random
import time
from pathlib import Path

from checks import EffectCheck, check_erased_words, check_nothing_new
from command_maker import Habits
from commands import Step
from commits import Commits, FileVersions
from data import STREAMS, Profile
from events import Event, Version
from line_owner import keeps_bytes
from loader import ProgramRun
from model import Model, as_after_erasure
from months import month_starts
from printing import SEPARATOR
from random_run import ERASURE_KEY, RandomRun
from random_runs import Violated
from report_compare import check_views
from server import Server
from snapshot import Snapshot
from state import differing
from values import DAY

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
OTHERS = ("load", "load-again", "load-failing", "forget", "forget", "undo", "retention", "replay", "accept", "accept",
          "undo-acceptance", "grant", "migrate", "refresh", "refresh", "zone", "prune")
# The views that are compared with the rows after a refresh, before which another one may have been killed.
VIEWS = ("revenue_by_day", "sandbox_revenue_by_day", "product_by_day", "player_revenue", "purchase")


class Run(RandomRun):
    script = "scripts/test model"

    def __init__(self, server: Server, program: Path, seed: int, number: int) -> None:
        name = f"{seed} {number}"
        choice, now = random.Random(f"times {name}"), int(time.time() * 1000)
        months = month_starts(now)
        # Two days of each month, so that times often collide, but a month is not always the same.
        moments = [start + choice.randrange(27) * DAY + choice.randrange(DAY) for start in months for _ in range(2)]
        # A line within a day after the start of a load is loaded, but moves no horizon.
        starts = (*months[2:], *(moment // 1000 * 1000 - DAY // 2 for moment in moments[4:]))
        observed_at = months[0] + 20 * DAY
        habits = Habits(WEIGHTS, OTHERS, 0.15, starts, (observed_at,))
        super().__init__(server, program, name, habits, PROFILE, moments, months)
        self.versions = FileVersions(months, now, observed_at)
        # Users by the HMACs of their tombstones.
        self.tombstones = {
            hmac.new(ERASURE_KEY, b"gamebase-ingest user\0" + user.encode(), "sha256").hexdigest(): user
            for user in USERS}
        # The committed events in order, and the model that they lead to.
        self.events: list[Event] = []
        self.model = Model(self.versions.parsed)
        # By path and stream: every version that a load has attempted.
        self.attempted: dict[tuple[str, str], set[Version]] = {}
        self.seen = Snapshot(self.session, "heap")

    def judge(self, step: Step, results: list[ProgramRun]) -> None:
        before, snapshot = self.model, Snapshot(self.session, "index" if self.done % 2 else "heap")
        new = Commits(self.versions, self.tombstones, self.seen, snapshot, step)
        self._explain(new)
        self._check_failures(step, snapshot)
        run = [(command, result.code) for command, result in zip(step.commands, results)
               if command.kind in ("setting", "rates")]
        if snapshot.settings not in (due := set(self.seen.settings.outcomes(run))):
            raise Violated(f"after {run} the database has {snapshot.settings}, expected one of {due}")
        effects = EffectCheck(new, before, self.model)
        for command, result in zip(step.commands, results):
            effects.check(command, result)
        if snapshot.orphans:
            raise Violated(f"rows of undone or unknown files: {snapshot.orphans}")
        self.seen = snapshot
        if any(command.kind == "forget" for command in step.commands):
            self._check_words()
        if step.name == "refresh" and (differences := check_views(self.session.connection, VIEWS)):
            raise Violated("\n    ".join(["views differ from the rows:", *differences]))

    def conclude(self) -> None:
        self._check_words()
        for left in self.server.left_by_loaders(self.database):
            raise Violated(left)
        check_nothing_new(self.model, self.versions, self)

    def _check_words(self) -> None:
        check_erased_words(self.session, {user for user, app in self.model.erased if app is None})

    def _explain(self, new: Commits) -> None:
        """Accepts the first order of events that leads to the rows of the database."""
        found: list[list[str]] = []
        for events, model in itertools.islice(new.explanations(self.events, self.model), 3000):
            tables = model.state() | {"reject_total": model.reject_totals()}
            if tables == new.found.state:
                self.events, self.model = events, model
                return
            found.append([
                f"{table}: {row.replace(SEPARATOR, '|')[:400]} {what}"
                for table, missing, surplus in differing(tables, new.found.state)
                for what, rows in (("is missing", missing), ("is unexpected", surplus)) for row in rows])
        raise Violated("\n    ".join([
            f"no order of {sum(new.certain, [])} with {new.undo} leads to the stored rows. The closest differs in:",
            *min(found, key=len, default=[])]))

    def _check_failures(self, step: Step, snapshot: Snapshot) -> None:
        touched: set[str] = set()
        for command, one, version in self.versions.attempts(step.commands):
            if not command.is_dry:
                self.attempted.setdefault((one.path, one.file.stream), set()).add(version)
                touched |= {one.path, version.sha256}
        for stream, path in sorted({row[:2] for row in snapshot.failed_rejects}):
            parsed = [self.versions.parsed(version) for version in self.attempted.get((path, stream), ())]
            left = [reject for one in parsed for reject in self.model.rejects_left(one)]
            # A line that names an erased user beside another one is only emptied where it was kept before the erasure.
            left += [as_after_erasure(one, reject) for one in parsed for reject in one.rejects
                     if self.model.erased and not keeps_bytes(one, reject)]
            allowed = {(stream, path, reject.line, reject.code, hashlib.sha256(reject.raw[:4096]).hexdigest())
                       for reject in left}
            if surplus := {row for row in snapshot.failed_rejects if row[:2] == (stream, path)} - allowed:
                raise Violated(f"ingest.failed_reject has lines of {path} of an erased user or of no file: {surplus}")
        is_pruned = any(command.kind == "prune" for command in step.commands)
        for number, (_, path, sha256) in self.seen.failed.items():
            if number not in snapshot.failed and path not in touched and sha256 not in touched and not is_pruned:
                raise Violated(f"the failure of {path} was deleted, but no command loads this file")
