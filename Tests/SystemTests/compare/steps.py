"""The input of both programs, and the commands that they run on it."""

from __future__ import annotations

import gzip
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

STREAMS = ("receipt", "level_up", "game_user", "item", "event")
AS_OF = "--as-of 2025-08-02T00:00:00Z"
# One job, since several draw the numbers of files in another order each time.
LOAD = f"--jobs 1 {AS_OF} --observed-at 2025-08-01T00:00:00Z --report out/report.json"
ANY = "--max-rejects unlimited"
LATE = "2025-07-30"


@dataclass(frozen=True)
class Step:
    """A line of bash in its spellings, the newest first. Each program runs the first one that it knows."""

    name: str
    spellings: tuple[str, ...]
    # The tables and views are compared after this step.
    is_checked: bool = False


def step(name: str, *spellings: str, is_checked: bool = False) -> Step:
    return Step(name, spellings, is_checked)


STEPS = (
    step("migrate", "gamebase-ingest migrate"),
    step("zone", "gamebase-ingest settings set time-zone Asia/Seoul"),
    step("base currency", "gamebase-ingest settings set base-currency USD"),
    step("rates", "gamebase-ingest reference load exchange-rates rates.csv"),
    step("load", f"gamebase-ingest load games {LOAD} --metrics out/metrics.prom"),
    step("night late", f"gamebase-ingest load late {LOAD}"),
    step("fixtures", f"gamebase-ingest load fixtures {LOAD} {ANY}"),
    step("finds", f"gamebase-ingest load finds {LOAD} {ANY}"),
    step("broken files", f"gamebase-ingest load broken {LOAD}"),
    step("same bytes", f"gamebase-ingest load games {LOAD}"),
    step("repeats", f"gamebase-ingest load repeats {LOAD}", is_checked=True),
    step("validate", f"gamebase-ingest validate games fixtures {AS_OF} {ANY} --format json --show 5"),
    step("explain", f"gamebase-ingest explain fixtures/receipt-fixture.jsonl:40 {AS_OF}"),
    step("status", "gamebase-ingest status"),
    step("health", "gamebase-ingest status --check --format json"),
    step("rejects", "gamebase-ingest rejects list --limit 50"),
    step("rejects as JSON", "gamebase-ingest rejects list --format json --code missing_field"),
    step("conflicts", "gamebase-ingest conflicts list --limit 50"),
    step("trace", "gamebase-ingest trace --stream receipt 2021032510000001"),
    step("trace a line", "gamebase-ingest explain fixtures/receipt-fixture.jsonl:5",
         "gamebase-ingest trace fixtures/receipt-fixture.jsonl:5"),
    step("report", "gamebase-ingest report"),
    step("page", "gamebase-ingest report --html out/page.html"),
    step("export CSV", "gamebase-ingest export revenue_by_day > out/revenue.csv"),
    step("export JSONL", "gamebase-ingest export purchase --format jsonl | sort > out/purchase.jsonl"),
    step("accept, tried", "gamebase-ingest conflicts accept --stream receipt --dry-run --limit 20"),
    step("accept", "gamebase-ingest conflicts accept --stream receipt --limit 5"),
    step("accept players", "gamebase-ingest conflicts accept --stream level_up --limit 5"),
    step("accept undone", "gamebase-ingest conflicts undo 1"),
    step("export rejects", "gamebase-ingest rejects export --stream receipt --code negative_price > out/refused.jsonl"),
    step("mended rejects", f"gamebase-ingest load mended --stream receipt {LOAD}"),
    step("replay", "gamebase-ingest rejects replay"),
    step("undo, tried", "gamebase-ingest undo games/receipt/receipt-2025-07-28.jsonl --with-later --dry-run"),
    step("undo", "gamebase-ingest undo games/receipt/receipt-2025-07-28.jsonl --with-later"),
    step("undo a run", "gamebase-ingest undo --load 5 --with-later"),
    step("loaded again", f"gamebase-ingest load games/receipt late {LOAD}", is_checked=True),
    step("erase, tried", "gamebase-ingest forget-user - --key-file key --dry-run < users"),
    step("erase", "gamebase-ingest forget-user - --key-file key < users"),
    step("suppressed", f"gamebase-ingest load suppressed {LOAD} --key-file key"),
    step("replay after erasure", "gamebase-ingest rejects replay --key-file key"),
    step("retention of rejects", "gamebase-ingest retention --keep 1 --ledger", "gamebase-ingest prune --keep 1"),
    step("retention", "gamebase-ingest retention --keep 16 --stream item"),
    step("failures", "gamebase-ingest status --format json | jq .open_failures"),
    step("dismiss", "gamebase-ingest failures dismiss broken/receipt-cut.jsonl.gz --note known"),
    step("refresh", "gamebase-ingest refresh"),
    step("rebuild", "gamebase-ingest refresh --full", is_checked=True),
)


class Spellings:
    """The commands and options that a program has, by its own help."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.helps: dict[tuple[str, ...], str] = {}

    def of(self, spellings: tuple[str, ...]) -> str | None:
        return next((line for line in spellings if self.knows(line)), None)

    def knows(self, line: str) -> bool:
        words = shlex.split(re.split(r"[|<>]", line)[0])[1:]
        # The words of a command come before its first argument, and no command has more than three.
        for count in (3, 2, 1):
            command = tuple(words[:count])
            if f"USAGE: gamebase-ingest {' '.join(command)} " in self.help(command).replace("\n", " "):
                options = [word for word in words if word.startswith("--")]
                return all(f"{option} " in self.help(command).replace("\n", " ") for option in options)
        return False

    def help(self, command: tuple[str, ...]) -> str:
        if command not in self.helps:
            self.helps[command] = subprocess.run(
                [self.program, *command, "--help"], capture_output=True, text=True).stdout
        return self.helps[command]


def make_input(folder: Path, old: Path, fixtures: Path, lines: int, days: int, given: Path | None) -> None:
    """Writes the input, which is the same for both programs: generated by the old one, fixtures and fuzz finds."""
    games = folder / "games"
    if given:
        subprocess.run(["cp", "-r", "--reflink=auto", given, games], check=True)
    else:
        generate(old, games, lines, days)
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
    mend_refused(receipts, made(folder / "mended" / "receipt-mended.jsonl"))


def generate(old: Path, games: Path, lines: int, days: int) -> None:
    common = ["--days", str(days), "--apps", "2", "--until", "2025-07-31", "--bad-share", "0.01"]
    counted = f"gamebase-ingest generate {games} --count {lines}"
    more = (["--count", str(lines), "--correction-share", "0.01", "--late-share", "0.05"]
            if Spellings(old).knows(counted) else ["--users", str(max(100, lines // 10))])
    subprocess.run([old, "generate", games, *common, *more], check=True, capture_output=True)


def mend_refused(receipts: list[Path], mended: Path) -> None:
    """A file of what a person would load in place of refused lines: negative prices, mended."""
    lines = [line for path in receipts for line in path.read_bytes().splitlines() if b'"price":-' in line]
    mended.write_bytes(b"".join(line.replace(b'"price":-', b'"price":') + b"\n" for line in lines[:50]))


def made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
