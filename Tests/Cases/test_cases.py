"""Runs the cases of the *.test files. README.md describes their form."""

from __future__ import annotations

import difflib
import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from conftest import Database

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
RECORDS = json.loads((FOLDER / "records.json").read_text())
SECONDS_OF_A_COMMAND = 60
# A placeholder stands for a text that differs between two runs.
PLACEHOLDERS = {
    "time": r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: UTC|Z|\+00(?::00)?)?", "day": r"\d{4}-\d\d-\d\d",
    "seconds": r"\d+(?:\.\d+)? m?s\b", "number": r"-?\d[\d,]*(?:\.\d+)?", "digest": "[0-9a-f]{64}", "text": ".*"}
ANY_LINES = "..."
RECORDS_WHAT_COMES = os.environ.get("RECORD") == "1"


@dataclass
class Step:
    """A word, the text behind it, and the indented lines below it."""

    line: int
    word: str
    text: str
    block: list[str] = field(default_factory=list)
    # The last line of its block.
    end: int = 0

    def lines(self) -> list[str]:
        return [f"{self.word} {self.text}".rstrip(), *(f"  {line}".rstrip() for line in self.block)]


@dataclass
class Case:
    path: Path
    name: str
    steps: list[Step]

    def __str__(self) -> str:
        return f"{self.path.stem}: {self.name}"


def cases_of(path: Path) -> Iterator[Case]:
    """The cases of a file. Each begins with the steps that stand before the first case."""
    steps: list[Step] = []
    blanks = 0
    is_after_comment = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip():
            blanks += 1
            continue
        if line.startswith("  ") and steps and not is_after_comment:
            # A blank line within a block belongs to it.
            steps[-1].block += [""] * (blanks if steps[-1].block else 0) + [line[2:]]
            steps[-1].end = number
        elif line.startswith(" "):
            raise ValueError(f"{path.name}:{number}: a line that belongs to the word above it has two blanks before "
                             "it, and no comment above it")
        elif not line.startswith("#"):
            word, _, text = line.partition(" ")
            steps.append(Step(number, word, text.strip(), end=number))
        is_after_comment = line.startswith("#")
        blanks = 0
    starts = [at for at, step in enumerate(steps) if step.word == "case"]
    for start, end in zip(starts, [*starts[1:], len(steps)]):
        yield Case(path, steps[start].text, steps[:starts[0]] + steps[start + 1:end])


CASES = [case for path in sorted(FOLDER.glob("*.test")) for case in cases_of(path)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, database: Database, program: Path, tmp_path: Path) -> None:
    if RECORDS_WHAT_COMES:
        # The recording of an earlier case may have moved its lines.
        [case] = [one for one in cases_of(case.path) if one.name == case.name]
    run = Run(case, database, program, tmp_path)
    run.all_steps()
    run.write_recorded()


class Run:
    """The run of a case, in a folder and a database of its own."""

    def __init__(self, case: Case, database: Database, program: Path, folder: Path) -> None:
        self.case, self.database, self.folder = case, database, folder / "case"
        (folder / "bin").mkdir()
        (folder / "bin" / "gamebase-ingest").symlink_to(program)
        (folder / "bin" / "gamebase-night").symlink_to(ROOT / "deploy" / "gamebase-night")
        self.folder.mkdir()
        self.environment = database.environment | {
            "PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8",
            "PROJECT": str(FOLDER.parent.parent)}
        # The results of the last command or query, by the word that states them.
        self.came: dict[str, list[str]] = {}
        self.command = Step(0, "", "")
        # The steps that RECORD=1 writes into the file, each in place of a step.
        self.recorded: list[tuple[Step, Step]] = []

    def all_steps(self) -> None:
        for step in [*self.case.steps, None]:
            # A command ends with 0, unless the next step states another exit code.
            if "exit" in self.came and (step is None or step.word != "exit"):
                self.expect(self.command, "exit", ["0"])
            if step and step.word in self.came:
                self.expect(step, step.word, [step.text] if step.word == "exit" else step.block)
            elif step:
                act = getattr(self, f"do_{step.word}", None)
                if act is None:
                    self.fail(step, f"'{step.word}' is no word, or does not belong to the step above it: out, err and "
                              "exit follow a run, rows follow a query")
                try:
                    act(step)
                except (LookupError, ValueError, RuntimeError, subprocess.TimeoutExpired) as error:
                    self.fail(step, str(error))

    def do_file(self, step: Step) -> None:
        self.write(step.text, step.block)

    def do_record(self, step: Step) -> None:
        """Writes records of a stream: each given object, with the members of records.json that it lacks."""
        stream, _, path = step.text.partition(" ")
        if stream not in RECORDS:
            raise LookupError(f"records.json has no stream {stream}, only {', '.join(RECORDS)}")
        lines = []
        for line in step.block:
            names = json.loads(line)
            given = line.strip()[1:-1].strip()
            rest = [f'"{name}":{json.dumps(value)}' for name, value in RECORDS[stream].items() if name not in names]
            lines.append("{" + ",".join(([given] if given else []) + rest) + "}")
        self.write(path, lines)

    def write(self, name: str, lines: list[str]) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines))

    def do_run(self, step: Step) -> None:
        self.command = step
        done = subprocess.run(
            ["bash", "-c", "\n".join([step.text, *step.block])], cwd=self.folder, env=self.environment,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS_OF_A_COMMAND)
        out, err = (stream.decode(errors="backslashreplace").replace(str(self.folder), "{folder}").strip("\n")
                    for stream in (done.stdout, done.stderr))
        self.came = {"exit": [str(done.returncode)], "out": out.splitlines(), "err": err.splitlines()}

    def do_query(self, step: Step) -> None:
        self.command = step
        rows = self.database.ask("\n".join([step.text, *step.block]))
        lines = (" | ".join("NULL" if value == "\\N" else value for value in row) for row in rows)
        self.came = {"rows": [line.replace(str(self.folder), "{folder}") for line in lines]}

    def expect(self, step: Step, word: str, expected: list[str]) -> None:
        came = self.came.pop(word) if word == "exit" else self.came[word]
        if re.fullmatch("".join(map(pattern, expected)), "".join(f"{line}\n" for line in came)):
            return
        shown = shown_by(expected, came, ("time", "seconds") if RECORDS_WHAT_COMES else ())
        if RECORDS_WHAT_COMES:
            self.recorded.append((step, Step(0, word, *([shown[0]] if word == "exit" else ["", shown]))))
            return
        difference = [line for line in difflib.ndiff(expected, shown) if not line.startswith("?")]
        self.fail(step, f"{word} (- expected, + came):", *difference)

    def fail(self, step: Step, *message: str) -> None:
        command = step if step.word in ("file", "record", "query") else self.command
        others = [f"{word}: {line}" for word in ("out", "err") if word != step.word for line in self.came.get(word, [])]
        pytest.fail("\n".join([
            f"{self.case.path.name}:{step.line}: case {self.case.name}", *command.lines(), *message,
            *(["its other output:", *others] if others else []),
            f"repeat: scripts/test cases {shlex.quote(str(self.case))}"]), pytrace=False)


    def write_recorded(self) -> None:
        lines = self.case.path.read_text().splitlines()
        for old, new in reversed(self.recorded):
            # The exit code of a command that states none stands below it.
            kept = old.lines() if old.word == "run" else []
            lines[old.line - 1:old.end] = [*kept, *new.lines()]
            print(f"recorded {self.case.path.name}:{old.line} {new.word}")
            self.case.path.write_text("".join(f"{line}\n" for line in lines))


def pattern(line: str) -> str:
    """The regular expression of an expected line; blanks in a row match any number of them."""
    if line == ANY_LINES:
        return "(?:.*\n)*?"
    parts = re.split(r"(\{[a-z]+\}| +)", line.rstrip())
    known = {f"{{{name}}}": expression for name, expression in PLACEHOLDERS.items()}
    return "".join(" +" if part.isspace() else known.get(part, re.escape(part)) for part in parts) + " *\n"


def shown_by(expected: list[str], came: list[str], replaced: tuple[str, ...]) -> list[str]:
    """What came, in the words of the expectation wherever they match, and elsewhere with some placeholders."""
    shown = []
    for line in came:
        matching = [one for one in expected if one != ANY_LINES and re.fullmatch(pattern(one), line + "\n")]
        for name in () if matching else replaced:
            line = re.sub(PLACEHOLDERS[name], f"{{{name}}}", line)
        shown.append(matching[0] if matching else line)
    result: list[str] = []
    for kind, start, end, first, last in difflib.SequenceMatcher(None, expected, shown, False).get_opcodes():
        left_out = kind != "equal" and expected[start:end] == [ANY_LINES]
        result += [ANY_LINES] if left_out else shown[first:last]
    return result


def test_the_example_of_the_page_is_a_case() -> None:
    [example] = re.findall(r"^case .*?(?=^```)", (FOLDER / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    assert example in (FOLDER / "load.test").read_text()
