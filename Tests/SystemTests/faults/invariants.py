"""The invariants that are checked after every fault, and again after the next clean run.

docs/reliability.md explains them, I1 to I8.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from pathlib import Path

from data import MARKER
from loader import MEMORY_BOUND_KIB, Result
from model import Model
from parsing import ParsedFile
from server import Server, within
from state import PLANS, query_state, rows_without

# The bytes of a file, by digest and stream.
Key = tuple[str, str]
LEFTOVERS = {
    "prepared transactions are": "select count(*) from pg_prepared_xacts",
    "advisory locks are": """select count(*) from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())""",
    "temporary tables are": "select count(*) from pg_class where relpersistence = 't'",
}
# By table, the invariant that a difference breaks; for the other tables it is I2.
TOLD_BY = {"file": "I3", "reject": "I1"}
# Seconds until a killed loader's backend must have ended; it may be busy with a statement.
BACKEND_PATIENCE = 20.0


@dataclass
class Checker:
    """Checks one database against the files that it may contain."""

    server: Server
    database: str
    versions: dict[Key, ParsedFile]
    # What is violated, each with its invariant in front.
    violations: list[str] = field(default_factory=list)
    # The loaded files, and the state that was read last.
    files: list[ParsedFile] = field(default_factory=list)
    state: dict[str, list[str]] = field(default_factory=dict)

    def fail(self, invariant: str, what: str) -> None:
        self.violations.append(f"{invariant}: {what}")

    def ledger(self) -> list[ParsedFile]:
        """The loaded files in the order of their commits.

        A file gets its number under the locks of its lane, so the numbers give the order within a lane, such as that
        of events and receipts. Lanes are independent of each other.
        """
        rows = self.server.ask(
            self.database, """select encode(sha256, 'hex'), stream, path from ingest.source_file
            where undone_at is null order by source_file_id""")
        files = []
        for sha256, stream, path in rows:
            version = self.versions.get((sha256, stream))
            if version is None:
                self.fail("I1", f"{path} is in the ledger with an unknown digest: {sha256}")
                continue
            if Path(path).name not in (version.name, "-") and not version.is_empty:
                self.fail("I1", f"{version.name} is in the ledger as {path}")
            files.append(version)
        return files

    def wait_for_backends(self) -> None:
        """Waits until no backend of a loader is left."""
        if not within(BACKEND_PATIENCE, lambda: not self.server.backends(self.database), 0.02):
            self.fail("I7", f"backends are left {BACKEND_PATIENCE:.0f} s after the end")

    def check(self, results: list[Result]) -> None:
        """Checks the invariants that hold at any time."""
        self.wait_for_backends()
        self.files = self.ledger()
        expected = expectation(tuple(self.files))
        for plan in PLANS:
            self.state = self.read(plan)
            for table in sorted({*self.state, *expected}):
                self.compare(table, expected.get(table, []), self.state.get(table, []), plan)
        self.check_leftovers()
        loaded = {(file.sha256, file.stream) for file in self.files}
        for result in results:
            self.check_result(result, loaded)

    def read(self, plan: str) -> dict[str, list[str]]:
        return query_state(functools.partial(self.server.ask, self.database), plan)

    def compare(self, table: str, rows: list[str], found: list[str], plan: str) -> None:
        if found != rows:
            surplus = rows_without(found, rows)
            has_no_file = not rows or any("no file" in row for row in surplus)
            name = "I1" if has_no_file else TOLD_BY.get(table, "I2")
            self.fail(
                name, f"{table}, read by the {plan}: {len(found)} rows instead of {len(rows)}; "
                f"missing {_shown(rows_without(rows, found))}; unexpected {_shown(surplus)}")

    def check_leftovers(self) -> None:
        counts = self.server.ask(self.database, *LEFTOVERS.values())
        for what, [count] in zip(LEFTOVERS, counts, strict=True):
            if count != "0":
                self.fail("I7", f"{count} {what} left")
        left = [str(path) for path in self.server.data.glob("base/pgsql_tmp/*")]
        if left:
            self.fail("I7", f"temporary files are left: {left[:3]}")

    def check_result(self, result: Result, loaded: set[Key]) -> None:
        self.check_no_token("standard output", result.out)
        self.check_no_token("standard error", result.err)
        self.check_no_token("the report", repr(result.report).encode())
        if result.timed_out:
            self.fail("I8", f"a run did not end within its time ({result.seconds:.0f} s)")
        if result.peak_kib > MEMORY_BOUND_KIB:
            self.fail("I8", f"a run used {result.peak_kib // 1024} MiB of memory")
        if result.code == 70:
            self.fail("I4", f"exit code 70 (internal error): {result.text[-400:]}")
        for file in result.files():
            here = (file.get("sha256"), file["stream"]) in loaded
            if file["status"] in ("loaded", "already_loaded") and not here:
                self.fail("I4", f"{file['path']} is reported as {file['status']} but is not in the ledger")
        if result.code in (0, 3) and result.report_due:
            if result.report is None:
                self.fail("I4", f"exit {result.code} without a report: {result.out[-200:]!r}")
            failed = [name for name, status in result.statuses().items() if status == "failed"]
            if failed:
                self.fail("I4", f"exit {result.code} with failed files: {failed}")

    def check_no_token(self, where: str, content: bytes) -> None:
        at = content.find(MARKER.encode())
        if at >= 0:
            self.fail("I6", f"a purchase token is in {where}: {content[max(0, at - 80):at + 30]!r}")

    def check_clean(self, due: set[Key]) -> None:
        """Checks that a clean run has loaded every existing file and left no failure of one in the ledger."""
        for key in due - {(file.sha256, file.stream) for file in self.files}:
            self.fail("I5", f"{self.versions[key].name} is not loaded after a clean run")
        for path, reason in self.server.ask(self.database, "select path, reason from ingest.failed_file"):
            # The failure of a removed file or of a pipe stays.
            if Path(path).exists():
                self.fail("I5", f"{path} is loaded but still in ingest.failed_file: {reason}")


@functools.lru_cache(maxsize=32)
def expectation(files: tuple[ParsedFile, ...]) -> dict[str, list[str]]:
    """The rows after loads of these files one after another."""
    model = Model()
    for number, file in enumerate(files, 1):
        model.load(number, file)
    return model.state()


def _shown(rows: list[str]) -> str:
    return f"{len(rows)}, first {rows[0][:400]}".replace("\x1f", "|") if rows else "none"
