"""Faults by SIGTERM, SIGINT and SIGSTOP, while the loader works and while it waits."""

from __future__ import annotations

import signal
import time
from functools import partial

from loader import Running
from trial import Trial, fault

NAMES = {signal.SIGTERM: "SIGTERM", signal.SIGINT: "SIGINT"}
# Seconds within which a signal must end a run; the run may have to roll back a file.
PATIENCE = 10.0


def expect_end(trial: Trial, running: Running, number: int) -> None:
    """Checks that the run has ended with the documented code, or had no work left."""
    started = time.monotonic()
    result = trial.finish(running, PATIENCE)
    if result.timed_out:
        trial.fail("I8", f"the run did not end within {PATIENCE:.0f} s after {NAMES[signal.Signals(number)]}")
    trial.note("at once" if time.monotonic() - started < 1 else "within 10 s")
    # Before the program has installed its handler, or on a second signal, the signal itself ends the process.
    trial.outcome(result, {0, 3, 128 + number, -number})


def once(number: int, trial: Trial) -> None:
    running = trial.start()
    running.run_for(trial.random.uniform(0, trial.normal))
    running.send(number)
    expect_end(trial, running, number)


def in_copy(number: int, trial: Trial) -> None:
    running = trial.stop_loader_at("copy-begun", number=trial.random.randrange(1, 5))
    running.send(number)
    expect_end(trial, running, number)


def twice(number: int, trial: Trial) -> None:
    running = trial.start()
    running.run_for(trial.random.uniform(0, trial.normal))
    running.send(number)
    running.run_for(trial.random.choice([0, 0.01, 0.1]))
    running.send(number)
    expect_end(trial, running, number)


def waiting_for_file(number: int, trial: Trial) -> None:
    first = trial.stop_loader_at("before-commit")
    second = trial.start()
    second.run_for(1.0)
    second.send(number)
    expect_end(trial, second, number)
    trial.finish(first)


def waiting_for_stream(number: int, trial: Trial) -> None:
    first = trial.stop_loader_at("before-commit", first="receipt-a.jsonl")
    second = trial.start([trial.inbox / "receipt-c.jsonl"])
    deadline = time.monotonic() + 10
    while trial.server.value(trial.database, "select count(*) from pg_locks where not granted") == "0":
        if time.monotonic() > deadline:
            raise RuntimeError("the second loader does not wait for the stream")
        time.sleep(0.02)
    second.send(number)
    expect_end(trial, second, number)
    trial.finish(first)


for _number, _name in ((signal.SIGTERM, "sigterm"), (signal.SIGINT, "sigint")):
    for _suffix, _what, _run, _times in (
        ("once", "at a random time", once, 10), ("in-copy", "in the middle of a COPY", in_copy, 3),
        ("twice", "twice at a random time", twice, 5),
        ("waiting-for-file", "while another loader has the file", waiting_for_file, 1),
        ("waiting-for-stream", "while another loader has the stream", waiting_for_stream, 1),
    ):
        fault(f"{_name}-{_suffix}", f"{_name.upper()} {_what}", times=_times,
              quick=1 if _number == signal.SIGTERM else 0)(partial(_run, _number))


@fault("sigstop-with-rival", "SIGSTOP in the middle of a COPY while a second loader runs, then SIGCONT", times=3)
def sigstop(trial: Trial) -> None:
    first = trial.stop_loader_at("copy-begun", first="receipt-a.jsonl")
    second = trial.start(options=("--lock-wait", "1"))
    second.run_for(2.5)
    trial.outcome(trial.finish(first), {0, 3})
    result = trial.finish(second)
    trial.note(f"the second: exit {result.code}")
    if result.code not in (0, 3, 6):
        trial.fail("I4", f"the second loader ended with {result.code}: {result.text[-300:]}")
