"""Faults by kill -9, at random times and at fault points that random times miss."""

from __future__ import annotations

from functools import partial

from loader import NeverStopped
from trial import Skip, Trial, fault

POINTS = ("copy-begun", "batch-copied", "merged", "before-commit", "after-commit")


def sleep_and_kill(trial: Trial, **more: object) -> None:
    """Kills a run after a random part of its normal time."""
    running = trial.start(trial.paths(), **more)
    running.run_for(trial.random.uniform(0, trial.normal * 1.1))
    trial.kill(running)


@fault("kill-random", "kill -9 after a random part of a run; one in three recoveries is killed too",
       times=200, quick=15)
def kill_random(trial: Trial) -> None:
    sleep_and_kill(trial)
    if trial.random.random() < 1 / 3:
        trial.verify()
        sleep_and_kill(trial)
        trial.note("killed, and killed again")
    else:
        trial.note("killed")


def kill_at(point: str, trial: Trial) -> None:
    running = trial.stop_loader_at(point, number=trial.random.randrange(1, 9))
    trial.kill(running)
    trial.note("killed")
    if trial.random.random() < 0.5:
        trial.verify()
        other = trial.random.choice(POINTS[:4])
        running = trial.start(trial.paths(), stop_at=other)
        try:
            running.wait_for_stop(1)
        except NeverStopped:  # the remaining work does not reach this point
            trial.finish(running)
            return
        trial.kill(running)
        trial.note(f"recovery killed at {other}")


for _point in POINTS:
    fault(f"kill-at-{_point}", f"kill -9 at {_point}, half of the recoveries killed as well",
          times=5)(partial(kill_at, _point))


@fault("kill-jobs-4", "kill -9 at random of a run with four files at once", times=40, quick=1)
def kill_jobs(trial: Trial) -> None:
    if not trial.world.loader.has("--jobs"):
        raise Skip("this build has no --jobs")
    sleep_and_kill(trial, options=("--jobs", "4"))
    trial.note("killed")
