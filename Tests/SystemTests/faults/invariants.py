"""The invariants that are checked after every fault, and again after the next clean run.

docs/reliability.md explains them, I1 to I8.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from pathlib import Path

from loader import ProgramRun
from model import Model
from parsing import ParsedFile
from server import Server
from state import PLANS, differing, query_state

# The bytes of a file, by digest and stream.
Key = tuple[str, str]
# By table, the invariant that a difference breaks; for the other tables it is I2.
TOLD_BY = {"file": "I3", "reject": "I1"}


@dataclass
class Verdict:
    # What is violated, each with its invariant in front.
    violations: list[str]

    def expect(self, holds: object, otherwise: str) -> None:
        if not holds:
            self.violations.append(otherwise)


@dataclass
class Checker(Verdict):
    """Checks one database against the files that it may contain."""

    server: Server
    database: str
    versions: dict[Key, ParsedFile]
    # The loaded files, and the state that was read last.
    files: list[ParsedFile] = field(default_factory=list)
    state: dict[str, list[str]] = field(default_factory=dict)

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
            self.expect(version, f"I1: {path} is in the ledger with an unknown digest: {sha256}")
            if version:
                self.expect(Path(path).name in (version.name, "-") or version.is_empty,
                            f"I1: {version.name} is in the ledger as {path}")
                files.append(version)
        return files

    def check(self, results: list[ProgramRun]) -> None:
        """Checks the invariants that hold at any time."""
        self.violations += self.server.left_by_loaders(self.database)
        self.files = self.ledger()
        expected = expectation(tuple(self.files))
        for plan in PLANS:
            self.state = query_state(functools.partial(self.server.ask, self.database), plan)
            for table, missing, surplus in differing(expected, self.state):
                has_no_file = not expected.get(table) or any("no file" in row for row in surplus)
                self.violations.append(
                    f"{'I1' if has_no_file else TOLD_BY.get(table, 'I2')}: {table}, read by the {plan}: "
                    f"missing {_shown(missing)}; unexpected {_shown(surplus)}")
        left = [str(path) for path in self.server.data.glob("base/pgsql_tmp/*")]
        self.expect(not left, f"I7: temporary files are left: {left[:3]}")
        loaded = {(file.sha256, file.stream) for file in self.files}
        for result in results:
            self.check_result(result, loaded)

    def check_result(self, result: ProgramRun, loaded: set[Key]) -> None:
        self.violations += result.wrongs()
        for file in result.files():
            is_here = (file.get("sha256"), file["stream"]) in loaded
            self.expect(is_here or file["status"] not in ("loaded", "already_loaded"),
                        f"I4: {file['path']} is reported as {file['status']} but is not in the ledger")
        if result.code in (0, 3) and result.report_path:
            self.expect(result.report is not None, f"I4: exit {result.code} without a report: {result.out[-200:]!r}")
            failed = [name for name, status in result.statuses().items() if status == "failed"]
            self.expect(not failed, f"I4: exit {result.code} with failed files: {failed}")

    def check_clean(self, due: set[Key]) -> None:
        """Checks that a clean run has loaded every existing file and left no failure of one in the ledger."""
        missing = [self.versions[key].name for key in due - {(file.sha256, file.stream) for file in self.files}]
        self.expect(not missing, f"I5: {missing} is not loaded after a clean run")
        for path, reason in self.server.ask(self.database, "select path, reason from ingest.failed_file"):
            # The failure of a removed file or of a pipe stays.
            self.expect(not Path(path).exists(), f"I5: {path} is loaded but still in ingest.failed_file: {reason}")


@functools.lru_cache(maxsize=32)
def expectation(files: tuple[ParsedFile, ...]) -> dict[str, list[str]]:
    """The rows after loads of these files one after another."""
    model = Model()
    for number, file in enumerate(files, 1):
        model.load(number, file)
    return model.state()


def _shown(rows: list[str]) -> str:
    return f"{len(rows)}, first {rows[0][:400]}".replace("\x1f", "|") if rows else "none"
