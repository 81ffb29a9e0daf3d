"""Private PostgreSQL servers, each in its own folder, and queries of them."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
from psycopg.pq import ExecStatus

USER = "torture"
LOADER_NAME = "gamebase-ingest"
# Seconds until a killed loader's backend must have ended; it may be busy with a statement.
BACKEND_PATIENCE = 20.0
# Settings of the suite's own queries; they override those that a fault makes for the database.
OUR_SETTINGS = " ".join(f"-c {setting}" for setting in (
    "log_statement=none", "statement_timeout=0", "lock_timeout=0",
    "idle_in_transaction_session_timeout=0", "default_transaction_read_only=off"))
# What loaders have left, and the number of each.
LEFT = """select 'prepared transactions', count(*) from pg_prepared_xacts
    union all select 'temporary tables', count(*) from pg_class where relpersistence = 't'
    union all select 'advisory locks', count(*) from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())"""
# What COPY escapes, beside a null, whose escape stays.
_ESCAPES = {"\\": "\\", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ESCAPED = re.compile(r"\\([\\bfnrtv])")


class ServerError(RuntimeError):
    """A server or a query failed that the suite itself needs."""


def within(seconds: float, is_true: Callable[[], object], pause: float = 0.01) -> bool:
    """True as soon as the condition holds, false when it does not within this time."""
    deadline = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


@functools.cache
def programs() -> Path:
    """The folder that GAMEBASE_INGEST_SERVER_PROGRAMS names, else that of the newest installed server."""
    found = [*Path("/usr/lib/postgresql").glob("*/bin/initdb"), *Path("/usr").glob("pgsql-*/bin/initdb")]
    newest = max(found, key=lambda path: int(re.sub(r"\D", "", str(path))), default=shutil.which("initdb") or "initdb")
    return Path(os.environ.get("GAMEBASE_INGEST_SERVER_PROGRAMS") or Path(newest).parent)


def as_server(command: list[str]) -> list[str]:
    """The command as the user postgres when the suite runs as root, because the server refuses root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else command


def chown_to_server(path: Path) -> None:
    """Makes the server's user the owner of a file or folder."""
    if os.geteuid() == 0:
        shutil.chown(path, "postgres")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def folder_of_servers(name: str) -> Iterator[Path]:
    """A temporary folder. Its servers end with the block."""
    with tempfile.TemporaryDirectory(prefix=f"gi-{name}.", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        # The server's user must be able to enter it.
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            for file in list(folder.rglob("postmaster.pid")):
                Server(file.parents[1]).stop("immediate", check=False)


class Server:
    """A cluster in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data, self.log = folder, folder / "data", folder / "server.log"
        self.port = free_port()

    # Life

    def make(self) -> None:
        """Creates a cluster, with small WAL segments to save space."""
        self.folder.mkdir(parents=True, exist_ok=True)
        chown_to_server(self.folder)
        if self._runs("initdb", f"--username={USER}", "--auth=trust", "--encoding=UTF8", "--locale=C",
                      "--wal-segsize=1", "--no-sync"):
            raise ServerError("initdb failed")

    def _runs(self, program: str, *arguments: str) -> int:
        """The exit status of a program of the server, without its output but errors."""
        command = [str(programs() / program), f"--pgdata={self.data}", *arguments]
        return subprocess.run(as_server(command), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode

    def set_up(self, binary: Path, **settings: str) -> None:
        """Makes and starts the server, with the migrated database `empty`, the template of the tests' databases."""
        self.make()
        self.configure(**settings)
        self.start()
        self.prepare(binary)

    def configure(self, **more: str) -> None:
        """Writes the server's settings.

        All statements are logged, so that a secret that reaches the server appears in its log. fsync is off, because
        no fault simulates a power loss, and the operating system keeps the writes of a killed server.
        """
        settings = {
            "listen_addresses": "127.0.0.1", "port": str(self.port), "unix_socket_directories": str(self.folder),
            "fsync": "off", "log_statement": "all", "log_error_verbosity": "verbose", "shared_buffers": "32MB",
            "max_connections": "60", "min_wal_size": "2MB", "max_wal_size": "64MB", "checkpoint_timeout": "1h",
            "restart_after_crash": "on", "log_min_messages": "info", "autovacuum": "off", "jit": "off",
        } | more
        (self.data / "postgresql.auto.conf").write_text(
            "".join(f"{name} = '{value}'\n" for name, value in settings.items()))
        chown_to_server(self.data / "postgresql.auto.conf")

    def start(self, wait: bool = True) -> None:
        self.log.touch()
        chown_to_server(self.log)
        command = ("pg_ctl", "start", "--wait" if wait else "--no-wait", "--timeout=60", f"--log={self.log}")
        if not self._runs(*command):
            return
        # Only the server's log tells the reason.
        reason = self.log.read_text(errors="replace").splitlines()[-8:]
        # A server that crashes right after the rollback of a TRUNCATE of an unlogged table recovers only at its second
        # start.
        if not any("FATAL" in line and ": File exists" in line for line in reason) or self._runs(*command):
            raise ServerError("\n  ".join(["the server does not start", *reason]))

    def stop(self, mode: str = "fast", check: bool = True) -> None:
        if self._runs("pg_ctl", "stop", "--wait", "--timeout=60", f"--mode={mode}") and check:
            raise ServerError("the server does not stop")

    def restart(self, mode: str = "fast") -> None:
        self.stop(mode, check=False)
        self.start()

    def reload(self) -> None:
        os.kill(self.postmaster(), signal.SIGHUP)

    def postmaster(self) -> int:
        return int((self.data / "postmaster.pid").read_text().split("\n")[0])

    def is_running(self) -> bool:
        return self._runs("pg_ctl", "status") == 0

    def answers(self, port: int | None = None) -> bool:
        """True when the server lets a client in, or a pooler in front of it."""
        try:
            psycopg.connect(self.conninfo("postgres", port)).close()
            return True
        except psycopg.OperationalError:
            return False

    def wait_until_ready(self, seconds: float = 60) -> None:
        """Waits until the server answers, such as during its recovery after a crash."""
        if not within(seconds, self.answers, 0.05):
            raise ServerError("the server does not answer")

    # Databases

    def prepare(self, binary: Path) -> None:
        self.ask("postgres", "create database empty")
        subprocess.run(
            [str(binary), "migrate", "--database", self.conninfo("empty")], check=True, capture_output=True)

    def create(self, name: str, template: str = "empty") -> None:
        self.ask("postgres", f"create database {name} template {template} strategy file_copy")

    def drop(self, name: str) -> None:
        self.ask("postgres", f"drop database if exists {name} with (force)")

    def admit(self, owner: str, database: str) -> None:
        """Prepares a role that is to own the schema."""

    def conninfo(self, database: str, port: int | None = None) -> str:
        """A connection string by socket, or by TCP to `port` on this machine."""
        if port is None:
            return f"host={self.folder} port={self.port} user={USER} dbname={database}"
        return f"host=127.0.0.1 port={port} user={USER} dbname={database} sslmode=disable gssencmode=disable"

    def ask(self, database: str, *statements: str) -> list[list[str]]:
        try:
            with contextlib.closing(psycopg.connect(
                    self.conninfo(database), autocommit=True, application_name="torture", options=OUR_SETTINGS,
                    client_encoding="utf8")) as connection:
                return rows_of(connection, *statements)
        except psycopg.Error as error:
            raise ServerError(str(error)) from None

    def value(self, database: str, statement: str) -> str:
        return self.ask(database, statement)[0][0]

    def backends(self, database: str, condition: str = "true") -> list[int]:
        """The process ids of the loader's backends, the oldest transaction first."""
        return [int(pid) for [pid] in self.ask(
            database, f"""select pid from pg_stat_activity
            where application_name = '{LOADER_NAME}' and datname = '{database}' and {condition} order by xact_start""")]

    def left_backends(self, database: str) -> Iterator[str]:
        """Waits for the end of the loaders' backends."""
        if not within(BACKEND_PATIENCE, lambda: not self.backends(database), 0.02):
            yield f"I7: backends are left {BACKEND_PATIENCE:.0f} s after the end"

    def left_by_loaders(self, database: str) -> Iterator[str]:
        """What loaders that have ended should not leave, each with its invariant in front."""
        yield from self.left_backends(database)
        yield from (f"I7: {count} {what} are left" for what, count in self.ask(database, LEFT) if count != "0")


class Session:
    """A connection of the tester to a database."""

    def __init__(self, server: Server, database: str) -> None:
        self.server, self.database = server, database
        self.open()

    def open(self) -> None:
        # No statement is prepared, because months come and go.
        self.connection = psycopg.connect(
            self.server.conninfo(self.database), autocommit=True, prepare_threshold=None,
            options="-c jit=off -c timezone=UTC")

    def close(self) -> None:
        self.connection.close()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(query).fetchall()

    def execute(self, statements: str) -> int:
        """The number of rows that the last statement changed."""
        return self.connection.execute(statements).rowcount


def rows_of(connection: psycopg.Connection, *statements: str) -> list[list[str]]:
    """The rows of all statements, one after another, as PostgreSQL prints their values; null is \\N.

    A row of COPY is one text. It costs much less time than its values one by one.
    """
    rows = []
    for statement in statements:
        connection.pgconn.send_query(statement.encode())
        while result := connection.pgconn.get_result():
            if result.status == ExecStatus.FATAL_ERROR:
                raise ServerError(psycopg.pq.error_message(result))
            if result.status == ExecStatus.COPY_OUT:
                rows += [[line] for line in _copied_lines(connection)]
            rows += [["\\N" if value is None else value.decode() for value in (
                result.get_value(row, column) for column in range(result.nfields))] for row in range(result.ntuples)]
    return rows


def _copied_lines(connection: psycopg.Connection) -> Iterator[str]:
    while (data := connection.pgconn.get_copy_data(0))[0] > 0:
        yield _ESCAPED.sub(lambda found: _ESCAPES[found[1]], str(data[1], "utf8").removesuffix("\n"))
