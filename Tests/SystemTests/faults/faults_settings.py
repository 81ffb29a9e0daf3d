"""Faults of settings of a server or a role that hinder a load, and of a connection pooler."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator

import pytest

from faults_network import through
from proxy import Plan
from server import USER, as_server, chown_to_server, free_port, within
from trial import Trial, fault


def set_default(trial: Trial, name: str, value: str) -> None:
    """Sets a default for new sessions of the database; the suite's own queries override it."""
    trial.server.ask("postgres", f"alter database {trial.database} set {name} = '{value}'")


@fault("lock-timeout", times=2)
def lock_timeout(trial: Trial) -> None:
    """Another loader has the stream."""
    first = trial.stop_loader_at("before-commit", first="receipt-a.jsonl")
    set_default(trial, "lock_timeout", "50ms")
    second = trial.start([trial.inbox / "receipt-c.jsonl"])
    second.run_for(trial.random.choice([0.5, 2]))
    trial.finish(first)
    trial.outcome(second, {0, 3})


@fault("statement-timeout", times=3)
def statement_timeout(trial: Trial) -> None:
    set_default(trial, "statement_timeout", "50ms")
    trial.outcome(trial.load(), {0, 3})


@fault("idle-timeout")
def idle_timeout(trial: Trial) -> None:
    """The timeout passes while the loader is stopped."""
    set_default(trial, "idle_in_transaction_session_timeout", "100ms")
    running = trial.stop_loader_at(trial.random.choice(["batch-copied", "before-commit"]))
    time.sleep(0.4)
    trial.outcome(running, {0, 3})


@fault("read-only")
def read_only(trial: Trial) -> None:
    set_default(trial, "default_transaction_read_only", "on")
    trial.outcome(trial.load(), {78})


# Settings of a role or a database that must not affect a load.
ROLE_SETTINGS = {
    "synchronous_commit": "off", "default_transaction_isolation": "serializable", "standard_conforming_strings": "off",
    "quote_all_identifiers": "on", "DateStyle": "German, DMY", "IntervalStyle": "sql_standard",
    "TimeZone": "Asia/Kolkata", "bytea_output": "escape", "extra_float_digits": "-15", "array_nulls": "off",
    "transform_null_equals": "on", "row_security": "off", "search_path": "pg_temp, public", "enable_seqscan": "off",
    "work_mem": "64kB", "temp_buffers": "100", "force_parallel_mode": "on", "plan_cache_mode": "force_generic_plan",
    "client_min_messages": "debug5", "idle_session_timeout": "300ms",
}


@fault("role-{}", ROLE_SETTINGS, times=2,
       quick={"synchronous_commit", "default_transaction_isolation", "idle_session_timeout"})
def role_setting(trial: Trial, name: str) -> None:
    """Kills a load, runs another one, and crashes the server so that it loses everything not yet on disk."""
    set_default(trial, name, ROLE_SETTINGS[name])
    trial.kill(trial.run_a_part(trial.start(), 0.9))
    trial.outcome(trial.load(), {0, 3})
    trial.server.restart("immediate")


@contextlib.contextmanager
def pooler_of(trial: Trial) -> Iterator[int]:
    """The port of PgBouncer in transaction mode in front of the trial's server, until the end of the block.

    Its server connections, which are not the loader's, end with it.
    """
    program = shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")
    if not program:
        pytest.skip("pgbouncer is not installed")
    port = free_port()
    # The server connections of two loaders, by docs/runbook.md: two a job, and one for a long run. With fewer, each
    # loader can hold the connection that the other needs for a new partition, until PgBouncer ends one of them after
    # its `query_wait_timeout` of 120 s.
    connections = 2 * (2 * (os.cpu_count() or 1) + 1)
    folder = trial.folder / "pooler"
    folder.mkdir()
    chown_to_server(folder)
    chown_to_server(trial.folder)
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\n* = host={trial.server.folder} port={trial.server.port} user={USER}\n[pgbouncer]\n"
        f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n"
        f"default_pool_size = {connections}\nlogfile = {folder}/log\npidfile = {folder}/pid\n")
    process = subprocess.Popen(
        as_server([program, "--quiet", str(folder / "pgbouncer.ini")]),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        assert within(10, lambda: trial.server.answers(port), 0.1), "the pooler does not start"
        yield port
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@fault("pooler", times=2)
def pooler(trial: Trial) -> None:
    """Two loaders at once."""
    with pooler_of(trial) as port:
        runs = [trial.start(conninfo=trial.server.conninfo(trial.database, port)) for _ in range(2)]
        for run in runs:
            trial.outcome(run, {0, 3, 6})


@fault("pooler-killed-loader", times=10)
def pooler_killed(trial: Trial) -> None:
    with pooler_of(trial) as port:
        conninfo = trial.server.conninfo(trial.database, port)
        for _ in range(2):
            trial.kill(trial.run_a_part(trial.start(conninfo=conninfo)))
        # Through the same pooler, so that the load reuses the same server connections.
        trial.outcome(trial.load(conninfo=conninfo), {0, 3})


@fault("pooler-answer-lost", times=3, quick=0)
def pooler_answer_lost(trial: Trial) -> None:
    with pooler_of(trial) as port:
        through(trial, Plan("close", at_commit=trial.random.choice(["forward", "race", "drop"])), port)
