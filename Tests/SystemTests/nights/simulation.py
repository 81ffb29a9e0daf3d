"""A simulation of nightly loads: runs with expected results, and the comparison with a clean load."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from workers import temporary_folder

STREAMS = ("receipt", "level_up", "game_user", "item", "event")
FACTS = ("game.receipt", "game.level_up", "game.game_user_snapshot", "game.item_snapshot", "game.event")
# These columns depend on the file and the run that brought a row.
NOT_COMPARED = ("source_file_id", "line_number", "row_digest")


class Unexpected(Exception):
    """The program did not do or print the expected result of a night."""


def expect(condition: bool, what: str, shown: object) -> None:
    if not condition:
        raise Unexpected(f"{what}: {shown}")


class Simulation:
    def __init__(self, binary: Path, folder: Path) -> None:
        self.binary, self.folder = binary, folder

    def conninfo(self, database: str) -> str:
        raise NotImplementedError

    def run(self, *arguments: str, code: int = 0, password: str = "") -> subprocess.CompletedProcess[str]:
        answer = subprocess.run(
            [str(self.binary), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env=os.environ | {"PGPASSWORD": password})
        expect(answer.returncode == code, f"{shlex.join(arguments)}: exit {answer.returncode} and not {code}",
               answer.stdout + answer.stderr)
        return answer

    def ask(self, database: str, question: str) -> str:
        answer = subprocess.run(
            ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
             f"--dbname={self.conninfo(database)}", f"--command={question}"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        expect(answer.returncode == 0, question, answer.stderr)
        return answer.stdout.strip()

    def create_databases(self, *names: str) -> None:
        for name in names:
            self.ask("postgres", f"create database {name}")
            self.run("migrate", "--database", self.conninfo(name))

    def table_digests(self, database: str) -> dict[str, str]:
        row = "to_jsonb(t)" + "".join(f" - '{column}'" for column in NOT_COMPARED)
        return {
            table: self.ask(database, f"""
                select count(*) || ' rows ' || md5(coalesce(string_agg(line, chr(10) order by line), ''))
                from (select ({row})::text as line from {table} t) lines""") for table in FACTS}

    def expect_equal_tables(self, database: str, clean: str) -> None:
        found, due = self.table_digests(database), self.table_digests(clean)
        expect(found == due, "the tables equal those of one clean load", (found, due))
        print("\n=== the tables equal those of one clean load of the right files")
        for table, rows in found.items():
            print(f"{table}: {rows}")


class Simulated(Protocol):
    def all(self) -> None: ...

    def close(self) -> None: ...


def main(name: str, make: Callable[[Path, Path], Simulated]) -> None:
    parser = argparse.ArgumentParser(prog=f"scripts/{name}", allow_abbrev=False)
    parser.add_argument("--binary", type=Path, required=True, help="the program to test")
    binary = parser.parse_args().binary.absolute()
    with temporary_folder(name) as folder:
        simulated = None
        try:
            simulated = make(binary, folder)
            simulated.all()
        except Unexpected as problem:
            raise SystemExit(f"scripts/{name}: {problem}") from None
        finally:
            if simulated:
                simulated.close()
