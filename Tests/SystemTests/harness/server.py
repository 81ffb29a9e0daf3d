"""Private PostgreSQL servers, each in its own folder, and queries by psql."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

USER = "torture"
LOADER_NAME = "gamebase-ingest"
# Settings of the suite's own queries; they override those that a fault makes for the database.
OUR_SETTINGS = " ".join(f"-c {setting}" for setting in (
    "log_statement=none", "statement_timeout=0", "lock_timeout=0",
    "idle_in_transaction_session_timeout=0", "default_transaction_read_only=off"))


class ServerError(Exception):
    """A server or a query failed that the suite itself needs."""


def programs() -> Path:
    """The folder that GAMEBASE_INGEST_SERVER_PROGRAMS names, else that of the newest installed server."""
    named = os.environ.get("GAMEBASE_INGEST_SERVER_PROGRAMS")
    if named:
        return Path(named)
    folders = [Path(path) for path in Path("/usr/lib/postgresql").glob("*/bin")]
    folders += list(Path("/usr").glob("pgsql-*/bin"))
    found = shutil.which("initdb")
    if found:
        folders.append(Path(found).parent)
    folders = [folder for folder in folders if (folder / "initdb").exists()]
    if not folders:
        raise ServerError("no PostgreSQL server is installed")
    return max(folders, key=_major)


def _major(folder: Path) -> int:
    answer = subprocess.run([folder / "initdb", "--version"], capture_output=True, text=True)
    digits = "".join(c if c.isdigit() else " " for c in answer.stdout).split()
    return int(digits[0]) if digits else 0


def server_user() -> str | None:
    """The user of the server when the suite runs as root, because the server refuses root; else None."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            pwd.getpwnam(name)
            return name
        except KeyError:
            continue
    raise ServerError("as root, a user named postgres is needed for the server")


def as_server(command: list[str]) -> list[str]:
    user = server_user()
    return command if user is None else ["runuser", "-u", user, "--", *command]


def chown_to_server(path: Path) -> None:
    """Makes the server's user the owner of a file or folder."""
    user = server_user()
    if user:
        shutil.chown(path, user)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Server:
    """A cluster in `folder`. `data` can be elsewhere, such as on a small disk."""

    folder: Path
    data: Path = field(init=False)
    port: int = field(init=False)

    def __post_init__(self) -> None:
        self.data = self.folder / "data"
        self.port = free_port()

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    # Life

    def make(self) -> None:
        """Creates a cluster, with small WAL segments to save space."""
        self.folder.mkdir(parents=True, exist_ok=True)
        chown_to_server(self.folder)
        run(as_server([
            str(programs() / "initdb"), f"--pgdata={self.data}", f"--username={USER}",
            "--auth=trust", "--encoding=UTF8", "--locale=C", "--wal-segsize=1", "--no-sync"]))
        self.configure()

    def copy(self, folder: Path) -> Server:
        """Creates a separate server with the same contents. This server must not run."""
        other = Server(folder)
        folder.mkdir(parents=True)
        chown_to_server(folder)
        subprocess.run(["cp", "-a", str(self.data), str(other.data)], check=True)
        other.configure()
        return other

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
        try:
            self._start(wait)
        except ServerError as error:
            # Only the server's log tells the reason.
            reason = self.log.read_text(errors="replace").splitlines()[-8:]
            # A server that crashes right after the rollback of a TRUNCATE of an unlogged table recovers only at its
            # second start; docs/reliability.md explains it.
            if not any("FATAL" in line and ": File exists" in line for line in reason):
                raise ServerError("\n  ".join([str(error), *reason])) from error
            self._start(wait)

    def _start(self, wait: bool) -> None:
        run(as_server([
            str(programs() / "pg_ctl"), "start", "--wait" if wait else "--no-wait", "--silent",
            "--timeout=60", f"--pgdata={self.data}", f"--log={self.log}"]))

    def stop(self, mode: str = "fast", check: bool = True) -> None:
        command = as_server([
            str(programs() / "pg_ctl"), "stop", "--wait", "--silent", "--timeout=60",
            f"--mode={mode}", f"--pgdata={self.data}"])
        answer = subprocess.run(command, capture_output=True, text=True)
        if check and answer.returncode:
            raise ServerError(f"pg_ctl stop: {answer.stderr.strip()}")

    def restart(self) -> None:
        self.stop(check=False)
        self.start()

    def reload(self) -> None:
        os.kill(self.postmaster(), signal.SIGHUP)

    def postmaster(self) -> int:
        return int((self.data / "postmaster.pid").read_text().split("\n")[0])

    def is_running(self) -> bool:
        answer = subprocess.run(
            as_server([str(programs() / "pg_ctl"), "status", f"--pgdata={self.data}"]), capture_output=True)
        return answer.returncode == 0

    def destroy(self) -> None:
        if self.data.exists() and self.is_running():
            self.stop("immediate", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def wait_until_ready(self, seconds: float = 60) -> None:
        """Waits until the server answers, such as during its recovery after a crash."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                self.ask("postgres", "select 1")
                return
            except ServerError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    # Databases

    def prepare(self, binary: Path) -> None:
        """Makes the template of the tests' databases, with the schema."""
        self.ask("postgres", "create database empty")
        subprocess.run(
            [str(binary), "migrate", "--database", self.conninfo("empty")], check=True, capture_output=True)

    def create(self, name: str, template: str = "empty", tablespace: str | None = None) -> None:
        place = f" tablespace {tablespace}" if tablespace else ""
        self.ask("postgres", f"create database {name} template {template}{place}")

    def drop(self, name: str) -> None:
        self.ask("postgres", f"drop database if exists {name} with (force)")

    def admit(self, owner: str, database: str) -> None:
        """Prepares a role that is to own the schema."""

    def conninfo(self, database: str, port: int | None = None) -> str:
        """A connection string by socket, or by TCP to `port` on this machine."""
        if port is None:
            return f"host={self.folder} port={self.port} user={USER} dbname={database}"
        return f"host=127.0.0.1 port={port} user={USER} dbname={database} sslmode=disable gssencmode=disable"

    def psql(self, database: str, *options: str) -> list[str]:
        return [
            "psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--set=ON_ERROR_STOP=1", "--pset=null=\\N",
            *options, f"--dbname={self.conninfo(database)} application_name=torture"]

    def ask(self, database: str, *statements: str, separator: str = "\x1f") -> list[list[str]]:
        """The rows of all statements, one after another."""
        command = self.psql(database, f"--field-separator={separator}")
        answer = subprocess.run(
            command, input=";\n".join(statements) + ";", capture_output=True, text=True,
            env=os.environ | {"PGOPTIONS": OUR_SETTINGS, "PGCLIENTENCODING": "UTF8"})
        if answer.returncode:
            raise ServerError(answer.stderr.strip())
        return [line.split(separator) for line in answer.stdout.split("\n") if line]

    def value(self, database: str, statement: str) -> str:
        rows = self.ask(database, statement)
        return rows[0][0] if rows else ""

    def backends(self, database: str) -> list[int]:
        """The process ids of the loader's backends."""
        rows = self.ask(
            database, f"""select pid from pg_stat_activity
            where application_name = '{LOADER_NAME}' and datname = '{database}'""")
        return [int(row[0]) for row in rows]

    def loading_backend(self, database: str) -> int:
        """The backend of the connection that loads: the one with a transaction open."""
        rows = self.ask(
            database, f"""select pid from pg_stat_activity
            where application_name = '{LOADER_NAME}' and datname = '{database}'
              and xact_start is not null order by xact_start limit 1""")
        if not rows:
            raise ServerError("no backend of a loader has a transaction open")
        return int(rows[0][0])


def run(command: list[str]) -> None:
    # A started server inherits the pipes of this process and would keep them open, so it gets none.
    answer = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        if "start" not in command else subprocess.DEVNULL, text=True)
    if answer.returncode:
        raise ServerError(f"{Path(command[-1]).name}: {(answer.stderr or '').strip()} {command}")
