-- Prints the data dictionary as Markdown, from the comments in the database itself: with the variable part at analyst what
-- analysts may read, at owner everything else.
select case :'part' when 'analyst' then $$# Data dictionary

What analysts may read: the views of schema `report` and the reference tables of schema `game`. Everything else is in
the [dictionary of tables](table-dictionary.md). Made from the comments in the database by `scripts/describe-schema`; do
not edit. Times are `timestamptz`; money is in minor units (`_minor`) beside its currency.
$$ else $$# Dictionary of tables

Tables that only the owner and the program read: facts, the ledger and rollups. What analysts may read is in the
[data dictionary](data-dictionary.md). Made from the comments in the database by `scripts/describe-schema`; do not edit.
Times are `timestamptz`; money is in minor units (`_minor`) beside its currency.
$$ end;

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
        replace(coalesce(col_description(c.oid, a.attnum), explained.text, ''), '|', '\|')), E'\n' order by a.attnum) as text
    from pg_attribute a
    -- The view's column, best of a view that reads the table, explains the one of a rollup that has its name.
    left join lateral (
      select col_description(v.oid, b.attnum) as text
        from pg_class v join pg_attribute b on b.attrelid = v.oid
        where v.relnamespace = 'report'::regnamespace and v.relkind = 'v' and b.attname = a.attname
        order by not exists (
            select from pg_depend d join pg_rewrite r on r.oid = d.objid
              where d.classid = 'pg_rewrite'::regclass and d.refobjid = c.oid and r.ev_class = v.oid), v.relname
        limit 1
    ) explained on c.relnamespace = 'rollup'::regnamespace
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ) columns
  where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v') and not c.relispartition
    and n.nspname <> 'staging'
    and is_of_operators = (n.nspname = 'report' and c.relname in ('calendar_gap', 'freshness', 'health', 'horizon',
      'load_history', 'open_failure', 'quality_by_day', 'reject_by_day', 'reject_summary', 'set_aside_player', 'setting',
      'unknown_field_summary'))
    and :'part' = case when n.nspname = 'report' or n.nspname = 'game'
      and c.relname not in (select target_table from ingest.stream) then 'analyst' else 'owner' end
) tables
where n.nspname in ('game', 'report', 'ingest', 'rollup') and tables.text is not null
order by array_position(array['report', 'game', 'ingest', 'rollup'], n.nspname::text), is_of_operators;
