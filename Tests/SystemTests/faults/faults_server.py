"""Faults of the server: it stops, crashes, loses a backend, or is absent."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import threading
import time

from server import within
from trial import Trial, fault

POINTS = ("copy-begun", "merged", "before-commit")
# The condition of a backend whose COMMIT waits for a standby.
WAITING = "wait_event = 'SyncRep'"


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
    end_backend(trial, how, loading_backend(trial))
    trial.passes(running)


def loading_backend(trial: Trial) -> int:
    """The backend of the connection that loads: the one with a transaction open."""
    return trial.server.backends(trial.database, "xact_start is not null")[0]


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
    wait_until_commits_wait(trial)

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


def wait_until_commits_wait(trial: Trial) -> None:
    """The checkpointer tells the other processes that commits wait now; a commit of our own shows that it has."""
    with contextlib.closing(trial.server.connect(trial.database)) as connection:
        own = connection.pgconn

        def is_waiting() -> bool:
            own.consume_input()
            if not own.is_busy():
                while own.get_result():
                    pass
                own.send_query(b"select pg_logical_emit_message(true, 'probe', '')")
            return bool(trial.server.value(trial.database, f"""select pid from pg_stat_activity
                where pid = {own.backend_pid} and wait_event = 'SyncRep'"""))

        assert within(20, is_waiting), "no COMMIT waits for the standby"
        connection.cancel()


@fault("server-absent")
def server_absent(trial: Trial) -> None:
    conninfo = trial.server.conninfo(trial.database)
    trial.server.stop()
    trial.outcome(trial.load(conninfo=conninfo), {69, 75})
    trial.server.start()


@fault("server-starting", times=2, quick=0)
def server_starting(trial: Trial) -> None:
    """The server answers that it is starting up (57P03), and then accepts connections."""
    server = trial.own_server()
    trial.database = "empty"
    # A standby without hot_standby stays in the state "starting up".
    (server.data / "standby.signal").touch()
    server.configure(hot_standby="off")
    server.start(wait=False)
    time.sleep(0.5)
    running = trial.start()
    if trial.random.random() < 0.5:
        time.sleep(0.5)
    else:
        running.wait()
    server.stop("immediate")
    (server.data / "standby.signal").unlink()
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
    small = [trial.inbox / "gameuser-a.jsonl", trial.inbox / "gameuser-b.jsonl"]
    trial.load(small[:1])  # creates the partitions, which other transactions commit
    server.configure(wal_writer_delay="10s", bgwriter_lru_maxpages="0")
    server.restart()
    running = trial.start(small[1:], stop_at="before-commit")
    running.wait_until_stopped()
    backend = loading_backend(trial)
    os.kill(backend, signal.SIGSTOP)
    running.resume()
    time.sleep(0.3)  # COMMIT is sent, but the stopped backend does not read it
    running.send(signal.SIGSTOP)
    end_backend(trial, "killed", backend)
    for _ in range(40):
        server.ask("postgres", "create table taken ()", "drop table taken")
    running.resume()
    trial.passes(running)
