"""Faults of concurrent loaders, on the same files and on the same keys in opposite order."""

from __future__ import annotations

import collections

from trial import Trial, fault


@fault("rivals", "two to eight loaders started together on the same files", times=7)
def rivals(trial: Trial) -> None:
    count = trial.random.randrange(2, 9)
    wait = trial.random.choice([0, 1, 60])
    runs = [trial.start(options=("--lock-wait", str(wait)), bound=120) for _ in range(count)]
    results = [trial.finish(run) for run in runs]
    loaded = collections.Counter(
        name for result in results for name, status in result.statuses().items() if status == "loaded")
    for name, times in loaded.items():
        if times > 1:
            trial.fail("I1", f"{times} loaders report that they loaded {name}")
    for result in results:
        trial.note(f"exit {result.code}")
        if result.code not in (0, 3, 6):
            trial.fail("I4", f"a rival ended with {result.code}: {result.text[-300:]}")
    missing = {path.name for path in trial.paths()} - set(loaded)
    if missing and all(result.code != 6 for result in results):
        trial.fail("I4", f"no loader timed out on a lock, but no loader loaded {missing}")


@fault("opposite-order", "two loaders with the same files in opposite order", times=5)
def opposite_order(trial: Trial) -> None:
    runs = [trial.start(trial.paths()), trial.start(trial.paths()[::-1])]
    for run in runs:
        trial.outcome(trial.finish(run), {0, 3})


@fault("rivals-killed", "four loaders together, three of them killed at random", times=5)
def rivals_killed(trial: Trial) -> None:
    runs = [trial.start(trial.paths()) for _ in range(4)]
    for run in runs[:3]:
        run.run_for(trial.random.uniform(0, trial.normal))
        trial.kill(run)
    trial.outcome(trial.finish(runs[3]), {0, 3})
