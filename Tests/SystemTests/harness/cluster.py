"""Private Citus clusters: a coordinator and two workers, in place of one server."""

from __future__ import annotations

import subprocess
from pathlib import Path

from server import Server, ServerError

WORKERS = 2
# A test makes and drops many databases, and each has a maintenance process on each server.
SETTINGS = {
    "shared_preload_libraries": "citus", "wal_level": "logical", "max_prepared_transactions": "120",
    "max_worker_processes": "30", "citus.enable_statistics_collection": "off",
    # Without it, the extension turns TLS on in the file that `configure` writes anew.
    "citus.node_conninfo": "sslmode=prefer",
    # Only the program finishes interrupted commits, so that a test sees what it does without help.
    "citus.recover_2pc_interval": "-1",
}


class Cluster(Server):
    """The coordinator, which starts and stops with its workers. Each database exists on all of them."""

    def __init__(self, folder: Path, shards: int) -> None:
        super().__init__(folder)
        self.shards = shards
        self.workers = [Server(folder / f"worker-{number}") for number in range(1, WORKERS + 1)]
        self.servers: list[Server] = [self, *self.workers]

    def make(self) -> None:
        for worker in self.workers:
            worker.make()
        super().make()

    def configure(self, **more: str) -> None:
        for server in self.servers:
            Server.configure(server, **SETTINGS | more)

    def start(self, wait: bool = True) -> None:
        for worker in self.workers:
            worker.start(wait)
        super().start(wait)

    def stop(self, mode: str = "fast", check: bool = True) -> None:
        super().stop(mode, check)
        for worker in self.workers:
            worker.stop(mode, check)

    def prepare(self, binary: Path) -> None:
        for server in self.servers:
            server.ask("postgres", "create database empty")
            server.ask("empty", "create extension citus")
        self.ask("empty", f"select citus_set_coordinator_host('127.0.0.1', {self.port})", *(
            f"select citus_add_node('127.0.0.1', {worker.port})" for worker in self.workers))
        for command in (["migrate"], ["distribute", "--shards", str(self.shards)]):
            answer = subprocess.run(
                [str(binary), *command, "--database", self.conninfo("empty")], capture_output=True, text=True)
            if answer.returncode:
                raise ServerError(f"{command[0]}: {answer.stderr}")
        for server in self.servers:
            # A copied sequence gives numbers twice when its server crashes, unless its next number is logged.
            server.ask("empty", "select setval(s::regclass, nextval(s::regclass)) from (select format('%I.%I', "
                       "schemaname, sequencename) from pg_sequences where schemaname = 'pg_catalog') q (s)")
            server.ask("postgres", "alter database empty allow_connections false")

    def create(self, name: str, template: str = "empty") -> None:
        for server in self.servers:
            # The maintenance process of the template.
            server.ask("postgres", f"""select pg_terminate_backend(pid, 10000) from pg_stat_activity
                where datname = '{template}'""")
            Server.create(server, name, template)

    def drop(self, name: str) -> None:
        for server in self.servers:
            Server.drop(server, name)

    def admit(self, owner: str, database: str) -> None:
        """Lets the coordinator in as the owner, as docs/scale.md says."""
        if self.value(database, f"select to_regrole('{owner}')") == "\\N":
            self.ask(database, f"create role {owner}")
        self.ask(database, f"grant execute on function recover_prepared_transactions() to {owner}")
        for worker in self.workers:
            worker.ask(database, "set citus.enable_alter_role_propagation = off", f"alter role {owner} login")
