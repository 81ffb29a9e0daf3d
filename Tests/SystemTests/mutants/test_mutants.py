"""Changes one place of a database function at a time, and expects a test to fail.

Run by scripts/test mutants, which explains the options.

baseline.tsv is a file of --results: the digest of each mutant's text, its name, and the test that noticed it. A sample
holds every smaller one, so a larger number goes on with it, and so does a run that was stopped. Paths begin in Tests:

    scripts/test mutants --only ingest. --only staging. --sample 80 --results SystemTests/mutants/baseline.tsv

After tests have changed, the same sample with another file of --results must have the same names.

baseline_swift.tsv has mutants of the Swift sources that universalmutator made, and the test that noticed each. A mutant
is one line, so it is made again by hand.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mutants import Mutant, mutants
from random_runs import sampled
from server import Server, ServerError, folder_of_servers

ROOT = Path(__file__).resolve().parents[3]
# Seconds after which the cases, or the runs of the reports, count as hanging. Without a mutant none hangs.
PATIENCE = 900
# By the name of a function, the text of its file.
TEXTS = {path.stem: path.read_text() for path in sorted((ROOT / "sql/functions").glob("*.sql"))}
# By the name of a mutant that may live, its reason: in the file, the names follow their reason, and are indented.
REASONS: dict[str, str] = {}
reason = ""
for line in Path(__file__).with_name("explained_mutants.txt").read_text().splitlines():
    if line.startswith(" "):
        REASONS[line.strip()] = reason
    else:
        reason = line


@dataclass
class Judge:
    """A server with a mutant in its template database, and the tests that run on copies of that database."""

    server: Server
    binary: Path
    seed: int
    # By function: the file of pgTAP, or the case, that noticed its last mutant; it runs first.
    noticed: dict[str, str] = field(default_factory=dict)
    failed_case: str | None = None
    # Tests that pass without a mutant.
    good: set[str] = field(default_factory=set)

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
        # The files of pgTAP; those of the reports run the program, so the other ones are faster.
        paths = sorted((ROOT / "sql/tests").glob("*.sql"), key=lambda path: (
            path.name != self.noticed.get(function), function not in path.read_text(),
            path.name.startswith("report_"), path.name))
        slow = ("SystemTests/reports", "--seed", str(self.seed), "--runs", "3")
        if not function.startswith(("report.", "rollup.")):
            slow = ("Cases", "--numprocesses", "2")
        # A case that noticed a mutant of the function runs before the other ones.
        first = [name] if (name := self.noticed.get(function, "")).startswith("Cases/") else []
        for name in [*first, *(path.name for path in paths), slow[0]]:
            is_slow = not name.endswith(".sql")
            # Commands depend on timing and can fail on a busy machine, so each test of them gets a second try.
            if self.passes(name, slow) or is_slow and self.passes(name, slow):
                continue
            name = self.failed_case or name
            self.noticed[function] = name
            if name not in self.good:
                self.put(original)
                assert self.passes(name, slow), f"{name} fails without any mutant"
                self.good.add(name)
            return name
        return None

    def passes(self, name: str, slow: tuple[str, ...]) -> bool:
        """Runs a file of pgTAP tests, else a case, all cases or the random runs of the reports."""
        if not name.endswith(".sql"):
            command = ["/usr/bin/python3", "-m", "pytest", "-q", "--exitfirst", *(slow if name == slow[0] else [name])]
            variables = {"TEST_DATABASE": self.server.conninfo("postgres"), "TEST_TEMPLATE": "empty",
                         "TEST_PROGRAM": str(self.binary)}
        else:
            # Some tests run the program: those that commit, and those of roles.
            variables = {"GAMEBASE_INGEST": str(self.binary), "SQL_TEST_DATABASE": self.server.conninfo("rules_copy"),
                         "SQL_TEST_TEMPLATE": self.server.conninfo("rules")}
            path = ROOT / "sql/tests" / name
            # A file that begins with "begin;" rolls back and leaves the database as it was. The other files commit.
            first = next(line for line in path.read_text().splitlines() if not line.startswith("--"))
            database = "rules" if first == "begin;" else "rules_copy"
            if database == "rules_copy":
                self.server.create(database, "rules")
            command = ["psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--set=ON_ERROR_STOP=1",
                       f"--file={path}", f"--dbname={self.server.conninfo(database)}"]
        self.failed_case = None
        try:
            answer = subprocess.run(command, cwd=ROOT / "Tests", capture_output=True, text=True, timeout=PATIENCE,
                                    env=os.environ | variables)
        except subprocess.TimeoutExpired:
            return False
        finally:
            self.server.drop("rules_copy")
        self.failed_case = next(iter(re.findall(r"^FAILED (Cases/.*?\])(?: - |$)", answer.stdout, re.MULTILINE)), None)
        return not answer.returncode and not any(
            line.startswith(("not ok", "# Looks like")) and "# TODO" not in line for line in answer.stdout.splitlines())


def chosen_mutants(config: pytest.Config) -> list[Mutant]:
    only, sample, results = (config.getoption(name) for name in ("--only", "--sample", "--results"))
    found = [one for name, text in TEXTS.items() for one in mutants(name, text)
             if not only or one.name.startswith(tuple(only))]
    if sample is not None:
        # An explained mutant costs the time of all tests and shows nothing.
        found = sampled(config, [one for one in found if one.name not in REASONS], lambda one: one.name)
    # The digest is of the mutant's text, so that a mutant of a changed function is tried again.
    lines = results.read_text().splitlines() if results and results.exists() else []
    known = {tuple(line.split("\t")[:2]) for line in lines}
    return [one for one in found if (one.digest, one.name) not in known]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A mutant with a reason may live (XFAIL); one that is noticed all the same (XPASS) needs no reason any more."""
    metafunc.parametrize("mutant", [
        pytest.param(one, id=one.name, marks=pytest.mark.xfail(
            one.name in REASONS, reason=REASONS.get(one.name, ""), raises=pytest.fail.Exception))
        for one in chosen_mutants(metafunc.config)])


@pytest.fixture(scope="session")
def judge(program: Path, pytestconfig: pytest.Config) -> Iterator[Judge]:
    with folder_of_servers("mutants") as folder:
        results = pytestconfig.getoption("--results")
        lines = [line.split("\t") for line in results.read_text().splitlines()] if results and results.exists() else []
        noticed = {name.partition(" | ")[0]: killer for _, name, killer in lines}
        yield Judge(Server(folder / "server"), program, pytestconfig.getoption("--seed"), noticed)


def test_a_test_notices(mutant: Mutant, judge: Judge, pytestconfig: pytest.Config) -> None:
    original = TEXTS[mutant.function]
    try:
        if not judge.put(mutant.script):
            pytest.skip("not a valid function")
        killer = judge.killer(mutant.function, original)
    finally:
        judge.put(original)
    print("noticed by", killer)
    results = pytestconfig.getoption("--results")
    if results and (killer or mutant.name in REASONS):
        with results.open("a") as file:
            file.write(f"{mutant.digest}\t{mutant.name}\t{killer}\n")
    if killer is None:
        pytest.fail(f"{mutant.function}:{mutant.line}: no test notices:\n{diff(mutant, original)}", pytrace=False)


def diff(mutant: Mutant, text: str) -> str:
    # A mutant has no comment on the function.
    original = text[text.index("create or replace"):text.rindex("\n$$;\n") + 5]
    lines = difflib.unified_diff(original.splitlines(), mutant.script.splitlines(), lineterm="", n=0)
    return "\n".join(f"    {line}" for line in list(lines)[2:] if not line.startswith("@@"))
