"""A server with a mutant in its template database, and the tests that run on copies of that database."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import report_test
from model_run import World
from model_test import one_run
from server import Server, ServerError

ROOT = Path(__file__).resolve().parents[3]
RULES = ROOT / "sql/tests"

# pgTAP only; also the cases and the Swift tests that are likely to notice a mutant; also the model tester and most Swift tests.
EFFORTS = ("rules", "likely", "all")

# Seconds after which a test counts as hanging. Without a mutant no test hangs.
_PATIENCE = 180
_MODEL_RUNS = 3
_MODEL_STEPS = 60
_REPORT_RUNS = 3

# By function: the Swift suites that are likely to notice a mutant, fastest first.
_LIKELY = {
    "accepted_changes": ("AcceptConflictsTests", "AcceptanceUndoTests"),
    "accept_conflicts": ("AcceptConflictsTests", "AcceptanceUndoTests"),
    "accept_lines": ("AcceptConflictsTests", "AcceptanceUndoTests"),
    "acceptable_fields": ("AcceptConflictsTests", "AcceptanceUndoTests"),
    "analyze_if_grown": ("LoaderRoleTests",),
    "clear_failures": ("FailuresCommandTests", "LoaderRoleTests"),
    "close_files": ("StagedAttackTests",),
    "conflicts_of_user": ("AcceptanceUndoTests",),
    "count_merged": ("KnownRowsTests",),
    "count_replayed": ("StagedAttackTests",),
    "drop_month": ("RetentionCommandTests",),
    "ensure_partition": ("RivalCommandTests", "JobTests", "LoaderRoleTests"),
    "embedded_conflict_condition": ("ReceiptsInEventsTests",),
    "embedded_keys_of_user": ("ReceiptsInEventsTests",),
    "erase_user": ("EraseUserTests", "RivalCommandTests", "ErasureRaceTests"),
    "forget_statistics": ("SpaceReclaimingTests", "LoaderRoleTests"),
    "hold_erasures": ("ErasureRaceTests",),
    "hold_stream": ("RivalCommandTests", "ErasureRaceTests"),
    "is_closed": ("StagedAttackTests",),
    "lock_key": ("RivalCommandTests",),
    "merge": ("KnownRowsTests", "MergeTests", "StagedAttackTests", "SpellingTests"),
    "month_partitions": ("RetentionCommandTests",),
    "natural_key_array": ("UndoTests",),
    "natural_key_condition": ("UndoTests", "TraceCommandTests"),
    "open": ("KnownRowsTests", "StagedAttackTests"),
    "open_files": ("StagedAttackTests",),
    "refuse_facts_without_file": ("StagedAttackTests",),
    "refuse_lines_of_other_files": ("StagedAttackTests",),
    "refuse_open_entry": ("StagedAttackTests",),
    "records_of_user": ("AcceptanceUndoTests",),
    "overlay": ("AcceptanceUndoTests", "AcceptConflictsTests"),
    "record_met_files": ("UndoTests", "UndoPropertyTests", "StagedAttackTests"),
    "restoring_assignments": ("AcceptConflictsTests", "AcceptanceUndoTests"),
    "reopen_file": ("StagedAttackTests",),
    "require_open_file": ("StagedAttackTests",),
    "resolve_rejects": ("StagedAttackTests",),
    "row_holders": ("SpaceReclaimingTests",),
    "share_catalog": ("RivalCommandTests",),
    "table_of": ("StagedAttackTests",),
    "take_back_lines": ("AcceptanceUndoTests", "AcceptConflictsTests"),
    "undo_acceptance": ("AcceptanceUndoTests",),
    "undo_rows": ("UndoOrderTests", "UndoTests", "AcceptanceUndoTests", "UndoPropertyTests"),
    "count_embedded": ("ReceiptsInEventsTests",),
    "undo_files": ("UndoOrderTests", "UndoTests", "AcceptanceUndoTests", "UndoPropertyTests"),
    "user_key_condition": ("AcceptanceUndoTests",),
}
# The suites that run together after the likely ones.
_OTHERS = (
    "AcceptConflictsTests", "AcceptanceUndoTests", "EraseUserTests", "ErasureRaceTests", "FailuresCommandTests",
    "ForgetUserCommandTests", "JobTests", "KnownRowsTests", "LoaderRoleTests", "MergeTests", "RejectsCommandTests",
    "RetentionCommandTests", "RivalCommandTests", "RoutingTests",
    "SmallFileTests", "SpaceReclaimingTests", "SpellingTests", "StagedAttackTests", "TraceCommandTests",
    "UndoOrderTests", "UndoPropertyTests", "UndoTests")

_Test = Callable[[], bool]


class BrokenTest(Exception):
    """A test that fails without any mutant."""


@dataclass
class Judge:
    server: Server
    binary: Path
    # The built Swift tests.
    tests: Path
    seed: int
    # The tests to run; one of EFFORTS.
    effort: str
    # The folder of the model tester.
    folder: Path
    # By function: the test that noticed its last mutant; it runs first.
    _noticed: dict[str, str] = field(default_factory=dict)
    # Tests that pass without a mutant.
    _good: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        # Some tests read these settings. "fsync" costs nothing on a file system in memory.
        self.server.configure(log_statement="none", log_min_messages="panic", fsync="on")
        self.server.start()
        self.server.create("rules")
        self.server.ask("rules", "create extension pgtap with schema public")
        self.world = World(self.seed, self.folder, self.server, self.binary, int(time.time() * 1000))

    def put(self, script: str) -> bool:
        """Installs the mutant; returns false when the server refuses its text."""
        try:
            for database in ("rules", "empty"):
                self.server.ask(database, script)
        except ServerError:
            return False
        return True

    def killer(self, function: str, original: str) -> str | None:
        """The first test that fails, or None when the mutant lives.

        - Parameter original: the text of the function's file, which shows whether a test fails because of the
          mutant. After a failed test the database has the original.
        """
        for name, test in self._tests(function):
            # Some Swift tests depend on timing and can fail on a busy machine, so each gets a second try.
            if test() or not name.endswith(".sql") and test():
                continue
            self._noticed[function] = name
            if name not in self._good:
                self.put(original)
                if not test():
                    raise BrokenTest(name)
                self._good.add(name)
            return name
        return None

    def _tests(self, function: str) -> list[tuple[str, _Test]]:
        suites = _LIKELY.get(function.partition(".")[2], ())
        others = [suite for suite in _OTHERS if suite not in suites]
        tests: dict[str, _Test] = {path.name: lambda path=path: self._rules(path)  # type: ignore[misc]
                                   for path in sorted(RULES.glob("*.sql"))}
        if self.effort != "rules" and not function.startswith(("report.", "rollup.")):
            tests |= {"the cases": self._cases}
        if self.effort != "rules":
            tests |= {suite: lambda suite=suite: self._swift([suite])  # type: ignore[misc]
                      for suite in suites}
        # Random runs judge the reports; the rest of the schema has suites of its own.
        if self.effort != "rules" and function.startswith(("report.", "rollup.")):
            tests |= {"the report tester": self._reports}
        if self.effort == "all":
            tests |= {"the model tester": self._model}
            tests |= {"other Swift tests": lambda: self._swift(others)}
        first = self._noticed.get(function)
        # The pgTAP tests of the reports run the program, so the other ones are faster.
        return sorted(tests.items(), key=lambda one: (
            not one[0].endswith(".sql"), one[0] != first, one[0].startswith("report_")))

    def _rules(self, path: Path) -> bool:
        """Runs a file of pgTAP tests; true when all pass."""
        # A file that begins with "begin;" rolls back and leaves the database as it was. The other files commit.
        first = next(line for line in path.read_text().splitlines() if not line.startswith("--"))
        if first == "begin;":
            return self._passes(path, "rules")
        self.server.create("rules_copy", "rules")
        try:
            return self._passes(path, "rules_copy")
        finally:
            self.server.drop("rules_copy")

    def _passes(self, path: Path, database: str) -> bool:
        # The tests that commit run the program.
        program = {"GAMEBASE_INGEST": str(self.binary), "SQL_TEST_DATABASE": self.server.conninfo("rules_copy")}
        answer = subprocess.run(
            [*self.server.psql(database), f"--file={path}"], capture_output=True, text=True, env=os.environ | program)
        lines = answer.stdout.splitlines()
        return not answer.returncode and not any(
            line.startswith(("not ok", "# Looks like")) and "# TODO" not in line for line in lines)

    def _swift(self, suites: list[str]) -> bool:
        process = subprocess.Popen(
            [self.tests, "--testing-library", "swift-testing", "--filter",
             rf"\.({'|'.join(suites)})/"],
            cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            env=os.environ | {"TEST_DATABASE": self.server.conninfo("postgres"), "TEST_TEMPLATE": "empty"})
        try:
            return process.wait(_PATIENCE) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            self._drop_left()
            return False

    def _cases(self) -> bool:
        return subprocess.run(
            ["/usr/bin/python3", "-m", "pytest", "-q", "--numprocesses", "2", "--exitfirst", "Cases"], cwd=ROOT / "Tests",
            capture_output=True, env=os.environ | {
                "TEST_DATABASE": self.server.conninfo("postgres"), "TEST_TEMPLATE": "empty", "TEST_PROGRAM": str(self.binary)},
        ).returncode == 0

    def _drop_left(self) -> None:
        left = self.server.ask("postgres", "select datname from pg_database where datname like 'ingest_test_%'")
        for row in left:
            self.server.drop(row[0])

    def _model(self) -> bool:
        for number in range(_MODEL_RUNS):
            try:
                verdict = one_run(self.world, number, _MODEL_STEPS)
            finally:
                self.server.drop(f"m{number}")
                shutil.rmtree(self.world.folder / f"run-{number}", ignore_errors=True)
            if verdict.violation:
                return False
        return True

    def _reports(self) -> bool:
        """Runs the report tester's scenes, then random runs; true when every view and rollup agrees."""
        return not any(
            report_test.one_run(self.seed, number, self.server, self.binary, self.world.folder).violation
            for number in [*report_test.NUMBERS, *range(_REPORT_RUNS)])
