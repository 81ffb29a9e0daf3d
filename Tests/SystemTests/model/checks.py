"""Checks of one command: its exit code, its output, and its effect on the database; and checks at the end of a run."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from commands import Attempt, Command, Step, fits
from commits import FileVersions, files_of
from data import MARKER
from events import Accept, Load
from invariants import LEFTOVERS
from loader import Result
from model import Model
from months import months_before, table_of
from random_runs import Violated
from snapshot import Session, Snapshot
from step_runner import StepRunner
from universe import File

if TYPE_CHECKING:
    from judge import History

# Texts that no command may print, whatever disturbs it.
FORBIDDEN_TEXTS = ("23505", "XX000", "please report", "Fatal error", "unexpectedly found", "23503", "42P01", "42703")
# The exit codes of an undisturbed command.
CODES = {
    "load": {0, 3, 4, 5}, "replay": {0, 3}, "undo": {0, 64}, "forget": {0, 3}, "retention": {0}, "accept": {0, 3},
    "undo-acceptance": {0, 64}, "grant": {0}, "migrate": {0}, "refresh": {0}, "setting": {0}, "rates": {0, 5, 78},
    "prune": {0},
}


def check_words(step: Step, command: Command, result: Result) -> None:
    """Checks the output and the exit code, without the database."""
    output = result.out + result.err + repr(result.report).encode()
    context = f"{command}\n    exit {result.code}: {result.text[-700:].strip()}"
    if result.timed_out:
        raise Violated(f"did not end within {result.seconds:.0f} s: {context}")
    if MARKER.encode() in output:
        raise Violated(f"the output contains a purchase token: {context}")
    if found := [words for words in FORBIDDEN_TEXTS if words in result.text]:
        raise Violated(f"the output contains {found}: {context}")
    if result.code == 70:
        raise Violated(f"exit code 70 (internal error): {context}")
    if step.is_disturbed:
        return
    allowed = set(CODES[command.kind])
    if command.kind == "load":
        # Under another limit a file can end in the middle of a line.
        if command.option("--max-rejects") == "unlimited":
            allowed.discard(4)
            if not any(one.is_broken for one in command.attempts):
                allowed.discard(5)
    elif command.kind in ("undo", "undo-acceptance") and "--with-later" in command.arguments and step.how == "alone":
        allowed = {0}
    elif command.kind == "forget" and step.how:
        allowed = {3} if command.refused_count else {0}
        if command.refused_count and not command.users:
            allowed = {3, 64}
    if command.is_dry and command.kind == "forget":
        allowed |= {0, 3}
    if result.code not in allowed:
        raise Violated(f"exit code {result.code}, expected one of {sorted(allowed)}: {context}")


def _is_whole(raw: bytes) -> bool:
    """False of a line without its bytes, and of one that is kept up to a text that names a token."""
    with contextlib.suppress(ValueError):
        json.loads(raw)
        return True
    return False


class EffectCheck:
    """Compares the exit code of a step's command with the database before and after it."""

    def __init__(self, files: FileVersions, step: Step, snapshot: Snapshot, before: Model, after: Model) -> None:
        self.files = files
        self.step = step
        self.snapshot = snapshot
        self.before = before
        self.after = after

    def check(self, command: Command, result: Result) -> None:
        if result.code < 0 or command.is_dry:
            return
        context = f"{command}\n    exit {result.code}: {(result.out + result.err).decode()[-500:]}"
        alone = self.step.how == "alone"
        if command.kind == "load":
            self._check_load(command, result, context)
        elif command.kind == "forget" and result.code in (0, 3):
            for user in command.users:
                if (user, command.app) not in self.after.erased:
                    raise Violated(f"{user} is not erased: {context}")
        elif command.kind == "retention" and result.code == 0 and alone:
            for start, _ in months_before(self.files.months, self.files.now, int(command.option("--keep") or 0)):
                for stream in command.streams:
                    if table_of(stream, start) in self.snapshot.months:
                        raise Violated(f"{table_of(stream, start)} still exists: {context}")
        elif command.kind == "undo" and alone:
            left = [entry.number for entry in self.snapshot.files.values()
                    if command.target in (entry.number, -entry.load) and not entry.is_undone]
            if result.code == 0 and left:
                raise Violated(f"files {left} are not undone: {context}")
        elif command.kind == "accept" and result.code in (0, 3) and alone:
            event = Accept(0, command.choice, files_of(command.choice, self.snapshot))
            left = self.after.with_lines(event).lines
            if left:
                raise Violated(f"lines {left} are not accepted: {context}")
        elif command.kind == "undo-acceptance" and result.code == 0 and alone:
            if not self.snapshot.acceptances[command.target].is_undone:
                raise Violated(f"the acceptance is not undone: {context}")
        elif command.kind == "replay" and result.code in (0, 3) and alone:
            self._check_replayed(command, context)

    def _check_replayed(self, command: Command, context: str) -> None:
        for number, file in self.after.files.items():
            if command.option("--stream") not in (None, file.parsed.stream):
                continue
            version = self.files.version(self.files.by_sha[file.parsed.sha256], None)
            fitting = {line for line, _ in self.files.parsed(version).rows}
            left = [line for line, reject in file.rejects.items()
                    if line in fitting and line not in file.resolved and _is_whole(reject.raw)]
            if left:
                raise Violated(f"lines {left} of file {number} are valid now but not loaded: {context}")

    def _identity(self, sha256: str, stream: str, path: str) -> tuple[str, str, str]:
        """The identity of a file; its path is a part of it only if the file has no record."""
        parsed = self.files.parsed(self.files.version(self.files.by_sha[sha256], None))
        return sha256, stream, path if parsed.is_empty else ""

    def _check_load(self, command: Command, result: Result, context: str) -> None:
        there = {self._identity(entry.sha256, entry.stream, entry.path)
                 for entry in self.snapshot.files.values()
                 if not entry.is_undone or len(self.step.commands) > 1}
        loaded_before = {
            self._identity(file.parsed.sha256, file.parsed.stream, self.snapshot.files[number].path)
            for number, file in self.before.files.items()}
        codes = set()
        for one in command.attempts:
            version = self.files.version(one.file, command.as_of)
            key = self._identity(version.sha256, one.file.stream, one.path)
            if result.code in (0, 3) and not one.is_broken and key not in there:
                raise Violated(f"{one.path} is not loaded: {context}")
            failed = (one.file.stream, one.path) in {
                (stream, path) for stream, path, _ in self.snapshot.failed.values()}
            if self.step.how != "alone":
                continue
            if one.is_broken:
                codes.add(5)
                if key not in loaded_before and not failed:
                    raise Violated(f"{one.path} failed, but ingest.failed_file has no row: {context}")
                continue
            if key in loaded_before:
                continue
            parsed = self.files.parsed(version)
            rejected = len(self.before.rejects_left(parsed))
            limit = command.option("--max-rejects")
            is_cut = parsed.is_cut and limit != "unlimited"
            if not is_cut and fits(limit, rejected, parsed.line_count, parsed.blank_count):
                if key not in there:
                    raise Violated(f"{one.path} is within --max-rejects but not loaded: {context}")
                if failed:
                    raise Violated(f"{one.path} is loaded but still in ingest.failed_file: {context}")
                file = next(f for f in self.after.files.values() if (f.parsed.sha256, f.parsed.stream) == key[:2])
                embedded = file.embedded.conflicts if file.embedded else 0
                if file.counts.rejected or file.counts.conflicts or embedded:
                    codes.add(3)
            else:
                codes.add(5 if is_cut else 4)
                if key in there:
                    raise Violated(f"{one.path} has {rejected} refused lines but is loaded: {context}")
                if not failed:
                    raise Violated(f"{one.path} failed, but ingest.failed_file has no row: {context}")
        if self.step.how == "alone" and result.code != max(codes, default=0):
            raise Violated(f"exit code {result.code}, expected {max(codes, default=0)}: {context}")


def check_erased_words(session: Session, erased: set[str]) -> None:
    """Raises Violated when a row contains a token or the id of an erased user in any spelling."""
    spellings = []
    for word in (MARKER, *erased):
        doubled = word.replace("\\", "\\\\")
        escaped = doubled.replace('"', '\\"')
        for one in {word, doubled.replace('"', '""'), escaped, word.encode().hex(), escaped.encode().hex()}:
            spellings += [word, one]
    values = ", ".join(["(%s, %s)"] * (len(spellings) // 2))
    tables = session.rows(
        """select format('%I.%I', n.nspname, c.relname) from pg_class c
        join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('game', 'ingest',
        'rollup', 'staging') and c.relkind in ('r', 'p') and not c.relispartition""")
    lines = " union all ".join(f"select '{table}' as place, t::text as line from {table} t" for (table,) in tables)
    rows = psycopg.ClientCursor(session.connection).execute(
        f"select distinct w.meant, t.place from (values {values}) w (meant, word), "
        f"({lines}) t where position(w.word in t.line) > 0", spellings).fetchall()
    if rows:
        raise Violated(f"what was erased, or a token, is still there: {rows}")


# The end of a run

def check_leftovers(session: Session) -> None:
    for what, query in LEFTOVERS.items():
        [(count,)] = session.rows(query)
        if count:
            raise Violated(f"{count} {what} left")


def check_nothing_new(history: History, versions: FileVersions, runner: StepRunner, inbox: Path) -> None:
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
            attempts=[Attempt(file, str(path)) for file, path in files])
        result = runner.start(command).wait()
        step = Step("anew", [command])
        check_words(step, command, result)
        reports = (result.report or {}).get("files", [])
        assert isinstance(reports, list)
        reported = {one["path"]: one for one in reports}
        for file, path in files:
            # Each file of a dry run finds what was stored before it.
            model = history.model.copy()
            model.after(Load(10**9, versions.version(file, None)))
            due = model.files[10**9].counts
            found = reported[str(path)]
            counts = {name: found[name] for name in vars(due)}
            if counts != vars(due):
                raise Violated(f"loaded again, {path.name} has {counts}, expected {vars(due)}: {command}")
