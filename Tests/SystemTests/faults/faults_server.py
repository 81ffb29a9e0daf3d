"""Faults of the server and the way to it: stops and crashes, broken connections, hindering settings, a pooler."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator

import pytest

from proxy import Plan, Proxy
from server import USER, as_server, chown_to_server, free_port, within
from trial import PASSING, Trial, fault

# The server stops, crashes, loses a backend, or is absent

POINTS = ("copy-begun", "merged", "before-commit")
# The condition of a backend whose COMMIT waits for a standby, and of one that loads.
WAITING, LOADING = "wait_event = 'SyncRep'", "xact_start is not null"


@fault("server-{}-at-{}", itertools.product(("immediate", "fast"), POINTS), times=3,
       quick={("immediate", "copy-begun"), ("immediate", "before-commit"), ("fast", "merged")})
def server_stops(trial: Trial, mode: str, point: str) -> None:
    running = trial.stop_loader_at(point, number=trial.random.randrange(1, 6))
    trial.server.stop(mode)
    # The server starts before the loader goes on, or only after the loader has noticed its absence.
    starter = threading.Timer(0.7, trial.server.start)
    starter.start()
    if trial.random.random() < 0.5:
        starter.join()
    running.wait()
    starter.join()
    trial.passes(running)


@fault("backend-{}-at-{}", itertools.product(("terminated", "killed"), POINTS), times=3,
       quick={("terminated", "before-commit"), ("killed", "merged")})
def backend_ends(trial: Trial, how: str, point: str) -> None:
    # Small files share transactions, so a run reaches some points only a few times. The run must still be active.
    running = trial.stop_loader_at(point, number=trial.random.randrange(1, 3))
    end_backend(trial, how, trial.server.backends(trial.database, LOADING)[0])
    trial.passes(running)


def end_backend(trial: Trial, how: str, backend: int) -> None:
    if how == "terminated":
        trial.server.ask("postgres", f"select pg_terminate_backend({backend})")
    else:
        os.kill(backend, signal.SIGKILL)  # the server then restarts all backends
        time.sleep(0.2)
        trial.server.wait_until_ready()


@fault("commit-under-way-{}", ("immediate", "fast", "terminated", "killed"), times=5,
       quick={"immediate", "terminated"})
def during_commit(trial: Trial, how: str) -> None:
    """Stops the server or ends the backend while a COMMIT waits for a synchronous standby that does not exist.

    The commit record is on disk at that time, so the transaction is committed after the restart, without an answer to
    the loader.
    """
    server = trial.server
    running = trial.stop_loader_at("before-commit", number=trial.random.randrange(1, 4))
    server.configure(synchronous_standby_names="absent_standby")
    server.reload()
    names = "show synchronous_standby_names"
    assert within(20, lambda: server.value("postgres", names)), "the server has not read its settings"
    # The checkpointer tells the other processes that commits wait now, before it begins another checkpoint.
    server.ask("postgres", "checkpoint", "checkpoint")

    def is_waiting() -> bool:
        # A second lane that comes to its own stop stops the first one again, perhaps before its COMMIT.
        if running.state() == "T":
            running.resume()
        return bool(server.backends(trial.database, WAITING))

    assert within(20, is_waiting), "COMMIT does not wait for the standby"
    server.configure()  # without a reload, which would let COMMIT end
    if how in ("immediate", "fast"):
        server.restart(how)
    else:
        end_backend(trial, how, server.backends(trial.database, WAITING)[0])
    server.reload()
    trial.passes(running)


@fault("server-absent")
def server_absent(trial: Trial) -> None:
    conninfo = trial.server.conninfo(trial.database)
    trial.server.stop()
    trial.outcome(trial.load(conninfo=conninfo), {69, 75})
    trial.server.start()


@fault("server-starting", times=2, quick=0)
def server_starting(trial: Trial) -> None:
    """The server answers that it is starting up (57P03), and then accepts connections."""
    server, conninfo = trial.server, trial.server.conninfo(trial.database)
    signal_file = server.data / "standby.signal"
    server.stop()
    # A standby without hot_standby stays in the state "starting up".
    signal_file.touch()
    chown_to_server(signal_file)
    server.configure(hot_standby="off")
    server.start(wait=False)
    try:
        time.sleep(0.5)
        running = trial.start(conninfo=conninfo)
        running.run_for(trial.random.choice([0.5, 60]))
    finally:
        server.stop("immediate")
        signal_file.unlink()
        server.configure()
        server.start()
    trial.passes(running)


@fault("commit-number-reused", times=3)
def number_reused(trial: Trial) -> None:
    """The server crashes with COMMIT unread and forgets the transaction; another transaction takes its number.

    The WAL of a small uncommitted transaction may still be in memory at the crash. The recovered server then does not
    know that the number was assigned, and assigns it again.
    """
    server = trial.server
    trial.load([trial.inbox / "gameuser-a.jsonl"])  # creates the partitions, which other transactions commit
    server.configure(wal_writer_delay="10s", bgwriter_lru_maxpages="0")
    server.restart()
    running = trial.start([trial.inbox / "gameuser-b.jsonl"], stop_at="before-commit")
    running.wait_until_stopped()
    backend = server.backends(trial.database, LOADING)[0]
    os.kill(backend, signal.SIGSTOP)
    running.resume()
    time.sleep(0.3)  # COMMIT is sent, but the stopped backend does not read it
    running.send(signal.SIGSTOP)
    end_backend(trial, "killed", backend)
    for _ in range(40):
        server.ask("postgres", "create table taken ()", "drop table taken")
    running.resume()
    trial.passes(running)


# A proxy closes, resets, stalls and swallows connections, and loses answers

# Approximate bytes that an undisturbed run sends and receives.
SENT, ANSWERED = 3_000_000, 12_000


def through(trial: Trial, plan: Plan, port: int | None = None) -> None:
    """Runs a load through a proxy in front of the server, or of its pooler; later runs connect to the server."""
    with Proxy(port or trial.server.port, plan) as proxy:
        loaded = trial.load(conninfo=trial.server.conninfo(trial.database, proxy.port))
    if not plan.triggered.is_set():
        print("ended before the proxy came to it")
    trial.passes(loaded)


@fault("connection-{}-{}", itertools.product(("close", "reset", "stall"), ("client", "server")), times=8,
       quick={("close", "client"), ("close", "server"), ("reset", "client")})
def after_bytes(trial: Trial, action: str, sender: str) -> None:
    """The connection ends, or is silent for 2 s, after a random number of bytes from one side."""
    connection = trial.random.choice([0, 0, 0, 1])
    most = [3000, SENT if sender == "client" else ANSWERED] if connection == 0 else [1500]
    closed_for = trial.random.choice([0.0, 0.0, 1.0])
    limit = trial.random.randrange(1, trial.random.choice(most))
    through(trial, Plan(action, connection, sender, limit, closed_for=closed_for))


# What happens to COMMIT and to its connection, and the seconds without new connections.
COMMITS = {
    "answer-lost": ("forward", "close", 0.0), "answer-reset": ("forward", "reset", 0.0),
    "answer-lost-long": ("forward", "close", 3.0), "raced": ("race", "close", 0.0), "lost": ("drop", "close", 0.0),
    "lost-reset": ("drop", "reset", 0.0),
}


@fault("commit-{}", COMMITS, times=5, quick={"answer-lost", "raced", "lost"})
def at_commit(trial: Trial, name: str) -> None:
    how, action, closed_for = COMMITS[name]
    through(trial, Plan(action, at_commit=how, closed_for=closed_for))


@fault("{}-swallowed", ("connection", "commit"), times=3, quick=0)
def swallowed(trial: Trial, what: str) -> None:
    """The connection stays open and transfers nothing more, until SIGTERM."""
    plan = Plan("swallow", at_commit="forward") if what == "commit" else \
        Plan("swallow", byte_count=trial.random.randrange(2000, SENT // 2))
    with Proxy(trial.server.port, plan) as proxy:
        running = trial.start(conninfo=trial.server.conninfo(trial.database, proxy.port))
        plan.triggered.wait(30)
        if not running.run_for(1):
            trial.end_stuck(running)
        trial.outcome(running, PASSING | {143})


# Settings hinder a load


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
    "statement_timeout": "50ms", "idle_in_transaction_session_timeout": "1ms",
}


@fault("role-{}", ROLE_SETTINGS, times=2,
       quick={"synchronous_commit", "default_transaction_isolation", "idle_session_timeout", "statement_timeout",
              "idle_in_transaction_session_timeout"})
def role_setting(trial: Trial, name: str) -> None:
    """Kills a load, runs another one, and crashes the server so that it loses everything not yet on disk."""
    set_default(trial, name, ROLE_SETTINGS[name])
    trial.kill(trial.run_a_part(trial.start(), 0.9))
    trial.outcome(trial.load(), {0, 3})
    trial.server.restart("immediate")


# A pooler is between the loader and the server

# Two loaders need two connections a job, and one for a long run (docs/operating.md). With fewer, each can hold the
# connection that the other needs for a new partition, for the 120 s of PgBouncer's `query_wait_timeout`.
CONNECTIONS = 2 * (2 * (os.cpu_count() or 1) + 1)


@contextlib.contextmanager
def pooler_of(trial: Trial) -> Iterator[int]:
    """The port of PgBouncer in transaction mode in front of the trial's server, until the end of the block.

    Its server connections, which are not the loader's, end with it.
    """
    program = shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")
    if not program:
        pytest.skip("pgbouncer is not installed")
    port = free_port()
    settings = trial.folder / "pgbouncer.ini"
    settings.write_text(
        f"[databases]\n* = host={trial.server.folder} port={trial.server.port} user={USER}\n[pgbouncer]\n"
        f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n"
        f"default_pool_size = {CONNECTIONS}\n")
    chown_to_server(trial.folder)
    with subprocess.Popen(as_server([program, "--quiet", str(settings)]), stderr=subprocess.DEVNULL,
                          start_new_session=True) as process:
        try:
            assert within(10, lambda: trial.server.answers(port), 0.1), "the pooler does not start"
            yield port
        finally:
            os.killpg(process.pid, signal.SIGKILL)


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
