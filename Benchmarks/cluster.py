"""The private server of all measurements, and its databases."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

# The database of a measurement; recreated for each one.
MEASURED = "measured"
# The time limit for autovacuum workers to end before a measurement.
QUIESCE_SECONDS = 120
# Set by initdb from this machine's environment; irrelevant for the results.
SET_BY_INITDB = (
    "DateStyle", "TimeZone", "log_timezone", "lc_messages", "lc_monetary", "lc_numeric", "lc_time",
    "default_text_search_config", "dynamic_shared_memory_type", "client_encoding",
    "application_name", "config_file", "data_directory", "hba_file", "ident_file")


class ClusterError(Exception):
    """The server failed, or one of the benchmark's statements."""


class Cluster:
    """A server with default settings that `gamebase-ingest local` makes in a folder."""

    def __init__(self, binary: Path, folder: Path) -> None:
        self.binary = binary
        self.folder = folder
        answer = subprocess.run(
            [str(binary), "local", "start", "--directory", str(folder)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if answer.returncode:
            raise ClusterError(f"no server: {answer.stderr.strip()}")
        self.server = answer.stdout.strip()

    def destroy(self) -> None:
        subprocess.run(
            [str(self.binary), "local", "destroy", "--directory", str(self.folder)],
            stdin=subprocess.DEVNULL, capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def conninfo(self, database: str) -> str:
        # libpq uses the last of repeated keywords.
        return f"{self.server} dbname={database}"

    def psql(self, database: str, *options: str) -> list[str]:
        return [
            "psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only",
            "--set=ON_ERROR_STOP=1", f"--dbname={self.conninfo(database)}", *options]

    def ask(self, database: str, *statements: str) -> str:
        """The output of psql; each statement runs in its own transaction."""
        options = [f"--command={statement}" for statement in statements]
        answer = subprocess.run(
            self.psql(database, *options), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if answer.returncode:
            raise ClusterError(f"{statements}: {answer.stderr.strip()}")
        return answer.stdout.strip()

    def create(self, name: str, template: str) -> None:
        """Creates a database as a file copy of another, which writes nothing to WAL."""
        self.ask(
            "postgres", f"drop database if exists {name} with (force)",
            f"create database {name} template {template} strategy file_copy")

    def drop(self, name: str) -> None:
        self.ask("postgres", f"drop database if exists {name} with (force)")

    def quiesce(self) -> None:
        """Waits for autovacuum to end, and writes all dirty pages with a checkpoint."""
        deadline = time.monotonic() + QUIESCE_SECONDS
        workers = "select count(*) from pg_stat_activity where backend_type = 'autovacuum worker'"
        while self.ask("postgres", workers) != "0" and time.monotonic() < deadline:
            time.sleep(0.2)
        self.ask("postgres", "checkpoint")

    def fresh(self, template: str) -> None:
        """Creates a fresh database for the next measurement."""
        self.create(MEASURED, template)
        self.quiesce()

    def version(self) -> str:
        return self.ask("postgres", "show server_version").split()[0]

    def changed_settings(self) -> list[str]:
        """The settings that differ from the built-in defaults, except paths and locales."""
        names = ", ".join(f"'{name}'" for name in SET_BY_INITDB)
        return self.ask(
            "postgres",
            f"""select name || ' = ' || coalesce(nullif(current_setting(name), ''), '''''')
            from pg_settings
            where source in ('configuration file', 'command line')
              and setting is distinct from boot_val
              and name not in ({names}) and name not like 'unix_socket%'
            order by name""").splitlines()

    def setting(self, name: str) -> str:
        return self.ask("postgres", f"show {name}")
