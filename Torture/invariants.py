"""The invariants that hold after every fault, and again after the next clean run."""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass, field
from pathlib import Path

from data import MARKER
from loader import MEMORY_BOUND_KIB, Result
from oracle import State, expected_state
from parsed_file import ParsedFile
from server import Server
from state import PLANS, digest, read_state, rows_without

INVARIANTS = {
    "I1": "a file is there wholly or not at all",
    "I2": "no key twice, every value as the oracle computes it, by heap and by index",
    "I3": "the ledger's counts add up and are those of the tables",
    "I4": "what a run said it loaded is in the ledger",
    "I5": "after a clean run the state is that of an undisturbed one",
    "I6": "no token anywhere",
    "I7": "nothing is left over",
    "I8": "time and memory are bounded",
}
LEFTOVERS = {
    "prepared transactions are": "select count(*) from pg_prepared_xacts",
    "advisory locks are": """select count(*) from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())""",
    "temporary tables are": "select count(*) from pg_class where relpersistence = 't'",
}
# A killed loader's backend may be busy with a statement; it must end soon after.
BACKEND_PATIENCE = 20.0


@dataclass
class Violation:
    """A promise that was not kept."""

    invariant: str
    what: str

    def __str__(self) -> str:
        return f"{self.invariant} ({INVARIANTS[self.invariant]}): {self.what}"


@dataclass
class Checker:
    """Checks one database against the files that may be in it."""

    server: Server
    database: str
    versions: dict[tuple[str, str], ParsedFile]
    violations: list[Violation] = field(default_factory=list)
    # As it was read last.
    state: dict[str, list[str]] = field(default_factory=dict)

    def fail(self, invariant: str, what: str) -> None:
        self.violations.append(Violation(invariant, what))

    def ledger(self) -> list[ParsedFile]:
        """The loaded files in the order in which they were committed, stream by stream.

        A file gets its number under its stream's lock, so within a stream numbers tell the order;
        streams share nothing.
        """
        rows = self.server.ask(
            self.database, """select encode(sha256, 'hex'), stream, path from ingest.source_file
            where undone_at is null order by stream, source_file_id""")
        files = []
        for sha256, stream, path in rows:
            version = self.versions.get((sha256, stream))
            if version is None:
                self.fail("I1", f"{path} is in the ledger with bytes that it never had: {sha256}")
            else:
                if Path(path).name not in (version.name, "-"):
                    self.fail("I1", f"{version.name} is in the ledger as {path}")
                files.append(version)
        return files

    def settle(self) -> None:
        """Waits until no backend of a loader is left."""
        deadline = time.monotonic() + BACKEND_PATIENCE
        while True:
            left = self.server.backends(self.database)
            if not left:
                return
            if time.monotonic() > deadline:
                self.fail("I7", f"backends {left} are left {BACKEND_PATIENCE:.0f} s after the end")
                return
            time.sleep(0.02)

    def check(self, results: list[Result]) -> list[ParsedFile]:
        """Checks all that must hold at any time; returns the loaded files."""
        self.settle()
        files = self.ledger()
        expected = expectation(tuple(files))
        for plan in PLANS:
            self.state = read_state(self.server, self.database, plan)
            self.compare(expected, self.state, plan)
        self.check_leftovers()
        loaded = {(file.sha256, file.stream) for file in files}
        for result in results:
            self.check_result(result, loaded)
        return files

    def compare(self, expected: State, actual: dict[str, list[str]], plan: str) -> None:
        for table, rows in expected.tables.items():
            found = actual.get(table, [])
            if found == rows:
                continue
            missing = rows_without(rows, found)
            surplus = rows_without(found, rows)
            name = {"file": "I3", "reject": "I1"}.get(table, "I2")
            if not rows or any("no file" in row for row in surplus):
                name = "I1"
            self.fail(
                name, f"{table}, read by the {plan}: {len(found)} rows where {len(rows)} are due; "
                f"missing {_shown(missing)}; not expected {_shown(surplus)}")

    def check_leftovers(self) -> None:
        counts = self.server.ask(self.database, *LEFTOVERS.values())
        for what, row in zip(LEFTOVERS, counts, strict=True):
            if row[0] != "0":
                self.fail("I7", f"{row[0]} {what} left")
        left = [str(path) for path in self.server.data.glob("base/pgsql_tmp/*")]
        if left:
            self.fail("I7", f"temporary files are left: {left[:3]}")

    def check_result(self, result: Result, loaded: set[tuple[str, str]]) -> None:
        for where, content in (
            ("standard output", result.out), ("standard error", result.err),
            ("the report", repr(result.report).encode()),
        ):
            self.check_no_token(where, content)
        if result.timed_out:
            self.fail("I8", f"a run did not end within its time ({result.seconds:.0f} s)")
        if result.peak_kib > MEMORY_BOUND_KIB:
            self.fail("I8", f"a run took {result.peak_kib // 1024} MiB of memory")
        if result.code == 70:
            self.fail("I4", f"the program calls this its own defect: {result.text[-400:]}")
        files = (result.report or {}).get("files", [])
        assert isinstance(files, list)
        for file in files:
            here = (file.get("sha256"), file["stream"]) in loaded
            if file["status"] in ("loaded", "already_loaded") and not here:
                self.fail("I4", f"{file['path']} is reported as {file['status']}, and is not there")
        if result.code in (0, 3) and result.report_due and result.report is None:
            self.fail("I4", f"exit {result.code} without the report: {result.out[-200:]!r}")
        if result.code in (0, 3) and result.report:
            failed = [file["path"] for file in files if file["status"] == "failed"]
            if failed:
                self.fail("I4", f"exit {result.code} with failed files: {failed}")

    def check_no_token(self, where: str, content: bytes) -> None:
        at = content.find(MARKER.encode())
        if at >= 0:
            self.fail("I6", f"a token is in {where}: {content[max(0, at - 80):at + 30]!r}")

    def check_clean(self, files: list[ParsedFile], due: set[tuple[str, str]]) -> None:
        """After a clean run every file that is there is loaded, and no failure stays recorded."""
        loaded = {(file.sha256, file.stream) for file in files}
        names = {key: version.name for key, version in self.versions.items()}
        for key in due - loaded:
            self.fail("I5", f"{names[key]} is not loaded after a clean run")
        rows = self.server.ask(self.database, "select path, reason from ingest.failed_file")
        for path, reason in rows:
            # A file that is gone, and a pipe, failed for good.
            if Path(path).exists():
                self.fail("I5", f"{path} is loaded, and still told of as failed: {reason}")

    def digest(self) -> str:
        """Of the state as it was checked last."""
        return digest(self.state)

    def digest_now(self) -> str:
        return digest(read_state(self.server, self.database, "heap"))


@functools.lru_cache(maxsize=32)
def expectation(files: tuple[ParsedFile, ...]) -> State:
    return expected_state(list(files))


def _shown(rows: list[str]) -> str:
    if not rows:
        return "none"
    first = rows[0].replace("\x1f", "|")
    return f"{len(rows)}, first {first[:400]}"

