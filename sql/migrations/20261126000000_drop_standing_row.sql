-- The function staging.standing_rows takes its place.
drop view if exists staging.standing_row;
