"""Measures the program on a private server; see scripts/bench."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import extremes
import loads
import micro
import reports
from server import BenchError, Server

PARTS = {"loads": loads, "reports": reports, "extremes": extremes, "micro": micro}


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench", allow_abbrev=False)
    parts = parser.add_subparsers(dest="part", required=True)
    for name, module in PARTS.items():
        part = parts.add_parser(name, description=module.__doc__, allow_abbrev=False)
        part.add_argument("--binary", type=Path, required=True, help="program to measure")
        part.add_argument(
            "--data", type=Path, default=Path(tempfile.gettempdir()), help="folder for files and server")
        module.add_options(part)
    choice = parser.parse_args()
    # After SIGTERM the server and the files are still removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    work = Path(tempfile.mkdtemp(prefix="gamebase-ingest-bench.", dir=choice.data))
    # The server runs as another user when the caller is root.
    work.chmod(0o755)
    server = None
    try:
        server = Server(choice.binary.resolve(), work / "server")
        PARTS[choice.part].run(choice, server, work)
    except BenchError as problem:
        raise SystemExit(f"scripts/bench: {problem}") from None
    finally:
        if server:
            server.end("destroy")
        shutil.rmtree(work, ignore_errors=True)


main()
