"""A week of nightly loads with typical problems; see scripts/simulate-week."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from pathlib import Path

from simulation import STREAMS, Simulation, expect, main

DAYS = [f"2025-07-{day}" for day in range(25, 32)]
APP = "Qb2FhTzN"
# One of this many receipts of the corrected day has another price.
CORRECTED = 10


def payment(line: str) -> str | None:
    """The number of the payment in a line of receipts, or in an event that brings a receipt."""
    found = re.search(r'paymentSeq\\*"\s*:\s*\\*"?(\w+)', line)
    return found[1] if found else None


class Week(Simulation):
    """The vendor's folder, the inbox, a database for the nights, and one for the clean run."""

    def __init__(self, binary: Path, folder: Path) -> None:
        super().__init__(binary, folder)
        self.inbox = folder / "inbox"
        self.inbox.mkdir()
        self.server = self.run("local", "start", "--directory", str(folder / "server")).stdout.strip()
        self.create_databases("week", "clean")
        for name in ("week", "clean"):
            self.run("settings", "set", "app-id", APP, "--database", self.conninfo(name))
        # A correction would keep the value of the file that is loaded first, which differs in the clean run, so
        # nothing but a refused line in each file is bad.
        self.run("generate", str(folder / "vendor"), "--users", "600", "--days", str(len(DAYS)), "--until", DAYS[-1],
                 "--bad-share", "0")
        for path in (folder / "vendor").glob("*/*.jsonl"):
            path.write_bytes(path.read_bytes() + b"{}\n")

    def close(self) -> None:
        self.run("local", "destroy", "--directory", str(self.folder / "server"))

    # The parts of a night

    def conninfo(self, database: str) -> str:
        return f"{self.server} dbname={database}"

    def file(self, stream: str, day: str) -> Path:
        """The vendor's file of a day."""
        return self.folder / "vendor" / stream / f"{stream}-{day}.jsonl"

    def deliver(self, day: str, streams: tuple[str, ...] = STREAMS) -> None:
        for stream in streams:
            shutil.copy(self.file(stream, day), self.inbox)

    def night(self, what: str, code: int) -> dict[str, object]:
        """Loads the inbox as a nightly cron job would; returns the report."""
        path = self.folder / "report.json"
        command = ["load", str(self.inbox), "--database", self.conninfo("week"), "--report", str(path)]
        answer = self.run(*command, code=code)
        report: dict[str, object] = json.loads(path.read_text())
        self.last_output = answer.stdout + answer.stderr
        status = self.run("status", "--database", self.conninfo("week")).stdout
        self.last_status = status
        print(f"\n=== {what}\n$ gamebase-ingest load inbox   # exit {code}")
        print(self.tidy(self.last_output))
        print(f"$ gamebase-ingest status\n{self.tidy(status)}", flush=True)
        return report

    def tidy(self, text: str) -> str:
        return text.replace(str(self.folder), "").rstrip()

    # The nights

    def first(self) -> None:
        self.deliver(DAYS[0])
        files = by_name(self.night("night 1: all is well", 3))
        expect({file["status"] for file in files.values()} == {"loaded"} and len(files) == len(STREAMS),
               "a file of each stream is loaded", files)

    def missing_file(self) -> None:
        self.deliver(DAYS[1], ("receipt", "game_user", "item"))
        files = by_name(self.night("night 2: the level-ups are missing", 3))
        expect(f"level_up-{DAYS[1]}.jsonl" not in files, "no file of level-ups came", files)
        loaded = {line.split()[0]: line.split()[1] for line in self.last_status.splitlines()
                  if line.split()[:1] and line.split()[0] in STREAMS}
        expect(loaded == {"receipt": "2", "level_up": "1", "game_user": "2", "item": "2", "event": "1"},
               "status has one file of level-ups fewer", loaded)

    def late_file(self) -> None:
        self.deliver(DAYS[1], ("level_up", "event"))
        self.deliver(DAYS[2])
        files = by_name(self.night("night 3: the missing file comes late", 3))
        expect(files[f"level_up-{DAYS[1]}.jsonl"]["status"] == "loaded", "the late file is loaded", files)
        expect(files[f"receipt-{DAYS[0]}.jsonl"]["status"] == "already_loaded", "nothing is loaded twice", files)

    def second_delivery(self) -> None:
        self.deliver(DAYS[3])
        again = gzip.compress(self.file("receipt", DAYS[2]).read_bytes())
        (self.inbox / "receipt-delivered-again.jsonl.gz").write_bytes(again)
        (self.inbox / "manifest.json").write_text('{"files":4}\n')
        report = self.night("night 4: a file comes again under another name, and a stray one lies beside it", 3)
        files = by_name(report)
        expect(files["receipt-delivered-again.jsonl.gz"]["status"] == "already_loaded",
               "the same bytes are already loaded", files)
        expect([Path(file["path"]).name for file in report["skipped"]] == ["manifest.json"],  # type: ignore
               "the stray file is skipped", report["skipped"])
        expect("manifest.json" in self.last_output, "the output names the stray file", self.last_output)

    def truncated_file(self) -> None:
        self.deliver(DAYS[4], ("receipt", "level_up", "item", "event"))
        whole = gzip.compress(self.file("game_user", DAYS[4]).read_bytes())
        self.mended = self.inbox / f"game_user-{DAYS[4]}.jsonl.gz"
        self.mended.write_bytes(whole[:len(whole) // 2])
        file = by_name(self.night("night 5: an archive ends too early", 5))[self.mended.name]
        expect((file["status"], file["error_code"]) == ("failed", "file_truncated"), "it fails by name", file)
        expect(self.mended.name in self.last_status, "status names it", self.last_status)

    def mended_file_and_new_field(self) -> None:
        self.mended.write_bytes(gzip.compress(self.file("game_user", DAYS[4]).read_bytes()))
        path = self.file("receipt", DAYS[5])
        lines = path.read_text().splitlines(keepends=True)
        in_events = self.payments_in_events()
        # Changed in the vendor's file, so that the clean run loads the same bytes.
        path.write_text("".join(
            re.sub(r"^\{", '{"couponCode":"SUMMER",', line)
            if number % 3 == 0 and payment(line) not in in_events else line
            for number, line in enumerate(lines)))
        self.deliver(DAYS[5])
        report = self.night("night 6: the archive is mended, and receipts have a new field", 3)
        files = by_name(report)
        expect(files[self.mended.name]["status"] == "loaded", "the mended file is loaded", files)
        expect(self.mended.name not in self.last_status, "its failure is over", self.last_status)
        expect("couponCode" in files[f"receipt-{DAYS[5]}.jsonl"]["new_fields"], "the field is reported", files)
        expect("couponCode" in self.last_output, "the output names the field", self.last_output)

    def corrected_file(self) -> None:
        self.deliver(DAYS[6])
        original = self.file("receipt", DAYS[3])
        corrected = original.with_name(f"receipt-{DAYS[3]}-corrected.jsonl")
        lines, prices = original.read_text().splitlines(keepends=True), 0
        # A line that repeats an earlier one would change the row only in the nights, so it is not corrected.
        seen = {payment(line) for day in DAYS[:3] for line in self.file("receipt", day).read_text().splitlines()}
        # An event with the old price would come first in the clean run.
        seen |= self.payments_in_events()
        for number, line in enumerate(lines):
            is_repeated = payment(line) in seen
            seen.add(payment(line))
            if number % CORRECTED == 0 and not is_repeated and '"currency":"USD"' in line.replace(" ", ""):
                changed = re.sub(r'("price"\s*:\s*)"?[0-9.]+"?', r"\g<1>77.25", line, count=1)
                prices += changed != line
                lines[number] = changed
        corrected.write_text("".join(lines))
        shutil.copy(corrected, self.inbox)
        report = self.night("night 7: the vendor corrects prices of a day", 3)
        file = by_name(report)[corrected.name]
        expect(0 < int(str(file["conflicts"])) <= prices, "corrected prices contradict what is stored", file)
        database = ("--database", self.conninfo("week"))
        accept = ("conflicts", "accept", "--file", corrected.name, *database)
        before = self.table_digests("week")
        for what, arguments in (("--dry-run", (*accept, "--dry-run")), ("", accept), ("", accept)):
            print(f"$ gamebase-ingest conflicts accept --file {corrected.name} {what}")
            print(self.tidy(self.run(*arguments, "--limit", "3").stdout), flush=True)
            expect((self.table_digests("week") == before) == (what == "--dry-run"),
                   "a dry run keeps nothing, an acceptance changes the prices", arguments)
        original.unlink()

    def payments_in_events(self) -> set[str | None]:
        """The payments whose receipts also arrive in events."""
        return {payment(line) for day in DAYS
                for line in self.file("event", day).read_text(errors="replace").splitlines()}

    def all(self) -> None:
        for night in (self.first, self.missing_file, self.late_file, self.second_delivery, self.truncated_file,
                      self.mended_file_and_new_field, self.corrected_file):
            night()
        self.run("load", str(self.folder / "vendor"), "--quiet", "--database", self.conninfo("clean"), code=3)
        self.expect_equal_tables("week", "clean")


def by_name(report: dict[str, object]) -> dict[str, dict[str, object]]:
    """The files of a report, by the last part of their paths."""
    return {Path(file["path"]).name: file for file in report["files"]}  # type: ignore


main("simulate-week", Week)
