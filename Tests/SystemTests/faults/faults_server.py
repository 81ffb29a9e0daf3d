"""Faults of the server: it stops, crashes, loses a backend, or is absent."""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import partial

from trial import Trial, fault

POINTS = ("copy-begun", "merged", "before-commit")
# Success after a retry, or an exit code for an unreachable database.
AWAY = {0, 3, 69, 75}


def server_stops(mode: str, point: str, trial: Trial) -> None:
    running = trial.stop_loader_at(point, number=trial.random.randrange(1, 6))
    trial.server.stop(mode)
    if trial.random.random() < 0.5:
        trial.server.start()
        result = trial.finish(running)
    else:  # the server starts only after the loader has noticed its absence
        starter = threading.Timer(0.7, trial.server.start)
        starter.start()
        result = trial.finish(running)
        starter.join()
    trial.outcome(result, AWAY, passing=True)
    trial.check_failed_files(result)


def backend_ends(how: str, point: str, trial: Trial) -> None:
    # Small files share transactions, so a run reaches some points only a few times. The run must still be active.
    running = trial.stop_loader_at(point, number=trial.random.randrange(1, 3))
    backend = trial.server.loading_backend(trial.database)
    end_backend(trial, how, backend)
    result = trial.finish(running)
    trial.server.wait_until_ready()
    trial.outcome(result, AWAY, passing=True)
    trial.check_failed_files(result)


def end_backend(trial: Trial, how: str, backend: int) -> None:
    if how == "terminated":
        trial.server.ask("postgres", f"select pg_terminate_backend({backend})")
    else:
        os.kill(backend, signal.SIGKILL)  # the server then restarts all backends
        time.sleep(0.2)
        trial.server.wait_until_ready()


QUICK = {("immediate", "copy-begun"), ("immediate", "before-commit"), ("fast", "merged")}

for _point in POINTS:
    for _mode in ("immediate", "fast"):
        fault(f"server-{_mode}-at-{_point}", f"pg_ctl stop -m {_mode} at {_point}, started again",
              times=3, quick=1 if (_mode, _point) in QUICK else 0)(
            partial(server_stops, _mode, _point))
    fault(f"backend-terminated-at-{_point}", f"pg_terminate_backend at {_point}", times=3,
          quick=1 if _point == "before-commit" else 0)(
        partial(backend_ends, "terminated", _point))
    fault(f"backend-killed-at-{_point}", f"kill -9 of the backend at {_point}: the server restarts",
          times=3, quick=1 if _point == "merged" else 0)(partial(backend_ends, "killed", _point))


def during_commit(how: str, trial: Trial) -> None:
    """Interrupts a COMMIT that waits for a synchronous standby that does not exist.

    The commit record is on disk at that time, so the transaction is committed after the restart, without an answer to
    the loader.
    """
    server = trial.server
    trial.cleanups.append(lambda: unhang(trial))
    running = trial.stop_loader_at("before-commit", number=trial.random.randrange(1, 4))
    server.configure(synchronous_standby_names="absent_standby")
    server.reload()
    time.sleep(0.1)
    running.resume()
    deadline = time.monotonic() + 20
    while not (waiting := server.ask(
            trial.database, """select pid from pg_stat_activity
            where wait_event = 'SyncRep' and application_name = 'gamebase-ingest'""")):
        if time.monotonic() > deadline or running.state() in "TZ":
            raise RuntimeError("COMMIT does not wait for the standby")
        time.sleep(0.01)
    server.configure()  # without a reload, which would let COMMIT end
    if how in ("immediate", "fast"):
        server.stop(how)
        server.start()
    else:
        end_backend(trial, how, int(waiting[0][0]))
    server.reload()
    result = trial.finish(running)
    server.wait_until_ready()
    trial.outcome(result, AWAY, passing=True)
    trial.check_failed_files(result)


def unhang(trial: Trial) -> None:
    trial.server.configure()
    if not trial.server.is_running():
        trial.server.start()
    trial.server.reload()


for _how, _what in (
    ("immediate", "pg_ctl stop -m immediate"), ("fast", "pg_ctl stop -m fast"),
    ("terminated", "pg_terminate_backend"), ("killed", "kill -9 of the backend"),
):
    fault(f"commit-under-way-{_how}", f"{_what} while COMMIT is under way", times=5,
          quick=1 if _how in ("immediate", "terminated") else 0)(partial(during_commit, _how))


@fault("server-absent", "no server at the start")
def server_absent(trial: Trial) -> None:
    trial.server.create(f"absent{os.getpid()}")  # the database exists when the server runs
    trial.database = f"absent{os.getpid()}"
    trial.server.stop()
    result = trial.load()
    trial.server.start()
    trial.outcome(result, {69, 75})


@fault("server-starting", "a server that is starting up (57P03) and then accepts connections", times=2, quick=0)
def server_starting(trial: Trial) -> None:
    server = trial.own_server()
    server.start()
    trial.database = "empty"
    server.stop()
    # A standby without hot_standby stays in the state "starting up" (57P03).
    (server.data / "standby.signal").touch()
    server.configure(hot_standby="off")
    server.start(wait=False)
    time.sleep(0.5)

    def let_in() -> None:
        server.stop("immediate")
        (server.data / "standby.signal").unlink()
        server.configure()
        server.start()

    running = trial.start()
    if trial.random.random() < 0.5:
        time.sleep(0.5)
        let_in()
        result = trial.finish(running)
    else:
        result = trial.finish(running)
        let_in()
    trial.outcome(result, AWAY, passing=True)
    trial.check_failed_files(result)


@fault("commit-number-reused",
       "the server crashes with COMMIT unread and forgets the transaction; others take its number",
       times=3)
def number_reused(trial: Trial) -> None:
    """Makes the status of transaction N the status of another transaction.

    The WAL of a small uncommitted transaction may still be in memory at the crash. The recovered server then does not
    know that the number was assigned, and assigns it again.
    """
    server = trial.server
    trial.cleanups.append(lambda: unhang(trial))
    small = [trial.inbox / "gameuser-a.jsonl", trial.inbox / "gameuser-b.jsonl"]
    trial.load(small[:1])  # creates the partitions, which other transactions commit
    server.configure(wal_writer_delay="10s", bgwriter_lru_maxpages="0")
    server.restart()
    running = trial.start(small[1:], stop_at="before-commit")
    running.wait_until_stopped()
    backend = server.loading_backend(trial.database)
    os.kill(backend, signal.SIGSTOP)
    running.resume()
    time.sleep(0.3)  # COMMIT is sent, but the stopped backend does not read it
    running.send(signal.SIGSTOP)
    end_backend(trial, "killed", backend)
    for _ in range(40):
        server.ask("postgres", "create table taken ()", "drop table taken")
    running.resume()
    result = trial.finish(running)
    trial.outcome(result, AWAY, passing=True)
    trial.check_failed_files(result)
