"""A server with a mutant in its template database, and the tests that run on copies of that database."""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from server import Server, ServerError

ROOT = Path(__file__).resolve().parents[3]
RULES = ROOT / "sql/tests"

# Seconds after which the cases, or the runs of the reports, count as hanging. Without a mutant none hangs.
_PATIENCE = 900
_REPORT_RUNS = 3

_Test = Callable[[], bool]


class BrokenTest(Exception):
    """A test that fails without any mutant."""


@dataclass
class Judge:
    server: Server
    binary: Path
    seed: int
    # By function: the test that noticed its last mutant; it runs first.
    _noticed: dict[str, str] = field(default_factory=dict)
    # Tests that pass without a mutant.
    _good: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        # Some tests read these settings. "fsync" costs nothing on a file system in memory.
        self.server.set_up(self.binary, log_statement="none", log_min_messages="panic", fsync="on")
        self.server.create("rules")
        self.server.ask("rules", "create extension pgtap with schema public")

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
            # Commands depend on timing and can fail on a busy machine, so each test of them gets a second try.
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
        """The files of pgTAP, then the random runs of the reports, or for the rest of the schema the cases."""
        # The tests of the reports run the program, so the other ones are faster.
        paths = sorted(RULES.glob("*.sql"), key=lambda path: (
            path.name != self._noticed.get(function), function not in path.read_text(),
            path.name.startswith("report_"), path.name))
        name, *arguments = ("the cases", "Cases", "--numprocesses", "2")
        if function.startswith(("report.", "rollup.")):
            name, *arguments = (
                "the report tester", "SystemTests/reports", "--seed", str(self.seed), "--runs", str(_REPORT_RUNS))
        return [*((path.name, functools.partial(self._rules, path)) for path in paths),
                (name, functools.partial(self._pytest, *arguments))]

    def _rules(self, path: Path) -> bool:
        """Runs a file of pgTAP tests; true when all pass."""
        # A file that begins with "begin;" rolls back and leaves the database as it was. The other files commit.
        first = next(line for line in path.read_text().splitlines() if not line.startswith("--"))
        database = "rules" if first == "begin;" else "rules_copy"
        # Some tests run the program: those that commit, and those of roles.
        program = {"GAMEBASE_INGEST": str(self.binary), "SQL_TEST_DATABASE": self.server.conninfo("rules_copy"),
                   "SQL_TEST_TEMPLATE": self.server.conninfo("rules")}
        with contextlib.ExitStack() as end:
            if database == "rules_copy":
                self.server.create("rules_copy", "rules")
                end.callback(self.server.drop, "rules_copy")
            answer = subprocess.run(
                ["psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--set=ON_ERROR_STOP=1",
                 f"--file={path}", f"--dbname={self.server.conninfo(database)}"],
                capture_output=True, text=True, env=os.environ | program)
        return not answer.returncode and not any(
            line.startswith(("not ok", "# Looks like")) and "# TODO" not in line for line in answer.stdout.splitlines())

    def _pytest(self, *arguments: str) -> bool:
        try:
            return subprocess.run(
                ["/usr/bin/python3", "-m", "pytest", "-q", "--exitfirst", *arguments],
                cwd=ROOT / "Tests", capture_output=True, timeout=_PATIENCE, env=os.environ | {
                    "TEST_DATABASE": self.server.conninfo("postgres"), "TEST_TEMPLATE": "empty",
                    "TEST_PROGRAM": str(self.binary)},
            ).returncode == 0
        except subprocess.TimeoutExpired:
            return False
