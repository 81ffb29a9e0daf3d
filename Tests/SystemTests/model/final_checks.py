"""The checks at the end of a run: no leftovers, and no new row when the same lines are loaded again."""

from __future__ import annotations

from pathlib import Path

from command_checks import check_words
from commands import Attempt, Command
from events import Load
from file_versions import FileVersions
from history import History
from invariants import LEFTOVERS
from psql import Psql
from step_runner import StepRunner
from steps import Step
from universe import File
from violated import Violated


def check_leftovers(psql: Psql) -> None:
    counts = psql.ask(*LEFTOVERS.values())
    for what, row in zip(LEFTOVERS, counts, strict=True):
        if row[0] != "0":
            raise Violated(f"{row[0]} {what} left")


def check_nothing_new(
    history: History, versions: FileVersions, runner: StepRunner, inbox: Path
) -> None:
    """Loads the lines of every loaded file again as a dry run, and compares the counts with the model.

    The files get another digest by an added blank line, so the loader must recognize each line by its row.
    """
    groups: dict[tuple[str, ...], list[tuple[File, Path]]] = {}
    for number, loaded in history.model.files.items():
        file = versions.by_sha[loaded.parsed.sha256]
        end = b"" if file.content.endswith(b"\n") or not file.content else b"\n"
        other = File(file.name, file.stream, file.content + end + b" \n", file.app_id, file.unwrap)
        path = inbox / f"{file.name.removesuffix('.jsonl')}-anew-{number}.jsonl"
        path.write_bytes(other.content)
        groups.setdefault(file.options, []).append((other, path))
    for options, files in groups.items():
        command = Command(
            "load",
            ["load", *(str(path) for _, path in files), *options, "--dry-run", "--jobs", "1",
             "--max-rejects", "unlimited"],
            is_dry=True, attempts=[Attempt(file, str(path)) for file, path in files],
            max_rejects="unlimited")
        result = runner.start(command).wait()
        step = Step("anew", [command])
        check_words(step, command, result)
        reports = (result.report or {}).get("files", [])
        assert isinstance(reports, list)
        reported = {one["path"]: one for one in reports}
        model = history.model.copy()
        for place, (file, path) in enumerate(files):
            version = versions.version(file, None)
            model.after(Load(10**9 + place, version))
            due = model.files[10**9 + place].counts
            found = reported[str(path)]
            counts = {name: found[name] for name in vars(due)}
            if counts != vars(due):
                raise Violated(
                    f"loaded again, {path.name} has {counts}, expected {vars(due)}: {command}")
