"""Checks the recipes of deploy/ with the schemas of Kubernetes and a real Airflow; see scripts/tools deploy."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import kubernetes_validate.utils
import pendulum
import yaml
from airflow.dag_processing.dagbag import DagBag
from airflow.exceptions import AirflowException, AirflowFailException
from airflow.serialization.serialized_objects import DagSerialization

FOLDER = Path(__file__).resolve().parents[2] / "deploy"
# The first version with podFailurePolicy.
FIRST_VERSION = (1, 26)
# What a scheduler does with an exit code, by docs/operating.md.
GOOD, RETRIED, FINAL = {0, 3}, {6, 7, 69, 75}, {4, 5, 64, 70, 74, 78}


def need(condition: bool, message: str) -> None:
    if not condition:
        raise SystemExit(f"check-deploy: {message}")


def check_kubernetes() -> None:
    job = yaml.safe_load((FOLDER / "kubernetes" / "cronjob.yaml").read_text())
    versions = [one for one in kubernetes_validate.utils.all_versions()
                if tuple(map(int, one.split(".")[:2])) >= FIRST_VERSION]
    need(bool(versions), "the package has no schema")
    for version in versions:
        try:
            kubernetes_validate.validate(job, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            place = ".".join(map(str, error.path))
            raise SystemExit(
                f"check-deploy: cronjob.yaml does not fit Kubernetes {version}: {place}: {error.message}") from None
    policy = job["spec"]["jobTemplate"]["spec"]["podFailurePolicy"]["rules"][0]
    need(set(policy["onExitCodes"]["values"]) == FINAL, "cronjob.yaml retries other exit codes than documented")
    print(f"ok cronjob.yaml fits Kubernetes {versions[0]} to {versions[-1]}")


def outcome(run: Any) -> str:
    try:
        run("kr", "2026-01-31")
    except AirflowFailException:
        return "fails for good"
    except AirflowException:
        return "is tried again"
    return "succeeds"


def check_airflow() -> None:
    bag = DagBag(dag_folder=str(FOLDER / "airflow" / "gamebase_ingest.py"))
    need(not bag.import_errors, f"Airflow cannot read the DAG: {bag.import_errors}")
    dag = bag.dags["gamebase_ingest"]
    need(sorted(dag.task_ids) == ["run_jp", "run_kr"], f"the DAG has the tasks {dag.task_ids}")
    stored = DagSerialization.from_dict(DagSerialization.to_dict(dag))
    night = stored.timetable.infer_manual_data_interval(run_after=pendulum.datetime(2026, 2, 1, 3, 15))
    need(str(night.start.date()) == "2026-01-31", f"the night of February 1 loads the files of {night.start.date()}")
    task = dag.get_task("run_kr")
    need(task.retries > 0 and task.op_args[1] == "{{ data_interval_start | ds }}", "the task has other arguments")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "gamebase-ingest"
        os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
        for codes, due in ((GOOD, "succeeds"), (RETRIED, "is tried again"), (FINAL, "fails for good")):
            for code in sorted(codes):
                program.write_text(f"#!/bin/sh\nexit {code}\n")
                program.chmod(0o755)
                found = outcome(task.python_callable)
                need(found == due, f"a task {found} after exit code {code}")
    print("ok Airflow reads the DAG, names the day of a night, and tells the exit codes apart")


if __name__ == "__main__":
    check_kubernetes()
    check_airflow()
