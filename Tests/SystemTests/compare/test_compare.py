"""Planted differences, all of which a comparison must find, and nothing else."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from damages import DAMAGES

COMPARE = Path(__file__).resolve().parents[3] / "scripts/compare"
# By the place that must be named: what the second program does to its database after the last step.
PLANTED = {
    "rebuild: game.receipt": DAMAGES["receipt"], "rebuild: game.level_up": DAMAGES["level_up"],
    "rebuild: game.game_user_snapshot": DAMAGES["game_user"], "rebuild: ingest.source_file": DAMAGES["file"],
    "rebuild: ingest.conflict": DAMAGES["conflict"],
    "rebuild: ingest.reject": """update ingest.reject set raw = raw || ' '
        where reject_id = (select min(reject_id) from ingest.reject)""",
    "rebuild: report.level_funnel": """update rollup.level set recorded_user_count = recorded_user_count + 1
        where user_level = (select min(user_level) from rollup.level)""",
    "rebuild: game.store": "alter table game.store add column note text",
}
PROGRAM = r"""#!/bin/bash
case "$*" in
  'trace --stream receipt'*) "{program}" "$@"; exit 1 ;;
  'conflicts list'*) "{program}" "$@" | sed 's/kept/keeps/' ;;
  'export purchase'*) "{program}" "$@" | sed 2d ;;
  'load late'*) "{program}" "$@"; code=$?; sed -Ei 's/"duplicates" ?: 0/"duplicates": 1/' out/report.json; exit $code ;;
  'refresh --full') "{program}" "$@"; code=$?; psql -qX -c "{planted}"; exit $code ;;
  *) exec "{program}" "$@" ;;
esac
"""
OUTPUTS = {"trace: output", "conflicts: output", "export JSONL: output", "night late: output"}


def test_every_planted_difference_is_found(program: Path, tmp_path: Path) -> None:
    wrapper = tmp_path / "gamebase-ingest"
    planted = "; ".join(["set session_replication_role = replica", *PLANTED.values()])
    wrapper.write_text(PROGRAM.replace("{program}", str(program)).replace("{planted}", planted))
    wrapper.chmod(0o755)
    done = subprocess.run(
        [COMPARE, program, wrapper, "--lines", "400", "--days", "5"], capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    found = set(re.findall(r"^(.+): \d+ lines differ$", done.stdout, re.MULTILINE))
    # A figure of a view that is made of a changed table differs as well.
    found -= {place for place in found if place.startswith("rebuild: report.") and place not in PLANTED}
    assert found == set(PLANTED) | OUTPUTS, done.stdout
