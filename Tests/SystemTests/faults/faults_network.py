"""Faults of a proxy between loader and server that closes, resets, stalls, swallows, and loses answers."""

from __future__ import annotations

from functools import partial

from proxy import Plan, Proxy
from trial import Trial, fault

# Approximate bytes that an undisturbed run sends and receives.
SENT, ANSWERED = 3_000_000, 12_000
PASSING = {0, 3, 69, 75}


def through(trial: Trial, plan: Plan) -> None:
    """Runs a load through the proxy; later runs connect directly to the server."""
    with Proxy(trial.server.port, plan) as proxy:
        result = trial.load(conninfo=trial.server.conninfo(trial.database, port=proxy.port))
    if not plan.triggered.is_set():
        trial.note("ended before the proxy came to it")
    trial.outcome(result, PASSING, passing=True)
    trial.check_failed_files(result)


def after_bytes(action: str, direction: str, trial: Trial) -> None:
    most = SENT if direction == "client" else ANSWERED
    limit = trial.random.choice([trial.random.randrange(1, 3000), trial.random.randrange(1, most)])
    connection = trial.random.choice([0, 0, 0, 1])
    if connection == 1:
        limit = trial.random.randrange(1, 1500)
    plan = Plan(action, connection=connection, seconds=2.0)
    if direction == "client":
        plan.client_bytes = limit
    else:
        plan.server_bytes = limit
    plan.closed_for = trial.random.choice([0.0, 0.0, 1.0])
    through(trial, plan)


SLOW = {("stall", "client"), ("stall", "server"), ("reset", "server")}

for _action, _what in (("close", "closed"), ("reset", "reset (RST)"), ("stall", "silent for 2 s, then goes on")):
    for _direction, _whose in (("client", "the loader's"), ("server", "the server's")):
        fault(f"connection-{_action}-{_direction}",
              f"the connection is {_what} after a random number of {_whose} bytes", times=8,
              quick=0 if (_action, _direction) in SLOW else 1)(
            partial(after_bytes, _action, _direction))


@fault("connection-swallowed", "the connection stays open but transfers nothing; SIGTERM", times=3, quick=0)
def swallowed(trial: Trial) -> None:
    plan = Plan("swallow", client_bytes=trial.random.randrange(2000, SENT // 2), seconds=60)
    with Proxy(trial.server.port, plan) as proxy:
        running = trial.start(conninfo=trial.server.conninfo(trial.database, port=proxy.port))
        plan.triggered.wait(30)
        if running.run_for(1):
            result, count = trial.finish(running), 0
        else:
            result, count = trial.end_stuck(running)
    trial.note(f"{count} SIGTERM")
    trial.outcome(result, PASSING | {143})


def at_commit(how: str, action: str, closed_for: float, trial: Trial) -> None:
    plan = Plan(action, at_commit=how, closed_for=closed_for)
    through(trial, plan)


for _name, _what, _how, _action, _closed in (
    ("commit-answer-lost", "COMMIT is executed, and its answer is lost by a closed connection", "forward",
     "close", 0.0),
    ("commit-answer-reset", "COMMIT is executed, and its answer is lost by a reset", "forward", "reset", 0.0),
    ("commit-answer-lost-long", "COMMIT is executed, its answer is lost, and connections fail for 3 s",
     "forward", "close", 3.0),
    ("commit-raced", "the connection is closed as soon as COMMIT has been forwarded", "race", "close", 0.0),
    ("commit-lost", "the connection is closed before COMMIT reaches the server", "drop", "close", 0.0),
    ("commit-lost-reset", "the connection is reset before COMMIT reaches the server", "drop", "reset", 0.0),
):
    fault(_name, _what, times=5, quick=0 if _name.endswith(("reset", "long")) else 1)(
        partial(at_commit, _how, _action, _closed))


@fault("commit-swallowed", "COMMIT is executed, no answer arrives, and the connection stays open", times=2, quick=0)
def commit_swallowed(trial: Trial) -> None:
    plan = Plan("swallow", at_commit="forward", seconds=60)
    with Proxy(trial.server.port, plan) as proxy:
        running = trial.start(conninfo=trial.server.conninfo(trial.database, port=proxy.port))
        plan.triggered.wait(30)
        if running.run_for(1):
            result, count = trial.finish(running), 0
        else:
            result, count = trial.end_stuck(running)
    trial.note(f"{count} SIGTERM")
    trial.outcome(result, PASSING | {143})
