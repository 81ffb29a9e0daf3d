"""Changes one place of a database function at a time, and expects a test to fail.

Run by scripts/mutate-sql, which explains the options.

baseline.tsv is a file of --results: the digest of each mutant's text, its name, and the test that noticed it. A sample
holds every smaller one, so a larger number goes on with it, and so does a run that was stopped. Paths begin in Tests:

    scripts/mutate-sql --only ingest. --only staging. --sample 80 --results SystemTests/mutants/baseline.tsv

After tests have changed, the same sample with another file of --results must have the same names.

baseline_swift.tsv has mutants of the Swift sources that universalmutator made, and the test that noticed each. A mutant
is one line, so it is made again by hand.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

import pytest

from mutants import Mutant, mutants
from mutation_judge import ROOT, Judge
from random_runs import sampled
from server import Server, folder_of_servers

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
        yield Judge(Server(folder / "server"), program, pytestconfig.getoption("--seed"))


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
    start = text.index("create or replace")
    lines = difflib.unified_diff(
        text[start:text.index("\nrevoke")].splitlines(), mutant.script.splitlines(), lineterm="", n=0)
    return "\n".join(f"    {line}" for line in list(lines)[2:] if not line.startswith("@@"))
