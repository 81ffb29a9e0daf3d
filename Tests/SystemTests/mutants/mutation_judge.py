"""A server with a mutant in its template database, and the tests that run on copies of that database."""

from __future__ import annotations

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
        tests: dict[str, _Test] = {path.name: lambda path=path: self._rules(path)  # type: ignore[misc]
                                   for path in sorted(RULES.glob("*.sql"))}
        # Random runs judge the reports; the rest of the schema has cases.
        if function.startswith(("report.", "rollup.")):
            tests["the report tester"] = self._reports
        else:
            tests["the cases"] = self._cases
        first = self._noticed.get(function)
        naming = {path.name for path in RULES.glob("*.sql") if function in path.read_text()}
        # The pgTAP tests of the reports run the program, so the other ones are faster.
        return sorted(tests.items(), key=lambda one: (
            not one[0].endswith(".sql"), one[0] != first, one[0] not in naming, one[0].startswith("report_")))

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
        # Some tests run the program: those that commit, and those of roles.
        program = {"GAMEBASE_INGEST": str(self.binary), "SQL_TEST_DATABASE": self.server.conninfo("rules_copy"),
                   "SQL_TEST_TEMPLATE": self.server.conninfo("rules")}
        answer = subprocess.run(
            ["psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--set=ON_ERROR_STOP=1", f"--file={path}",
             f"--dbname={self.server.conninfo(database)}"], capture_output=True, text=True, env=os.environ | program)
        lines = answer.stdout.splitlines()
        return not answer.returncode and not any(
            line.startswith(("not ok", "# Looks like")) and "# TODO" not in line for line in lines)

    def _cases(self) -> bool:
        return self._pytest("Cases", "--numprocesses", "2")

    def _reports(self) -> bool:
        """Runs the report tester's scenes, then random runs; true when every view and rollup agrees."""
        return self._pytest("SystemTests/reports", "--seed", str(self.seed), "--runs", str(_REPORT_RUNS))

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
