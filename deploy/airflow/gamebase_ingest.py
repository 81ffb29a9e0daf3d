"""The nights of gamebase-ingest in Airflow: one task per target, which branches on the exit code."""

import subprocess
from datetime import datetime, timedelta

from airflow.decorators import dag, task
from airflow.exceptions import AirflowException, AirflowFailException
from airflow.timetables.interval import CronDataIntervalTimetable

TARGETS = ["kr", "jp"]
# Late or missing data, a lock, a server that is away, a temporary failure: a retry helps; twice, because 7 is also an
# implausible day.
RETRIED = {6, 7, 69, 75}


# Airflow 3 gives a plain cron expression no interval: it would load the files of the wrong day.
NIGHTS = CronDataIntervalTimetable("15 3 * * *", timezone="UTC")


@dag(
    schedule=NIGHTS, start_date=datetime(2026, 1, 1), catchup=False, max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=30)})
def gamebase_ingest():
    @task
    def run(target: str, day: str) -> int:
        """Runs the night of a day; returns 0, or 3 for refused lines and conflicts."""
        code = subprocess.run(["gamebase-ingest", "run", "--target", target, "--date", day], check=False).returncode
        if code in (0, 3):
            return code
        message = f"gamebase-ingest ended with {code}; the log and the report say why"
        if code in RETRIED:
            raise AirflowException(message)
        # Another attempt would end in the same way.
        raise AirflowFailException(message)

    for target in TARGETS:
        # The interval begins on the day whose files come in the night after it.
        run.override(task_id=f"run_{target}")(target, "{{ data_interval_start | ds }}")


gamebase_ingest()
