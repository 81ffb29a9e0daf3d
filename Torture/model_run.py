"""One run of the model-based tester: a fresh database, steps, and the model's word after each."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import os
import re
import signal
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from commands import Attempt, Command, fits
from data import MARKER
from invariants import _without
from loader import Loader, NeverStopped, Result, Running
from look import LedgerEntry, Look, look_at
from model import (
    MONTHLY, DropMonth, Erase, Event, History, Load, Picture, Replay, Version)
from oracle import SEPARATOR, OracleError, ParsedFile, Settings, masked, parse_bytes
from psql import Psql
from server import LOADER_NAME, Server
from steps import Step, Steps
from universe import USERS, File, UniverseWriter, month_starts

# Of loads of game users without a time.
OBSERVED = 20  # days after the first month's beginning
BOUND = 60.0
TABLE_OF_STREAM = {"level_up": "level_up", "game_user": "game_user_snapshot"}
# What no run may say, whatever befalls it.
NEVER_SAID = ("23505", "XX000", "please report", "Fatal error", "unexpectedly found", "23503", "42P01",
              "42703")
# The codes that a command can end with when nothing disturbs it and nothing is wrong.
CODES = {"load": {0, 3, 4, 5}, "replay": {0, 3}, "undo": {0, 64}, "forget": {0, 3}, "retention": {0},
         "grant": {0}, "migrate": {0}}


class Violated(Exception):
    """The state, or what a command said, is not what the model says."""


@dataclass
class World:
    """What the runs of a worker share."""

    seed: int
    folder: Path
    server: Server
    binary: Path
    now: int
    without: frozenset[str] = frozenset()

    @property
    def key_file(self) -> Path:
        return self.folder / "erasure.key"


class Run:
    """The `Place` that steps are made from, and the judge of what they leave."""

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.number = number
        self.name = f"{world.seed} {number}"
        self.folder = world.folder / f"run-{number}"
        self.inbox = self.folder / "inbox"
        self.inbox.mkdir(parents=True)
        self.database = f"m{number}"
        world.server.create(self.database, template="empty")
        self.psql = Psql(world.server, self.database)
        months = month_starts(world.now)
        self.writer = UniverseWriter(self.name, months, world.without)
        self.observed_at = months[0] + OBSERVED * 86_400_000
        self.loader = Loader(world.binary, self.folder, _rfc3339(self.observed_at))
        self.conninfo = world.server.conninfo(self.database)
        self.steps = Steps(self.name, self, months, world.without)
        self.files: list[File] = []
        self.by_sha: dict[str, File] = {}
        self.load_ids: list[int] = []
        self.history = History(self.parsed)
        self.parsed_versions: dict[Version, ParsedFile] = {}
        self.attempted: dict[tuple[str, str], set[Version]] = {}
        self.tombstones = {
            hmac.new(world.key_file.read_bytes(), b"gamebase-ingest user\0" + user.encode(),
                     "sha256").hexdigest(): user for user in USERS}
        self.commands: list[str] = []
        self.counter = itertools.count(1)
        self.seen = look_at(self.psql, "heap")
        self.texts = self._texts()

    # What steps are made from

    @property
    def erased_in_all(self) -> set[str]:
        return {user for user, app in self.history.picture.erased if app is None}

    @property
    def has_tombstones(self) -> bool:
        return bool(self.history.picture.erased)

    def active_files(self) -> list[int]:
        return sorted(self.history.picture.files)

    def path_of(self, number: int) -> str:
        return self.seen.files[number].path

    def sha256_of(self, number: int) -> str:
        return self.seen.files[number].sha256

    def store(self, file: File, content: bytes, suffix: str) -> str:
        """Writes bytes under a name of the file's; now and then over an earlier one of the same."""
        stem = file.name.removesuffix(".jsonl")
        path = self.inbox / f"{stem}-{next(self.counter)}.jsonl{suffix}"
        path.write_bytes(content)
        if ".broken" not in suffix:
            file.paths.append(path)
        self.by_sha[hashlib.sha256(file.content).hexdigest()] = file
        return str(path)

    # Files as they are read

    def version(self, file: File, as_of: int | None) -> Version:
        sha256 = hashlib.sha256(file.content).hexdigest()
        self.by_sha[sha256] = file
        # Nothing lies in the present month, so all later starts are the same.
        start = self.world.now if as_of is None or as_of > self.writer.months[-1] + 40 * 86_400_000 \
            else as_of
        return Version(sha256, file.stream, min(start, self.world.now))

    def parsed(self, version: Version) -> ParsedFile:
        if version not in self.parsed_versions:
            file = self.by_sha[version.sha256]
            self.parsed_versions[version] = parse_bytes(
                file.content, file.name,
                Settings(self.observed_at, version.as_of, file.app_id, file.unwrap), file.stream)
        return self.parsed_versions[version]

    # A step

    def step(self, number: int) -> None:
        step = self.steps.step(number)
        self.commands.append(f"{number:4}. {step}")
        results = self._carry_out(step)
        self.settle()
        self._judge(step, results, "index" if number % 2 else "heap")

    def _arguments(self, command: Command) -> list[str]:
        more = ["--database", self.conninfo]
        if command.kind == "load":
            more += ["--observed-at", self.loader.observed_at]
        return [*command.arguments, *more]

    def _start(self, command: Command, point: str | None = None) -> Running:
        if command.kind == "replay" and not command.is_dry:
            # As if the rules had been stricter once: what was too late a time then fits now.
            self.psql.ask("update ingest.source_file set as_of = now() where as_of < now()")
        stdin = None
        if command.stdin is not None:
            path = self.folder / f"stdin-{next(self.counter)}"
            path.write_bytes(command.stdin)
            stdin = os.open(path, os.O_RDONLY)
        try:
            return self.loader.command(
                self._arguments(command), stop_at=point, stdin=stdin, bound=BOUND,
                report="report.json" if command.kind == "load" else None,
                variables={"GAMEBASE_INGEST_ERASURE_KEY_FILE": str(self.world.key_file)})
        finally:
            if stdin is not None:
                os.close(stdin)

    def _carry_out(self, step: Step) -> list[Result]:
        if not step.commands:
            self.world.server.stop("immediate")
            self._server_back()
            return []
        if step.how == "alone":
            return [self._start(step.commands[0]).wait()]
        if step.is_disturbed:
            return [self._disturb(step)]
        if step.how == "held":
            return self._hold(step)
        running = [self._start(command) for command in step.commands[:1]]
        running[0].give(step.delay)
        running += [self._start(command) for command in step.commands[1:]]
        return [one.wait() for one in running]

    def _server_back(self) -> None:
        self.psql.close()
        self.world.server.start()
        self.world.server.wait_until_ready()

    def _disturb(self, step: Step) -> Result:
        running = self._start(step.commands[0], step.point)
        if step.point:
            try:
                running.wait_until_stopped()
            except NeverStopped:
                pass
        else:
            running.give(step.delay)
        if step.how == "crashed":
            self.world.server.stop("immediate")
            running.resume()
            result = running.wait()
            self._server_back()
            return result
        running.send(signal.SIGKILL if step.how == "killed" else signal.SIGTERM)
        running.resume()
        return running.wait()

    def _hold(self, step: Step) -> list[Result]:
        """Whoever hands a lock to the second command is held back until that one has ended."""
        first = self._start(step.commands[0], step.point)
        try:
            first.wait_until_stopped(10)
        except NeverStopped:
            pass
        others = [self._start(command) for command in step.commands[1:]]
        self._poll(lambda: self._waiting() or _has_ended(others[0]), 0.4)
        first.resume()
        first.stopped_at = None
        # The variable is still set: at the next of its places it would stop again.
        end = time.monotonic() + 3
        while time.monotonic() < end and not _has_ended(first) and self._waiting():
            if first.state() == "T":
                first.resume()
        first.send(signal.SIGSTOP)
        self._poll(lambda: _has_ended(others[0]) or self._waiting(), 2)
        first.resume()
        first.stopped_at = step.point
        return [one.wait() for one in (first, *others)]

    def _poll(self, is_true, seconds: float) -> None:  # type: ignore[no-untyped-def]
        end = time.monotonic() + seconds
        while time.monotonic() < end and not is_true():
            time.sleep(0.001)

    def _waiting(self) -> bool:
        rows = self.psql.ask(
            f"""select count(*) from pg_stat_activity where datname = '{self.database}'
            and application_name = '{LOADER_NAME}' and wait_event_type = 'Lock'""")
        return rows[0][0] != "0"

    def settle(self) -> None:
        """Until no backend of a command is left."""
        end = time.monotonic() + 20
        question = f"""select count(*) from pg_stat_activity
            where application_name = '{LOADER_NAME}' and datname = '{self.database}'"""
        while self.psql.ask(question)[0][0] != "0":
            if time.monotonic() > end:
                raise Violated("backends are left 20 s after the end of all commands")
            time.sleep(0.001)

    # The verdict

    def _judge(self, step: Step, results: list[Result], plan: str) -> None:
        before = self.history.picture
        for command, result in zip(step.commands, results):
            self._check_words(step, command, result)
        look = look_at(self.psql, plan)
        events, maybe, undone = self._news(step, look)
        self._explain(step, look, events, maybe, undone)
        self._check_failures(step, results, look)
        for command, result in zip(step.commands, results):
            self._check_success(step, command, result, look, before)
        if look.orphans:
            raise Violated(f"rows of files that are undone or never were: {look.orphans}")
        self.seen = look
        self.load_ids = sorted({
            entry.load for entry in look.files.values() if not entry.is_undone})
        if any(command.kind == "forget" for command in step.commands):
            self.check_texts()

    def _check_words(self, step: Step, command: Command, result: Result) -> None:
        said = result.out + result.err + repr(result.report).encode()
        told = f"{command}\n    exit {result.code}: {result.text[-700:].strip()}"
        if result.timed_out:
            raise Violated(f"did not end within {result.seconds:.0f} s: {told}")
        if MARKER.encode() in said:
            raise Violated(f"a token is told: {told}")
        for words in NEVER_SAID:
            if words in result.text:
                raise Violated(f"said {words}: {told}")
        if result.code == 70:
            raise Violated(f"calls this its own defect: {told}")
        if step.is_disturbed:
            return
        allowed = set(CODES[command.kind])
        if command.kind == "load":
            if not any(one.is_broken for one in command.attempts):
                allowed.discard(5)
            if command.max_rejects in (None, "unlimited"):
                allowed.discard(4)
        elif command.kind == "undo" and command.with_later and step.how == "alone":
            allowed = {0}
        elif command.kind == "forget" and step.how:
            allowed = {3} if command.refused_count else {0}
            if command.refused_count and not command.users:
                allowed = {3, 64}
        if command.is_dry and command.kind == "forget":
            allowed |= {0, 3}
        if result.code not in allowed:
            raise Violated(f"exit code {result.code}, due was one of {sorted(allowed)}: {told}")

    def _news(
        self, step: Step, look: Look
    ) -> tuple[list[list[Event]], list[list[Event]], set[int]]:
        """What the database says was committed since: in lists that have an order of their own."""
        real = [command for command in step.commands if not command.is_dry]
        loads: list[Event] = []
        given = {(self.version(one.file, command.as_of).sha256, one.path): command
                 for command in real for one in command.attempts if not one.is_broken}
        for number, entry in look.files.items():
            if number in self.seen.files:
                if self.seen.files[number].is_undone and not entry.is_undone:
                    raise Violated(f"{entry} was undone and is loaded again under its old number")
                continue
            if (entry.sha256, entry.path) not in given:
                raise Violated(f"the ledger has {entry}, which nobody was given")
            loads.append(Load(number, self._version_of(entry, given[entry.sha256, entry.path])))
        if set(self.seen.files) - set(look.files):
            raise Violated("the ledger has lost entries")
        erasures: list[Event] = []
        meant = {(user, command.app) for command in real for user in command.users}
        for user_hmac, app in sorted(look.erased - self.seen.erased, key=str):
            user = self.tombstones.get(user_hmac)
            if user is None or (user, app) not in meant:
                raise Violated(
                    f"a tombstone in application {app} of "
                    f"{user or 'somebody who never was: an altered id was taken for one'}")
            erasures.append(Erase(user, app))
        if self.seen.erased - look.erased:
            raise Violated("a tombstone is gone")
        undone = {
            number for number, entry in look.files.items() if entry.is_undone
            and not (number in self.seen.files and self.seen.files[number].is_undone)}
        if undone and not any(command.kind == "undo" for command in real):
            raise Violated(f"files {undone} are undone, and nobody asked")
        replays = self._replays(real, look, loads, undone)
        drops, maybe = self._drops(step, real, look)
        # A user who is erased again leaves no new tombstone, and yet a line of another application may
        # have contradicted one of this since.
        erased = {(self.tombstones.get(user_hmac), app) for user_hmac, app in self.seen.erased}
        repeated: list[Event] = [Erase(user, app) for user, app in sorted(meant & erased, key=str)]
        # Rows of a file that was loaded and undone at once never counted.
        return [loads, erasures, replays, drops], [maybe, repeated], undone

    def _version_of(self, entry: LedgerEntry, command: Command) -> Version:
        """As it was read when it was loaded; a replay at once may have lifted the ledger's bound."""
        return self.version(self.by_sha[entry.sha256], command.as_of)

    def _replays(
        self, real: list[Command], look: Look, loads: list[Event], undone: set[int]
    ) -> list[Event]:
        replays: list[Event] = []
        for number, lines in look.resolved.items():
            new = [line for line in lines if line not in self.seen.resolved.get(number, [])]
            if not new:
                continue
            if not any(command.kind == "replay" for command in real):
                raise Violated(f"rejects of file {number} are resolved, and nobody replayed")
            entry = look.files[number]
            replays.append(Replay(
                number, self.version(self.by_sha[entry.sha256], None), tuple(new)))
        return replays

    def _drops(
        self, step: Step, real: list[Command], look: Look
    ) -> tuple[list[Event], list[Event]]:
        """In the order in which a retention drops them."""
        due = {
            (stream, start): end for command in real if command.kind == "retention"
            for stream in command.streams
            for start, end in self._months_before(command.keep)}
        drops: list[Event] = []
        maybe: list[Event] = []
        for table, oid in self.seen.months.items():
            if look.months.get(table) != oid:
                stream, start = _month_of(table)
                if (stream, start) not in due:
                    raise Violated(f"{table} is gone, and was to be kept")
                drops.append(DropMonth(stream, start, due[stream, start]))
        if len(step.commands) > 1:
            for (stream, start), end in due.items():
                table = _table_of(stream, start)
                if table in self.seen.months and look.months.get(table) != self.seen.months[table]:
                    continue
                if table not in look.months:
                    drops.append(DropMonth(stream, start, end))
                elif table not in self.seen.months:
                    maybe.append(DropMonth(stream, start, end))

        def order(event: Event) -> tuple[int, str]:
            assert isinstance(event, DropMonth)
            return event.start, event.stream

        return sorted(drops, key=order), sorted(maybe, key=order)

    def _months_before(self, keep: int) -> list[tuple[int, int]]:
        months = [*self.writer.months, month_starts(self.world.now + 40 * 86_400_000)[-1]]
        return [
            (start, end) for start, end in zip(months, months[1:])
            if len(self.writer.months) - months.index(start) >= keep]

    def _explain(
        self, step: Step, look: Look, events: list[list[Event]], maybe: list[list[Event]],
        undone: set[int],
    ) -> None:
        """Accepts the first order of events that leaves what is there."""
        nearest: list[str] | None = None
        trials = itertools.chain(
            self.history.explanations(events, undone),
            self.history.explanations(events + maybe, undone) if any(maybe) else ())
        for order, picture in itertools.islice(trials, 3000):
            tables = picture.state().tables
            if tables == look.state:
                self.history.accept(order, picture)
                return
            differences = _differences(tables, look.state)
            if nearest is None or len(differences) < len(nearest):
                nearest = differences
        told = [event for one in events for event in one]
        raise Violated(
            f"no order of {told}, undone {sorted(undone)}, leaves what is there. The nearest:\n    "
            + "\n    ".join(nearest or []))

    # Files that failed

    def _check_failures(self, step: Step, results: list[Result], look: Look) -> None:
        touched: set[str] = set()
        for command in step.commands:
            for one in command.attempts:
                version = self.version(one.file, command.as_of)
                if not command.is_dry:
                    self.attempted.setdefault((one.path, one.file.stream), set()).add(version)
                    touched |= {one.path, version.sha256}
        for number, rows in look.failed_rejects.items():
            stream, path, _ = look.failed[number]
            allowed = {
                (reject.line, reject.code,
                 hashlib.sha256(masked(reject.line_bytes)[:4096]).hexdigest())
                for version in self.attempted.get((path, stream), ())
                for reject in self.history.picture.rejects_left(self.parsed(version))}
            surplus = [row for row in rows if row not in allowed]
            if surplus:
                raise Violated(
                    f"ingest.failed_reject has lines of {path} that may not be there (of an erased "
                    f"user, or never in it): {surplus}")
        for number, (stream, path, sha256) in self.seen.failed.items():
            if number not in look.failed and path not in touched and sha256 not in touched:
                raise Violated(f"the story of {path}, which failed, is gone")

    def _check_success(
        self, step: Step, command: Command, result: Result, look: Look, before: Picture
    ) -> None:
        if result.code < 0 or command.is_dry:
            return
        told = f"{command}\n    exit {result.code}: {(result.out + result.err).decode()[-500:]}"
        alone = step.how == "alone"
        if command.kind == "load":
            self._check_load(step, command, result, look, before, told)
        elif command.kind == "forget" and result.code in (0, 3):
            for user in command.users:
                if (user, command.app) not in self.history.picture.erased:
                    raise Violated(f"{user} is not erased: {told}")
        elif command.kind == "retention" and result.code == 0 and alone:
            for start, _ in self._months_before(command.keep):
                for stream in command.streams:
                    if _table_of(stream, start) in look.months:
                        raise Violated(f"{_table_of(stream, start)} is still there: {told}")
        elif command.kind == "undo" and alone:
            for target in command.targets:
                numbers = [target] if target > 0 else [
                    entry.number for entry in look.files.values() if entry.load == -target]
                left = [number for number in numbers if not look.files[number].is_undone]
                if result.code == 0 and left:
                    raise Violated(f"files {left} are not undone: {told}")
        elif command.kind == "replay" and result.code in (0, 3) and alone:
            self._check_replayed(command, told)

    def _check_replayed(self, command: Command, told: str) -> None:
        for number, file in self.history.picture.files.items():
            if command.stream not in (None, file.parsed.stream):
                continue
            version = self.version(self.by_sha[file.parsed.sha256], None)
            fitting = {line for line, _ in self.parsed(version).rows}
            left = [line for line in file.rejects if line in fitting and line not in file.resolved]
            if left:
                raise Violated(f"lines {left} of file {number} fit now, and are not loaded: {told}")

    def _check_load(
        self, step: Step, command: Command, result: Result, look: Look, before: Picture, told: str
    ) -> None:
        there = {(entry.sha256, entry.stream) for entry in look.files.values()
                 if not entry.is_undone or len(step.commands) > 1}
        codes = set()
        for one in command.attempts:
            version = self.version(one.file, command.as_of)
            key = (version.sha256, one.file.stream)
            if result.code in (0, 3) and not one.is_broken and key not in there:
                raise Violated(f"{one.path} is not loaded: {told}")
            failed = any(path == one.path for _, path, _ in look.failed.values())
            if step.how != "alone":
                continue
            if one.is_broken:
                codes.add(5)
                if key not in {(f.parsed.sha256, f.parsed.stream) for f in before.files.values()} \
                        and not failed:
                    raise Violated(f"{one.path} failed, and ingest.failed_file says nothing: {told}")
                continue
            if any((file.parsed.sha256, file.parsed.stream) == key for file in before.files.values()):
                continue
            parsed = self.parsed(version)
            rejected = len(before.rejects_left(parsed))
            nothing_else = rejected and rejected + parsed.blank_count == parsed.line_count
            if fits(command.max_rejects, rejected, parsed.line_count):
                if nothing_else and command.max_rejects != "unlimited" and result.code == 4:
                    return
                if key not in there:
                    raise Violated(f"{one.path} fits, and is not loaded: {told}")
                if failed:
                    raise Violated(f"{one.path} is loaded, and still told of as failed: {told}")
                file = next(f for f in self.history.picture.files.values()
                            if (f.parsed.sha256, f.parsed.stream) == key)
                if file.counts.rejected or file.counts.conflicts:
                    codes.add(3)
            else:
                codes.add(4)
                if key in there:
                    raise Violated(f"{one.path} has {rejected} refused lines, and is loaded: {told}")
                if not failed:
                    raise Violated(f"{one.path} failed, and ingest.failed_file says nothing: {told}")
        if step.how == "alone" and result.code != max(codes, default=0):
            raise Violated(f"exit code {result.code}, due was {max(codes, default=0)}: {told}")

    # Words that may be nowhere

    def _texts(self) -> str:
        tables = self.psql.ask(
            """select format('%I.%I', n.nspname, c.relname) from pg_class c
            join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('game', 'ingest',
            'staging') and c.relkind in ('r', 'p') and not c.relispartition""")
        return " union all ".join(
            f"select '{table[0]}' as place, t::text as line from {table[0]} t" for table in tables)

    def check_texts(self) -> None:
        """No erased user's id, and no token, is in any row of any table."""
        words = {MARKER: MARKER} | {user: user for user in self.erased_in_all}
        spellings = []
        for meant, word in words.items():
            doubled = word.replace("\\", "\\\\")
            escaped = word.replace("\\", "\\\\").replace('"', '\\"')
            for one in {word, doubled.replace('"', '""'), escaped, word.encode().hex(),
                        escaped.encode().hex()}:
                spellings.append((meant, one))
        values = ", ".join(
            "({}, {})".format(_literal(meant), _literal(one)) for meant, one in spellings)
        rows = self.psql.ask(
            f"select distinct w.meant, t.place from (values {values}) w (meant, word), "
            f"({self.texts}) t where position(w.word in t.line) > 0")
        if rows:
            raise Violated(f"what was erased, or a token, is still there: {rows}")

    # The end of a run

    def conclude(self) -> None:
        """The words once more, and all that is loaded again under other bytes: nothing is new."""
        self.check_texts()
        self._check_leftovers()
        self._load_anew()

    def _check_leftovers(self) -> None:
        rows = self.psql.ask(
            "select 'prepared transactions' from pg_prepared_xacts",
            "select 'advisory locks' from pg_locks where locktype = 'advisory' and database = "
            "(select oid from pg_database where datname = current_database())",
            "select 'temporary tables ' || relname from pg_class where relpersistence = 't'")
        if rows:
            raise Violated(f"left over: {rows}")

    def _load_anew(self) -> None:
        """As a dry run; whatever a row's digest says, its line must be recognised."""
        groups: dict[tuple[str, ...], list[tuple[File, Path]]] = {}
        for number, loaded in self.history.picture.files.items():
            file = self.by_sha[loaded.parsed.sha256]
            end = b"" if file.content.endswith(b"\n") or not file.content else b"\n"
            other = File(file.name, file.stream, file.content + end + b" \n", file.app_id, file.unwrap)
            path = self.inbox / f"{file.name.removesuffix('.jsonl')}-anew-{number}.jsonl"
            path.write_bytes(other.content)
            groups.setdefault(file.options, []).append((other, path))
        for options, files in groups.items():
            command = Command(
                "load", ["load", *(str(path) for _, path in files), *options, "--dry-run", "--jobs", "1",
                         "--max-rejects", "unlimited"], is_dry=True,
                attempts=[Attempt(file, str(path)) for file, path in files], max_rejects="unlimited")
            result = self._start(command).wait()
            step = Step("anew", [command])
            self._check_words(step, command, result)
            reported = {one["path"]: one for one in (result.report or {}).get("files", [])}  # type: ignore[attr-defined]
            picture = self.history.picture.copy()
            for place, (file, path) in enumerate(files):
                version = self.version(file, None)
                picture.after(Load(10**9 + place, version))
                due = picture.files[10**9 + place].counts
                found = reported[str(path)]
                counts = {name: found[name] for name in vars(due)}
                if counts != vars(due):
                    raise Violated(
                        f"loaded anew, {path.name} has {counts}, due is {vars(due)}: {command}")

    def close(self, drop: bool = True) -> None:
        self.psql.close()
        if drop:
            self.world.server.drop(self.database)


def _differences(due: dict[str, list[str]], found: dict[str, list[str]]) -> list[str]:
    told = []
    for table, rows in due.items():
        there = found.get(table, [])
        for what, some in (("is missing", _without(rows, there)), ("is too much", _without(there, rows))):
            told += [f"{table}: {row.replace(SEPARATOR, '|')[:400]} {what}" for row in some]
    return told


def _has_ended(running: Running) -> bool:
    return running.state() == "Z"


def _rfc3339(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _table_of(stream: str, start: int) -> str:
    return TABLE_OF_STREAM[stream] + datetime.fromtimestamp(
        start / 1000, timezone.utc).strftime("_%Y_%m")


def _month_of(table: str) -> tuple[str, int]:
    found = re.fullmatch(r"(.*)_(\d{4})_(\d\d)", table)
    if not found:
        raise OracleError(f"{table} is no month")
    stream = next(name for name in MONTHLY if TABLE_OF_STREAM[name] == found[1])
    start = datetime(int(found[2]), int(found[3]), 1, tzinfo=timezone.utc)
    return stream, int(start.timestamp() * 1000)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
