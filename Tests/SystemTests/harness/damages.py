"""Damages of a loaded database, which the checks of a tester must see."""

from __future__ import annotations

# By the table of the model.
DAMAGES = {
    "receipt": """update game.receipt set amount_minor = amount_minor + 1
        where payment_seq = (select max(payment_seq) from game.receipt where amount_minor > 0)""",
    "level_up": """delete from game.level_up
        where row_digest is not distinct from (select min(row_digest::text)::uuid from game.level_up)""",
    "game_user": """update game.game_user_snapshot set observed_at = observed_at + interval '1 ms'
        where row_digest is not distinct from (select min(row_digest::text)::uuid from game.game_user_snapshot)""",
    "item": "update game.item_snapshot set is_active = not is_active where is_active is not null",
    "reject": """update ingest.reject set byte_offset = byte_offset + 1
        where reject_id = (select min(reject_id) from ingest.reject)""",
    "conflict": """delete from ingest.conflict
        where conflict_id = (select min(conflict_id) from ingest.conflict)""",
    "fill": "delete from ingest.fill where fill_id = (select min(fill_id) from ingest.fill)",
    "file": """update ingest.source_file set inserted_count = inserted_count + 1, duplicate_count = duplicate_count - 1
        where source_file_id = (select min(source_file_id) from ingest.source_file where duplicate_count > 0)""",
    "unknown_field": "update ingest.unknown_field set line_count = line_count + 1",
}
