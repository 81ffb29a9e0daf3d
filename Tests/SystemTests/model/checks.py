"""Checks of the effect of one command on the database, and checks at the end of a run."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from commands import Attempt, Command, Step
from commits import Commits, FileVersions, files_of
from data import MARKER
from events import Accept, Load
from loader import ProgramRun
from merge import OUTCOMES
from model import Model
from months import table_of
from random_run import RandomRun
from random_runs import Violated
from server import Session


def fits(limit: str | None, rejected: int, lines: int, blank: int) -> bool:
    """True when a file with this number of refused lines is within --max-rejects."""
    if limit == "unlimited":
        return True
    if rejected and rejected + blank == lines:
        # The file has no good line.
        return False
    if limit is None:
        return not (rejected > 100 and rejected * 100 > lines)
    if limit.endswith("%"):
        return rejected * 100 <= float(limit[:-1]) * lines
    return rejected <= int(limit)


def _is_whole(raw: bytes) -> bool:
    """False of a line without its bytes, and of one that is kept up to a text that names a token."""
    with contextlib.suppress(ValueError):
        json.loads(raw)
        return True
    return False


@dataclass
class EffectCheck:
    """Compares the exit code of a step's command with the database before and after it."""

    new: Commits
    before: Model
    after: Model

    def check(self, command: Command, result: ProgramRun) -> None:
        if result.code < 0 or command.is_dry:
            return
        wrong = [*(self._load(command, result.code) if command.kind == "load" else ()),
                 *(self._left_by(command) if result.code in (0, 3) else ())]
        if wrong:
            raise Violated(f"{wrong[0]}: {command}\n    exit {result.code}: {result.text[-500:]}")

    def _left_by(self, command: Command) -> Iterator[str]:
        """What the command should have done, and did not. Beside other commands only an erasure is certain."""
        if command.kind == "forget":
            yield from (f"{user} is not erased" for user in command.users
                        if (user, command.app) not in self.after.erased)
        elif not self.new.step.is_alone:
            return
        elif command.kind == "retention":
            tables = [table_of(stream, start) for stream, start in self.new.files.months_to_drop(command)]
            yield from (f"{table} still exists" for table in tables if table in self.new.found.months)
        elif command.kind == "undo":
            yield from (f"file {entry.number} is not undone" for entry in self.new.found.files.values()
                        if command.target in (entry.number, -entry.load) and not entry.is_undone)
        elif command.kind == "accept":
            event = Accept(0, command.choice, files_of(command.choice, self.new.found))
            yield from (f"line {line} is not accepted" for line in self.after.with_lines(event).lines or ())
        elif command.kind == "undo-acceptance" and not self.new.found.acceptances[command.target].is_undone:
            yield "the acceptance is not undone"
        elif command.kind == "replay":
            for number, file in self.after.files.items():
                fitting = dict(self.new.files.parsed(self.new.files.version_of(file.parsed.sha256)).rows)
                yield from (f"line {line} of file {number} is valid now but not loaded"
                            for line, reject in file.rejects.items()
                            if command.option("--stream") in (None, file.parsed.stream) and line in fitting
                            and line not in file.resolved and _is_whole(reject.raw))

    def _identity(self, sha256: str, stream: str, path: str) -> tuple[str, str, str]:
        """The identity of a file; its path is a part of it only if the file has no record."""
        parsed = self.new.files.parsed(self.new.files.version_of(sha256))
        return sha256, stream, path if parsed.is_empty else ""

    def _load(self, command: Command, code: int) -> list[str]:
        there = {self._identity(entry.sha256, entry.stream, entry.path)
                 for entry in self.new.found.files.values()
                 if not entry.is_undone or len(self.new.step.commands) > 1}
        loaded_before = {
            self._identity(file.parsed.sha256, file.parsed.stream, self.new.found.files[number].path)
            for number, file in self.before.files.items()}
        failed = {row[:2] for row in self.new.found.failed.values()}
        wrong, codes = [], {0}
        for _, one, version in self.new.files.attempts([command]):
            key = self._identity(version.sha256, one.file.stream, one.path)
            if code in (0, 3) and not one.is_broken and key not in there:
                wrong.append(f"{one.path} is not loaded")
            if one.is_broken:
                codes.add(5)
            if not self.new.step.is_alone or key in loaded_before:
                continue
            parsed = self.new.files.parsed(version)
            rejected = len(self.before.rejects_left(parsed))
            limit = command.option("--max-rejects")
            is_cut = parsed.is_cut and limit != "unlimited"
            is_due = not (one.is_broken or is_cut) and fits(limit, rejected, parsed.line_count, parsed.blank_count)
            if not one.is_broken and is_due != (key in there):
                wrong.append(f"{one.path} has {rejected} refused lines, and is {'not ' * is_due}loaded")
            if is_due == ((one.file.stream, one.path) in failed):
                wrong.append(f"{one.path} is {'' if is_due else 'not '}loaded, but ingest.failed_file says otherwise")
            if not is_due:
                codes.add(5 if is_cut or one.is_broken else 4)
            elif not wrong:
                file = next(f for f in self.after.files.values() if (f.parsed.sha256, f.parsed.stream) == key[:2])
                if file.counts["rejected"] or file.counts["conflicts"] or file.embedded["conflicts"]:
                    codes.add(3)
        if self.new.step.is_alone and code != max(codes):
            wrong.append(f"exit code {code}, expected {max(codes)}")
        return wrong


def check_erased_words(session: Session, erased: set[str]) -> None:
    """Raises Violated when a row contains a token or the id of an erased user in any spelling."""
    spellings: set[tuple[str, str]] = set()
    for word in (MARKER, *erased):
        doubled = word.replace("\\", "\\\\")
        escaped = doubled.replace('"', '\\"')
        spellings |= {(word, one) for one in (
            word, doubled.replace('"', '""'), escaped, word.encode().hex(), escaped.encode().hex())}
    tables = session.rows(
        """select format('%I.%I', n.nspname, c.relname) from pg_class c
        join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('game', 'ingest',
        'rollup', 'staging') and c.relkind in ('r', 'p') and not c.relispartition""")
    lines = " union all ".join(f"select '{table}' as place, t::text as line from {table} t" for (table,) in tables)
    rows = session.connection.execute(
        f"select distinct w.meant, t.place from unnest(%s::text[], %s::text[]) w (meant, word), ({lines}) t "
        "where position(w.word in t.line) > 0", [list(some) for some in zip(*spellings)]).fetchall()
    if rows:
        raise Violated(f"what was erased, or a token, is still there: {rows}")


def check_nothing_new(model: Model, versions: FileVersions, run: RandomRun) -> None:
    """Loads the lines of every loaded file again as a dry run, and compares the counts with the model.

    The files get another digest by an added blank line, so the loader must recognize each line by its row.
    """
    groups: dict[tuple[str, ...], list[Attempt]] = {}
    for loaded in model.files.values():
        file = versions.by_sha[loaded.parsed.sha256]
        end = b"" if file.content.endswith(b"\n") or not file.content else b"\n"
        other = replace(file, content=file.content + end + b" \n")
        groups.setdefault(tuple(file.options), []).append(run.maker.attempt(other, "", other.content))
    for options, attempts in groups.items():
        words = [*options, "--dry-run", "--jobs", "1", "--max-rejects", "unlimited"]
        [result] = run.take(Step("anew", [Command(["load", *(one.path for one in attempts), *words])]))
        reported = {one["path"]: one for one in result.files()}
        for one in attempts:
            # Each file of a dry run finds what was stored before it.
            due = model.copy().after(Load(10**9, versions.version(one.file, None))).files[10**9].counts
            counts = Counter({outcome: reported[one.path][outcome] for outcome in OUTCOMES})
            if counts != due:
                raise Violated(f"loaded again, {one.path} has {counts}, expected {due}")
