-- Prints the data dictionary as Markdown, from the comments in the database itself.
select $$# Data dictionary

Analysts may read the views of schema `report` and the reference tables of schema `game`; for the other tables,
`\d+` in psql shows the comments. Made from the comments in the database by `scripts/generate`; do not edit. Times are
`timestamptz`; money is in minor units (`_minor`) beside its currency.
$$;

select format(E'## %s\n\n%s\n\n%s', case when is_of_operators then 'Views of operators' else format('Schema `%s`', n.nspname) end,
  case when is_of_operators then 'Views of schema `report` that tell how the loads went, and whether the figures can be trusted.'
    else obj_description(n.oid, 'pg_namespace') end, tables.text)
from pg_namespace n
cross join (values (false), (true)) v (is_of_operators)
cross join lateral (
  select string_agg(format(E'### %s `%s.%s`\n\n%s\n\n| column | type | null | meaning |\n| --- | --- | --- | --- |\n%s\n',
      case c.relkind when 'v' then 'View' else 'Table' end, n.nspname, c.relname,
      obj_description(c.oid, 'pg_class'), columns.text), E'\n' order by c.relname) as text
  from pg_class c
  cross join lateral (
    select string_agg(format('| `%s` | %s | %s | %s |', a.attname, format_type(a.atttypid, a.atttypmod),
        case when c.relkind = 'v' then '' when a.attnotnull then 'no' else 'yes' end,
        replace(coalesce(col_description(c.oid, a.attnum), ''), '|', '\|')), E'\n' order by a.attnum) as text
    from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ) columns
  where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v') and not c.relispartition
    and is_of_operators = (n.nspname = 'report' and c.relname in ('calendar_gap', 'freshness', 'health', 'horizon',
      'load_history', 'open_failure', 'quality_by_day', 'reject_by_day', 'reject_summary', 'set_aside_player', 'setting',
      'unknown_field_summary'))
    and (n.nspname = 'report' or c.relname not in (select target_table from ingest.stream))
) tables
where n.nspname in ('report', 'game') and tables.text is not null
order by n.nspname desc, is_of_operators;
