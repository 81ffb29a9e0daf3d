"""Faults of settings of a server or a role that hinder a load, and of a connection pooler."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from functools import partial
from pathlib import Path

from proxy import Plan, Proxy
from server import USER, as_server, free_port, chown_to_server
from trial import Skip, Trial, fault


def setting(trial: Trial, name: str, value: str) -> None:
    """Sets a default for new sessions of the database; the suite's own queries override it."""
    trial.server.ask("postgres", f"alter database {trial.database} set {name} = '{value}'")


def reset(trial: Trial) -> None:
    trial.server.ask("postgres", f"alter database {trial.database} reset all")


@fault("lock-timeout", "lock_timeout of 50 ms, while another loader has the stream", times=2)
def lock_timeout(trial: Trial) -> None:
    first = trial.stop_loader_at("before-commit", first="receipt-a.jsonl")
    setting(trial, "lock_timeout", "50ms")
    second = trial.start([trial.inbox / "receipt-c.jsonl"])
    second.run_for(trial.random.choice([0.5, 2]))
    trial.finish(first)
    trial.outcome(trial.finish(second), {0, 3})
    reset(trial)


@fault("statement-timeout", "statement_timeout of 50 ms", times=3)
def statement_timeout(trial: Trial) -> None:
    setting(trial, "statement_timeout", "50ms")
    result = trial.load()
    reset(trial)
    trial.outcome(result, {0, 3})


@fault("idle-timeout", "idle_in_transaction_session_timeout passes while the loader is stopped")
def idle_timeout(trial: Trial) -> None:
    setting(trial, "idle_in_transaction_session_timeout", "100ms")
    running = trial.stop_loader_at(trial.random.choice(["batch-copied", "before-commit"]))
    time.sleep(0.4)
    result = trial.finish(running)
    reset(trial)
    trial.outcome(result, {0, 3})


@fault("read-only", "default_transaction_read_only = on")
def read_only(trial: Trial) -> None:
    setting(trial, "default_transaction_read_only", "on")
    result = trial.load()
    reset(trial)
    trial.outcome(result, {78})


# Settings of a role or a database that must not affect a load.
ROLE_SETTINGS = {
    "synchronous_commit": "off", "default_transaction_isolation": "serializable", "standard_conforming_strings": "off",
    "quote_all_identifiers": "on", "DateStyle": "German, DMY", "IntervalStyle": "sql_standard",
    "TimeZone": "Asia/Kolkata", "bytea_output": "escape", "extra_float_digits": "-15", "array_nulls": "off",
    "transform_null_equals": "on", "row_security": "off", "search_path": "pg_temp, public", "enable_seqscan": "off",
    "work_mem": "64kB", "temp_buffers": "100", "force_parallel_mode": "on", "plan_cache_mode": "force_generic_plan",
    "client_min_messages": "debug5", "idle_session_timeout": "300ms",
}
QUICK_SETTINGS = ("synchronous_commit", "default_transaction_isolation", "idle_session_timeout")


def role_setting(name: str, value: str, trial: Trial) -> None:
    """Kills a load, runs another one, and crashes the server so that it loses everything not yet on disk."""
    trial.database  # created before the setting is made
    setting(trial, name, value)
    running = trial.start()
    running.run_for(trial.random.uniform(0.2, 0.9) * trial.normal)
    trial.kill(running)
    trial.outcome(trial.load(), {0, 3})
    trial.server.stop("immediate")
    trial.server.start()
    reset(trial)


for _name, _value in ROLE_SETTINGS.items():
    fault(f"role-{_name}", f"{_name} = {_value} for the database; kill -9, and an immediate stop "
          "after the next run", times=2, quick=1 if _name in QUICK_SETTINGS else 0)(
        partial(role_setting, _name, _value))


class Pooler:
    """PgBouncer in transaction mode in front of the trial's server."""

    def __init__(self, trial: Trial) -> None:
        program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
        if not Path(program).exists():
            raise Skip("pgbouncer is not installed")
        folder = trial.folder / "pooler"
        folder.mkdir()
        chown_to_server(folder)
        chown_to_server(trial.folder)
        self.port = free_port()
        (folder / "users").write_text(f'"{USER}" ""\n')
        (folder / "pgbouncer.ini").write_text(
            f"[databases]\n* = host={trial.server.folder} port={trial.server.port}\n[pgbouncer]\n"
            f"listen_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\n"
            f"auth_type = trust\nauth_file = {folder}/users\npool_mode = transaction\n"
            f"default_pool_size = {self.needed_connections()}\nlogfile = {folder}/log\npidfile = {folder}/pid\n")
        self.process = subprocess.Popen(
            as_server([program, "--quiet", str(folder / "pgbouncer.ini")]),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        trial.cleanups.append(self.end)
        self.conninfo = trial.server.conninfo(trial.database, port=self.port)
        deadline = time.monotonic() + 10
        while subprocess.run(
                ["psql", "--no-psqlrc", "--quiet", "--command=select 1",
                 f"--dbname={self.conninfo} application_name=torture"],
                capture_output=True).returncode:
            if time.monotonic() > deadline:
                raise RuntimeError("PgBouncer does not answer")
            time.sleep(0.1)

    @staticmethod
    def needed_connections() -> int:
        """The server connections of two loaders, by docs/runbook.md: two a job, and one for a long run.

        With fewer, each loader can hold the connection that the other needs for a new partition, until
        PgBouncer ends one of them after its `query_wait_timeout` of 120 s.
        """
        jobs = os.cpu_count() or 1
        return 2 * (2 * jobs + 1)

    def end(self) -> None:
        """Stops PgBouncer, which otherwise keeps its server connections open; these are not the loader's."""
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@fault("pooler", "through PgBouncer in transaction mode, two loaders at once", times=2)
def pooler(trial: Trial) -> None:
    bouncer = Pooler(trial)
    runs = [trial.start(conninfo=bouncer.conninfo) for _ in range(2)]
    for run in runs:
        trial.outcome(trial.finish(run), {0, 3, 6})
    trial.cleanups.remove(bouncer.end)
    bouncer.end()


@fault("pooler-killed-loader", "kill -9 at random through PgBouncer, and again", times=10)
def pooler_killed(trial: Trial) -> None:
    bouncer = Pooler(trial)
    for _ in range(2):
        running = trial.start(conninfo=bouncer.conninfo)
        running.run_for(trial.random.uniform(0, trial.normal))
        trial.kill(running)
    trial.note("killed")
    # Through the same pooler, so that the load reuses the same server connections.
    trial.outcome(trial.load(conninfo=bouncer.conninfo), {0, 3})
    trial.cleanups.remove(bouncer.end)
    bouncer.end()


@fault("pooler-answer-lost", "the connection to PgBouncer is lost after COMMIT was sent", times=3, quick=0)
def pooler_answer_lost(trial: Trial) -> None:
    bouncer = Pooler(trial)
    plan = Plan("close", at_commit=trial.random.choice(["forward", "race", "drop"]))
    with Proxy(bouncer.port, plan) as proxy:
        result = trial.load(conninfo=trial.server.conninfo(trial.database, port=proxy.port))
    trial.outcome(result, {0, 3, 69, 75}, passing=True)
    trial.cleanups.remove(bouncer.end)
    bouncer.end()
