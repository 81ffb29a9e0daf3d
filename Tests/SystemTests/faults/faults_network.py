"""Faults of a proxy between loader and server that closes, resets, stalls, swallows, and loses answers."""

from __future__ import annotations

import itertools

from proxy import Plan, Proxy
from trial import PASSING, Trial, fault

# Approximate bytes that an undisturbed run sends and receives.
SENT, ANSWERED = 3_000_000, 12_000


def through(trial: Trial, plan: Plan, port: int | None = None) -> None:
    """Runs a load through a proxy in front of the server, or of its pooler; later runs connect to the server."""
    with Proxy(port or trial.server.port, plan) as proxy:
        loaded = trial.load(conninfo=trial.server.conninfo(trial.database, port=proxy.port))
    if not plan.triggered.is_set():
        print("ended before the proxy came to it")
    trial.passes(loaded)


@fault("connection-{}-{}", itertools.product(("close", "reset", "stall"), ("client", "server")), times=8,
       quick={("close", "client"), ("close", "server"), ("reset", "client")})
def after_bytes(trial: Trial, action: str, sender: str) -> None:
    """The connection ends, or is silent for 2 s, after a random number of bytes from one side."""
    most = SENT if sender == "client" else ANSWERED
    limit = trial.random.choice([trial.random.randrange(1, 3000), trial.random.randrange(1, most)])
    connection = trial.random.choice([0, 0, 0, 1])
    if connection == 1:
        limit = trial.random.randrange(1, 1500)
    closed_for = trial.random.choice([0.0, 0.0, 1.0])
    through(trial, Plan(action, connection, sender, limit, seconds=2.0, closed_for=closed_for))


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


@fault("connection-swallowed", times=3, quick=0)
def swallowed(trial: Trial) -> None:
    swallow(trial, Plan("swallow", byte_count=trial.random.randrange(2000, SENT // 2)))


@fault("commit-swallowed", times=2, quick=0)
def commit_swallowed(trial: Trial) -> None:
    swallow(trial, Plan("swallow", at_commit="forward"))


def swallow(trial: Trial, plan: Plan) -> None:
    """The connection stays open and transfers nothing more, until SIGTERM."""
    with Proxy(trial.server.port, plan) as proxy:
        running = trial.start(conninfo=trial.server.conninfo(trial.database, port=proxy.port))
        plan.triggered.wait(30)
        if not running.run_for(1):
            trial.end_stuck(running)
        trial.outcome(running, PASSING | {143})
