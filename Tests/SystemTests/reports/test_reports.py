"""Random commands: every view equals a slow recomputation from the stored rows, and every rollup its full rebuild.

Run by scripts/test reports, which explains the options.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from data import STREAMS
from random_runs import Violated
from report_basis import Basis
from report_compare import compare, read_relations
from report_run import ReportRun, read_rollups, rollup_differences
from report_scenes import SCENES, SceneMaker, steps_of
from server import Server

# By rollup: a column that is damaged, and the view that must differ.
DAMAGE = {
    "level": ("recorded_user_count", "level_funnel"), "level_percentile": ("p50_minutes", "level_time"),
    "player": ("paid_count", "player"), "player_day": ("level_up_count", "player_day"),
    "player_period": ("payer_count", "payers_by_period"), "currency_period": ("amount_minor", "arppu_by_period"),
    "revenue_day": ("paid_count", "revenue_by_day"), "subscription_day": ("active_paid", "subscription_by_day"),
    "cohort_size": ("cohort_size", "retention_by_cohort"), "event_day": ("user_count", "event_by_day"),
    "kickout_day": ("message_count", "kickout_by_day"),
}


@pytest.mark.parametrize("scene", SCENES)
def test_the_views_equal_the_rows_in_a_scene(server: Server, program: Path, scene: str) -> None:
    # Scenes of an odd number look up players one by one.
    run = ReportRun(server, program, 1, [*SCENES].index(scene) + 1)
    run.test(steps_of(scene, SceneMaker(run.maker, run.now)), f"-k {scene}")


def test_every_damaged_rollup_is_noticed(server: Server, program: Path) -> None:
    run = ReportRun(server, program, 1, 2)
    run.maker.random.seed(7)
    while not run.has_rows([f"rollup.{rollup}" for rollup in DAMAGE]):
        run.carry_out(run.maker.loads(*STREAMS))
    basis, before = Basis(run.facts), read_rollups(run.session.connection)
    for rollup, (column, view) in DAMAGE.items():
        with run.session.connection.transaction(force_rollback=True):
            run.session.execute(f"update rollup.{rollup} set {column} = {column} + 1")
            assert compare(basis, read_relations(run.session.connection, [view]), [view]), f"{view} does not differ"
            told = rollup_differences(before, read_rollups(run.session.connection))
            assert {one.partition(",")[0] for one in told} == {f"rollup.{rollup}"}
    run.session.execute("delete from rollup.history where user_id = 'u1'")
    with pytest.raises(Violated, match="views differ"):
        run.conclude()
    run.close()


def test_the_views_equal_the_rows_after_random_commands(
    server: Server, program: Path, run_number: int, pytestconfig: pytest.Config
) -> None:
    run = ReportRun(server, program, pytestconfig.getoption("--seed"), run_number)
    run.test_random_steps(min(run.step_count, pytestconfig.getoption("--steps")))
