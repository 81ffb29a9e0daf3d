"""Other tools that load receipts, each with its best settings, in a separate Python environment."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

from cluster import MEASURED, Cluster
from data import FEW_LINES
from measuring import Command, CommandFailed, measure
from ways import EMPTY, Way, Ways, WrongRows, rows_of

HERE = Path(__file__).parent
REQUIREMENTS = HERE / "requirements.txt"
INSTALL_SECONDS = 900
# Name, packages to name with their versions, and program.
PEERS = (
    ("psycopg", "psycopg binary COPY + orjson", ("psycopg", "orjson"), "psycopg_copy.py"),
    ("adbc", "ADBC + Arrow", ("adbc-driver-postgresql", "pyarrow"), "adbc_arrow.py"),
    ("dlt", "dlt + Arrow", ("dlt",), "dlt_arrow.py"),
    ("duckdb", "DuckDB + its postgres extension", ("duckdb",), "duckdb_postgres.py"),
)
# A checksum that every way must give for the same lines, over columns that need no reference data.
SAME = """select coalesce(sum(hashtextextended(concat_ws('|', payment_seq, app_id, user_id,
  gamebase_product_id, market_item_id, item_seq, store_code, currency, purchased_at, expires_at,
  payment_id, original_payment_id, purchase_token_sha256), 0)), 0) from game.receipt"""


class NoPeers(Exception):
    """The packages cannot be installed here."""


class Environment:
    """A Python with the packages of requirements.txt; recreated when they change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "bin" / "python"
        self._mark = folder / "installed"

    def make(self) -> None:
        wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
        if self._mark.exists() and self._mark.read_text() == wanted:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self._run(["/usr/bin/python3", "-m", "venv", str(self.folder)])
        self._run([
            str(self.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
            "--only-binary=:all:", f"--requirement={REQUIREMENTS}"])
        self._mark.write_text(wanted)

    def version(self, package: str) -> str:
        program = f"import importlib.metadata as m; print(m.version('{package}'))"
        return self._run([str(self.python), "-c", program])

    def _run(self, command: list[str]) -> str:
        try:
            answer = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=INSTALL_SECONDS)
        except subprocess.TimeoutExpired:
            raise NoPeers(f"{command[2]} took longer than {INSTALL_SECONDS} s") from None
        if answer.returncode:
            last = (answer.stderr.strip() or "no reason given").splitlines()[-1]
            raise NoPeers(f"their packages could not be installed ({last})")
        return answer.stdout.strip()


def ways_of_peers(environment: Environment, ways: Ways, cluster: Cluster) -> list[Way]:
    files = ways.streams["receipt"]
    return [
        Way(f"peer/{name}-{manner}", f"{label}, {manner}",
            (command(environment, cluster, program, manner, files.plain),),
            (rows_of("receipt", files.lines),))
        for name, label, _, program in PEERS for manner in ("append", "merge")]


def command(
    environment: Environment, cluster: Cluster, program: str, manner: str, path: Path
) -> Command:
    return Command((
        str(environment.python), str(HERE / "peers" / program), manner, str(path),
        cluster.conninfo(MEASURED)), environment={"PYTHONDONTWRITEBYTECODE": "1"})


def versions(environment: Environment) -> str:
    packages = dict.fromkeys(package for _, _, packages, _ in PEERS for package in packages)
    return ", ".join(f"{package} {environment.version(package)}" for package in packages)


class RepeatCheck:
    """Loads a few lines twice with each way, and reports whether the second load changed nothing."""

    def __init__(self, cluster: Cluster, ways: Ways) -> None:
        self.cluster = cluster
        self.files = ways.streams["receipt"]
        self.lines = min(FEW_LINES, self.files.lines)
        cluster.fresh(EMPTY)
        measure((ways.load(self.files.few),))
        self.wanted = cluster.ask(MEASURED, SAME)

    def outcome(self, way: Way) -> str:
        """Yes, or no with the difference.

        - Throws: `WrongRows` when the first load differs from the loader's rows.
        """
        few = tuple(self._with_few(command) for command in way.commands)
        # A way that takes prepared rows takes all of them.
        takes_lines = few != way.commands
        lines = self.lines if takes_lines else self.files.lines
        self.cluster.fresh(EMPTY)
        measure(few)
        replace(way, expected=(rows_of("receipt", lines),)).check(self.cluster)
        if takes_lines and self.cluster.ask(MEASURED, SAME) != self.wanted:
            raise WrongRows(f"{way.name} stores other rows than the loader for the same lines")
        try:
            measure(few)
        except CommandFailed:
            return "no: it fails"
        count = self.cluster.ask(MEASURED, rows_of("receipt", 0).question)
        return "yes" if count == str(lines) else f"no: {int(count) - lines} rows more"

    def _with_few(self, command: Command) -> Command:
        plain, few = str(self.files.plain), self.files.few
        return replace(
            command, arguments=tuple(str(few) if word == plain else word
                                     for word in command.arguments),
            stdin=few if command.stdin == self.files.plain else command.stdin)
