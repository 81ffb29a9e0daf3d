"""The input of both programs, and the commands that they run on it."""

from __future__ import annotations

import gzip
import re
import shlex
import subprocess
from pathlib import Path

STREAMS = ("receipt", "level_up", "game_user", "item", "event")
AS_OF = "--as-of 2025-08-02T00:00:00Z"
# One job, since several draw the numbers of files in another order each time.
LOAD = f"--jobs 1 {AS_OF} --observed-at 2025-08-01T00:00:00Z --report out/report.json"
ANY = "--max-rejects unlimited"
LATE = "2025-07-30"

# The name of each step, and a line of bash in its spellings, the newest first. Each program runs the first one that it
# knows.
STEPS = (
    ("migrate", "gamebase-ingest migrate"),
    ("zone", "gamebase-ingest settings set time-zone Asia/Seoul"),
    ("base currency", "gamebase-ingest settings set base-currency USD"),
    ("rates", "gamebase-ingest reference load exchange-rates rates.csv"),
    ("load", f"gamebase-ingest load games {LOAD} --metrics out/metrics.prom"),
    ("night late", f"gamebase-ingest load late {LOAD}"),
    ("fixtures", f"gamebase-ingest load fixtures {LOAD} {ANY}"),
    ("finds", f"gamebase-ingest load finds {LOAD} {ANY}"),
    ("broken files", f"gamebase-ingest load broken {LOAD}"),
    ("same bytes", f"gamebase-ingest load games {LOAD}"),
    ("repeats", f"gamebase-ingest load repeats {LOAD}"),
    ("validate", f"gamebase-ingest validate games fixtures {AS_OF} {ANY} --format json --show 5"),
    ("explain", f"gamebase-ingest explain fixtures/receipt-fixture.jsonl:40 {AS_OF}"),
    ("status", "gamebase-ingest status"),
    ("health", "gamebase-ingest status --check --format json"),
    ("rejects", "gamebase-ingest rejects list --limit 50"),
    ("rejects as JSON", "gamebase-ingest rejects list --format json --code missing_field"),
    ("conflicts", "gamebase-ingest conflicts list --limit 50"),
    ("trace", "gamebase-ingest trace --stream receipt 2021032510000001"),
    ("trace a line", "gamebase-ingest explain fixtures/receipt-fixture.jsonl:5",
     "gamebase-ingest trace fixtures/receipt-fixture.jsonl:5"),
    ("report", "gamebase-ingest report"),
    ("page", "gamebase-ingest report --html out/page.html"),
    ("export CSV", "gamebase-ingest export revenue_by_day > out/revenue.csv"),
    ("export JSONL", "gamebase-ingest export purchase --format jsonl | sort > out/purchase.jsonl"),
    ("accept, tried", "gamebase-ingest conflicts accept --stream receipt --dry-run --limit 20"),
    ("accept", "gamebase-ingest conflicts accept --stream receipt --limit 5"),
    ("accept players", "gamebase-ingest conflicts accept --stream level_up --limit 5"),
    ("accept undone", "gamebase-ingest conflicts undo 1"),
    ("export rejects", "gamebase-ingest rejects export --stream receipt --code negative_price > out/refused.jsonl"),
    ("mended rejects", f"gamebase-ingest load mended --stream receipt {LOAD}"),
    ("replay", "gamebase-ingest rejects replay"),
    ("undo, tried", "gamebase-ingest undo games/receipt/receipt-2025-07-28.jsonl --with-later --dry-run"),
    ("undo", "gamebase-ingest undo games/receipt/receipt-2025-07-28.jsonl --with-later"),
    ("undo a run", "gamebase-ingest undo --load 5 --with-later"),
    ("loaded again", f"gamebase-ingest load games/receipt late {LOAD}"),
    ("erase, tried", "gamebase-ingest forget-user - --key-file key --dry-run < users"),
    ("erase", "gamebase-ingest forget-user - --key-file key < users"),
    ("suppressed", f"gamebase-ingest load suppressed {LOAD} --key-file key"),
    ("replay after erasure", "gamebase-ingest rejects replay --key-file key"),
    ("retention of rejects", "gamebase-ingest retention --keep 1 --ledger", "gamebase-ingest prune --keep 1"),
    ("retention", "gamebase-ingest retention --keep 16 --stream item"),
    ("failures", "gamebase-ingest status --format json | jq .open_failures"),
    ("dismiss", "gamebase-ingest failures dismiss broken/receipt-cut.jsonl.gz --note known"),
    ("refresh", "gamebase-ingest refresh"),
    ("rebuild", "gamebase-ingest refresh --full"),
)
# The tables and views are compared after these steps.
CHECKED = ("repeats", "loaded again", "rebuild")


class Spellings:
    """The commands and options that a program has, by its own help."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.helps: dict[tuple[str, ...], str] = {}

    def of(self, spellings: list[str]) -> str | None:
        return next((line for line in spellings if self.knows(line)), None)

    def knows(self, line: str) -> bool:
        words = shlex.split(re.split(r"[|<>]", line)[0])[1:]
        # The words of a command come before its first argument, and no command has more than three.
        for count in (3, 2, 1):
            text = self.help(tuple(words[:count]))
            if f"USAGE: gamebase-ingest {' '.join(words[:count])} " in text:
                return all(f"{word} " in text for word in words if word.startswith("--"))
        return False

    def help(self, command: tuple[str, ...]) -> str:
        if command not in self.helps:
            self.helps[command] = subprocess.run(
                [self.program, *command, "--help"], capture_output=True, text=True).stdout.replace("\n", " ")
        return self.helps[command]


def make_input(folder: Path, program: Path, fixtures: Path, lines: int, days: int) -> None:
    """Writes the input, which is the same for both programs: generated by one of them, fixtures and fuzz finds."""
    games = folder / "games"
    subprocess.run(
        [program, "generate", games, "--days", str(days), "--apps", "2", "--until", "2025-07-31", "--bad-share", "0.01",
         "--users", str(max(100, lines // 10))], check=True, capture_output=True)
    for stream in STREAMS:
        for late in games.glob(f"{stream}/*{LATE}*"):
            late.rename(made(folder / "late" / late.name))
        # Other bytes of the same records, in reverse order: duplicates, conflicts and suppressed lines.
        files = sorted(games.glob(f"{stream}/*"))
        for kind, chosen in (("repeats", files), ("suppressed", files[-3:])):
            for path in chosen:
                repeated = reversed(path.read_bytes().splitlines())
                end = b" \n" if kind == "repeats" else b"  \n"
                made(folder / kind / path.name).write_bytes(b"".join(line + end for line in repeated))
        content = (fixtures / stream / "input.jsonl").read_bytes()
        made(folder / "fixtures" / f"{stream}-fixture.jsonl").write_bytes(content)
        for find in sorted((fixtures / "fuzz-finds").iterdir()):
            made(folder / "finds" / f"{stream}-{find.name}.jsonl").write_bytes(find.read_bytes())
    receipts = sorted(games.glob("receipt/*"))
    cut = gzip.compress(receipts[0].read_bytes())
    made(folder / "broken" / "receipt-cut.jsonl.gz").write_bytes(cut[:len(cut) // 2])
    made(folder / "broken" / "receipt-none.jsonl").write_bytes(b"{}\n" * 200)
    (folder / "broken" / "levelup-empty.jsonl").write_bytes(b"")
    (folder / "rates.csv").write_bytes((fixtures / "questions" / "rates.csv").read_bytes())
    (folder / "key").write_bytes(b"0123456789abcdef" * 2)
    (folder / "key").chmod(0o600)
    users = sorted(set(re.findall(rb'"userId":"([A-Z0-9]+)"', b"".join(path.read_bytes() for path in receipts[-2:]))))
    (folder / "users").write_bytes(b"".join(user + b"\n" for user in users[:20]))
    # What a person would load in place of refused lines: negative prices, mended.
    refused = [line for path in receipts for line in path.read_bytes().splitlines() if b'"price":-' in line]
    made(folder / "mended" / "receipt-mended.jsonl").write_bytes(
        b"".join(line.replace(b'"price":-', b'"price":') + b"\n" for line in refused[:50]))


def made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
