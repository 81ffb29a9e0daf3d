-- A distributed table takes no lateral join, so a query of its own counts each hour: the view gives this function an hour
-- after the reader's conditions.
--
-- SECURITY DEFINER: the reader of the view has no right to the events.
create or replace function rollup.events_of_hour(
  p_app_id text, p_hour timestamptz, p_newest_file_id bigint,
  out category text, out event_group text, out code bigint, out event_count bigint, out user_count bigint)
returns setof record
language plpgsql stable security definer rows 20
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    select g.category, g.event_group, g.code, count(*), count(distinct g.user_id)
      from game.event g
      where g.occurred_at >= p_hour and g.occurred_at < p_hour + interval '1 hour' and g.app_id = p_app_id
        and g.source_file_id <= p_newest_file_id
      group by g.category, g.event_group, g.code;
end
$$;
comment on function rollup.events_of_hour is
  'The events of an application in an hour, counted by category, group and code, of files up to a number. Part of report.event_by_hour.';
