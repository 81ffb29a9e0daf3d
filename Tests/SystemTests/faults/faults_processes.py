"""Faults by signals, at random times and at fault points that random times miss, and of concurrent loaders."""

from __future__ import annotations

import collections
import contextlib
import functools
import itertools
import signal

from loader import NeverStopped, ProgramRun
from trial import Trial, fault

POINTS = ("copy-begun", "batch-copied", "merged", "before-commit", "after-commit")
# Seconds within which a signal must end a run; the run may have to roll back a file.
PATIENCE = 10.0


@fault("kill-random", times=200, quick=15)
def kill_random(trial: Trial, *options: str) -> None:
    """Kills a run after a random part of its normal time, and one in three recoveries, too."""
    trial.kill(trial.run_a_part(trial.start(options=options), 1.1))
    if trial.random.random() < 1 / 3:
        trial.verify()
        kill_random(trial, *options)


@fault("kill-jobs-4", times=40)
def kill_jobs(trial: Trial) -> None:
    kill_random(trial, "--jobs", "4")


@fault("kill-at-{}", POINTS, times=5)
def kill_at(trial: Trial, point: str) -> None:
    """Half of the recoveries are killed, too."""
    trial.kill(trial.stop_loader_at(point, number=trial.random.randrange(1, 9)))
    if trial.random.random() < 0.5:
        trial.verify()
        running = trial.start(stop_at=trial.random.choice(POINTS[:4]))
        # The remaining work may not reach this point.
        with contextlib.suppress(NeverStopped):
            running.wait_until_stopped()
        trial.kill(running)


on_signal = functools.partial(fault, variants=("term", "int"), quick={"term"})


def end(trial: Trial, running: ProgramRun, name: str) -> None:
    """Signals a run, which must end with the documented code, or with no work left."""
    number = signal.Signals[f"SIG{name.upper()}"]
    running.send(number)
    trial.finish(running, PATIENCE)
    # Before the program has installed its handler, or on a second signal, the signal itself ends the process.
    trial.outcome(running, {0, 3, 128 + number, -number})


@on_signal("sig{}-once", times=10)
def once(trial: Trial, name: str) -> None:
    end(trial, trial.run_a_part(trial.start()), name)


@on_signal("sig{}-in-copy", times=3)
def in_copy(trial: Trial, name: str) -> None:
    end(trial, trial.stop_loader_at("copy-begun", number=trial.random.randrange(1, 5)), name)


@on_signal("sig{}-twice", times=5)
def twice(trial: Trial, name: str) -> None:
    running = trial.run_a_part(trial.start())
    running.send(signal.Signals[f"SIG{name.upper()}"])
    running.run_for(trial.random.choice([0, 0.01, 0.1]))
    end(trial, running, name)


@fault("sig{}-waiting-for-{}", itertools.product(("term", "int"), ("file", "stream")),
       quick={("term", "file"), ("term", "stream")})
def waiting(trial: Trial, name: str, what: str) -> None:
    """Another loader has the file, or the stream."""
    first = trial.stop_loader_at("before-commit", first="receipt-a.jsonl")
    second = trial.start([trial.inbox / ("receipt-a.jsonl" if what == "file" else "receipt-c.jsonl")])
    is_waiting = "select count(*) > 0 from pg_locks where not granted"
    # It tries the lock of a file again and again.
    assert not second.run_for(1.0), "the second loader does not wait"
    assert what == "file" or trial.server.value(trial.database, is_waiting) == "t", "it waits for no lock"
    end(trial, second, name)
    trial.finish(first)


@fault("sigstop-with-rival", times=3)
def sigstop(trial: Trial) -> None:
    """A loader is stopped in the middle of a COPY while a second one runs."""
    first = trial.stop_loader_at("copy-begun", first="receipt-a.jsonl")
    second = trial.start(options=("--lock-wait", "1"))
    second.run_for(2.5)
    trial.outcome(first, {0, 3})
    trial.outcome(second, {0, 3, 6})


@fault("rivals", times=7)
def rivals(trial: Trial) -> None:
    """Two to eight loaders start together on the same files."""
    count = trial.random.randrange(2, 9)
    wait = trial.random.choice([0, 1, 60])
    runs = [trial.start(options=("--lock-wait", str(wait)), bound=120) for _ in range(count)]
    for run in runs:
        trial.outcome(run, {0, 3, 6})
    times = collections.Counter(name for run in runs for name, status in run.statuses().items() if status == "loaded")
    trial.expect(max(times.values(), default=0) < 2, f"I1: several loaders report that they loaded a file: {times}")
    missing = {path.name for path in trial.paths()} - set(times)
    trial.expect(not missing or any(run.code == 6 for run in runs),
                 f"I4: no loader timed out on a lock, but no loader loaded {missing}")


@fault("opposite-order", times=5)
def opposite_order(trial: Trial) -> None:
    runs = [trial.start(trial.paths()), trial.start(trial.paths()[::-1])]
    for run in runs:
        trial.outcome(run, {0, 3})


@fault("rivals-killed", times=5)
def rivals_killed(trial: Trial) -> None:
    runs = [trial.start() for _ in range(4)]
    for run in runs[:3]:
        trial.kill(trial.run_a_part(run))
    trial.outcome(runs[3], {0, 3})
