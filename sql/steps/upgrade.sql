-- Brings the facts and the ledger of a database of version 0.9 to version 1.0. The rollups go: migrations that this file
-- does not name are pending afterwards, and the next refresh fills them. The comments of the others follow these statements.

-- Views and functions come back with the definitions. Some depend on others, so what is left is tried again. No drop
-- cascades: a view of another schema that depends on one of these ends the upgrade, and nothing is changed.
do $$
declare
  object text;
begin
  for attempt in 1..10 loop
    for object in
      select format('view %s', c.oid::regclass) from pg_class c
        where c.relkind = 'v' and c.relnamespace::regnamespace::text in ('ingest', 'report', 'rollup', 'staging')
      union all
      select format('routine %s', p.oid::regprocedure)
        from ingest.definition_set d, unnest(d.function_names) f (name)
        join pg_proc p on format('%s.%s', p.pronamespace::regnamespace, p.proname) = f.name
    loop
      begin
        execute 'drop ' || object;
      exception when dependent_objects_still_exist then
        -- A trigger keeps its function.
        if attempt = 10 and object like 'view %' then
          raise;
        end if;
      end;
    end loop;
  end loop;
  for object in
    select c.oid::regclass from pg_class c
      where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('rollup', 'staging')
        and c.oid <> 'rollup.dropped_month'::regclass
  loop
    execute 'drop table ' || object;
  end loop;
  -- The column of a view explains the one of a rollup that has its name.
  foreach object in array '{stream, month, starts_at, ends_at, source_file_id}'::text[] loop
    execute format('comment on column rollup.dropped_month.%I is null', object);
  end loop;
end
$$;
drop table ingest.table_place;

-- NULL in rows of before, and for a load that no target and no day was named for.
alter table ingest.load add column target text collate "C";
alter table ingest.load add column first_day date;
alter table ingest.load add column last_day date;

-- A role that copies rows by hand cannot insert what a refresh, an erasure or a report fails on. A key of an index has at
-- most 2,704 bytes.
alter table game.receipt add constraint receipt_identifiers_bounded check (
  greatest(octet_length(payment_seq), octet_length(app_id), octet_length(user_id), octet_length(gamebase_product_id),
    octet_length(market_item_id), octet_length(store_code)) <= 512);
alter table game.level_up add constraint level_up_identifiers_bounded check (
  greatest(octet_length(app_id), octet_length(user_id), octet_length(character_id), octet_length(channel_id)) <= 512);
alter table game.game_user_snapshot add constraint game_user_snapshot_identifiers_bounded check (
  greatest(octet_length(app_id), octet_length(user_id), octet_length(character_id), octet_length(channel_id)) <= 512);
alter table game.item_snapshot add constraint item_snapshot_identifiers_bounded check (
  greatest(octet_length(app_id), octet_length(gamebase_product_id), octet_length(market_item_id),
    octet_length(store_code)) <= 512);
alter table game.event add constraint event_identifiers_bounded check (
  greatest(octet_length(app_id), octet_length(event_id), octet_length(user_id), octet_length(category),
    octet_length(push_id), octet_length(payment_seq)) <= 512);

-- An erasure reads these lines as texts of up to 4 times the bytes.
alter table ingest.reject add constraint reject_raw_bounded check (octet_length(raw) <= 1048576);
alter table ingest.failed_reject add constraint failed_reject_raw_bounded check (octet_length(raw) <= 1048576);

alter table ingest.failed_file
  add constraint failed_file_times_finite check (isfinite(failed_at) and isfinite(first_failed_at)),
  add constraint failed_file_counts_bounded check (
    attempt_count <= 1000000000 and least(byte_count, line_count, rejected_count) >= 0);
alter table ingest.load
  add constraint load_times_finite check (isfinite(started_at) and isfinite(seen_at) and isfinite(finished_at)),
  add constraint load_days_finite check (isfinite(first_day) and isfinite(last_day));

-- An event later than the start of its run moves no horizon. The times between are not known any more, so a newest one
-- is cut to the start, and a first one after it leaves no event.
update ingest.file_app a
  set first_event_at = case when a.first_event_at <= f.as_of then a.first_event_at end,
    newest_event_at = case when a.first_event_at <= f.as_of then f.as_of end
  from ingest.source_file f
  where f.source_file_id = a.source_file_id and a.newest_event_at > f.as_of;

-- The days that the files of an existing database brought were never judged, and need no answer now.
alter table ingest.stream add column judged_from date;
update ingest.stream s
  set judged_from = (now() at time zone coalesce((select value from ingest.setting where name = 'time-zone'), 'UTC'))::date
  where exists (select from ingest.source_file f where f.stream = s.stream);

alter table ingest.source_file
  add column canonical_path text collate "C",
  add column asked_on date check (isfinite(asked_on)),
  add constraint asked_on_of_empty_file check (asked_on is null or line_count = blank_count);
create index source_file_undone on ingest.source_file (sha256) where undone_at is not null;
create index source_file_asked on ingest.source_file (stream, app_id, asked_on) where asked_on is not null;
-- A hash index, because a path can be longer than a B-tree entry may be.
create index source_file_path on ingest.source_file using hash (canonical_path) where undone_at is null;

alter table ingest.failed_file
  add column kind text collate "C" not null default 'failed' check (kind in ('failed', 'missing')),
  add column app_id text collate "C";
update ingest.failed_file set kind = 'missing' where error_code = 7;

-- A dismissal holds for what a failure is about, not for one attempt.
alter table ingest.failure_dismissal
  add column dismissal_id bigint generated always as identity,
  add column kind text collate "C" not null default 'failed'
    check (kind in ('failed', 'missing', 'undone', 'implausible', 'incomplete')),
  add column app_id text collate "C",
  alter column load_id drop not null;
update ingest.failure_dismissal d set kind = f.kind, path = coalesce(f.canonical_path, f.path)
  from ingest.failed_file f
  where f.failed_file_id = d.failed_file_id;
alter table ingest.failure_dismissal
  drop constraint failure_dismissal_pkey,
  drop column failed_file_id,
  alter column kind drop default,
  add constraint failure_dismissal_pkey primary key (dismissal_id);
create index failure_dismissal_path on ingest.failure_dismissal using hash (path);
-- Until now nobody had to dismiss what was undone.
insert into ingest.failure_dismissal (kind, stream, path, reason, failed_at, note)
  select distinct on (f.stream, f.path) 'undone', f.stream, f.path, 'The file was undone.', f.undone_at,
      'undone before undone files were failures'
    from ingest.source_file f
    where f.undone_at is not null
    order by f.stream, f.path, f.undone_at desc;

alter table ingest.setting
  drop constraint setting_name_check,
  drop constraint setting_number_check,
  add constraint setting_name_check check (
    name in ('app-id', 'apps', 'time-zone', 'base-currency', 'receipt-feed', 'max-age', 'min-daily-lines', 'min-usual-lines')
      or name ~ '^(receipt-feed|max-age|min-daily-lines|min-usual-lines)\..'),
  add constraint setting_number_check check (
    name !~ '^(max-age|min-daily-lines|min-usual-lines)' or value ~ '^[1-9][0-9]{0,6}$');

-- A view of the owner over the column extra shows a field without a column. These would be the views of what was exposed.
-- The program shows notices with this code, and no others.
do $$
declare
  line text;
begin
  perform set_config('client_min_messages', 'notice', true);
  for line in
    select format('create view fields.%1$I as select %2$s, extra ->> %3$L as %4$I from game.%5$I where extra ->> %3$L is not null;',
        e.stream || '_' || e.field,
        (select string_agg(quote_ident(k.name), ', ' order by k.position)
          from unnest(s.key_columns) with ordinality k (name, position)),
        e.field, e.field, s.target_table)
      from ingest.field_exposure e join ingest.stream s using (stream)
      where e.hidden_at is null
      order by e.stream, e.field
  loop
    raise notice using errcode = 'NOTED', message = line;
  end loop;
end
$$;
drop table ingest.field_exposure;

-- Of files that an older version loaded, the met ones are unknown.
alter table ingest.source_file add column has_met_files boolean not null default false;
alter table ingest.source_file alter column has_met_files set default true;

-- The files that gave a changed row its values are found by its key. Hash indexes, because a key can be longer than a
-- B-tree entry may be.
create index fill_key on ingest.fill using hash (natural_key);
create index conflict_key on ingest.conflict using hash (natural_key) where refused_row is not null;

-- Accepted lines lie over the values that the loads stored, in the order of their acceptance. So the loaded values and the
-- accepted lines, which ingest.conflict has, tell the values of a row; a chain of replaced values is not needed.
create table ingest.overlaid_row (
  overlaid_row_id bigint generated always as identity primary key,
  stream text collate "C" not null references ingest.stream,
  natural_key jsonb not null,
  loaded_values jsonb not null
);
-- A hash index, because a key can be longer than a B-tree entry may be.
create index overlaid_row_key on ingest.overlaid_row using hash (natural_key);
-- Without statistics, ANALYZE copies no player's values into pg_statistic.
alter table ingest.overlaid_row alter column loaded_values set statistics 0;

with field as (
  select s.stream, c.leader, f.field
    from ingest.stream s, unnest(s.compared_columns) c (leader),
      lateral (select c.leader union all select jsonb_array_elements_text(s.followers -> c.leader)) f (field)
    where c.leader <> all (s.secret_columns)
), first_line as (
  select distinct on (c.stream, c.natural_key, f.field) c.stream, c.natural_key, f.field, c.refused_row ->> f.field as value
    from ingest.conflict c join field f on f.stream = c.stream and c.refused_row ? f.leader
    where c.acceptance_id is not null
    order by c.stream, c.natural_key, f.field, c.acceptance_id, c.conflict_id
), first_entry as (
  select distinct on (v.stream, v.natural_key, v.field) v.stream, v.natural_key, v.field, v.before
    from ingest.accepted_value v
    join ingest.conflict c on c.stream = v.stream and c.source_file_id = v.source_file_id
      and c.line_number = v.line_number and c.acceptance_id = v.acceptance_id and c.refused_row is not null
    order by v.stream, v.natural_key, v.field, v.accepted_value_id
)
-- A value without an entry equals the loaded one.
insert into ingest.overlaid_row (stream, natural_key, loaded_values)
  select l.stream, l.natural_key, jsonb_object_agg(l.field, case when e.field is null then l.value else e.before end)
    from first_line l
    left join first_entry e on e.stream = l.stream and e.natural_key = l.natural_key and e.field = l.field
    group by l.stream, l.natural_key;

-- The values of lines that retention has removed are loaded ones from now on, in place of those that a fill supplied.
delete from ingest.fill f
  using ingest.accepted_value v
  where f.stream = v.stream and f.natural_key = v.natural_key and f.field = v.field
    and not exists (select from ingest.conflict c
      where c.stream = v.stream and c.source_file_id = v.source_file_id and c.line_number = v.line_number
        and c.acceptance_id = v.acceptance_id);
drop table ingest.accepted_value;

-- Where a user was erased already, the lines in which no erasure could find a user lose their bytes, as those that come
-- later. ingest.empty_ownerless does so for the first erasure of other databases.
do $$
begin
  if exists (select from ingest.erased_user) then
    update ingest.reject r set raw = '' from ingest.stream s
      where s.stream = r.stream and (r.user_id is null or not s.has_user) and r.raw <> '';
    update ingest.failed_reject r set raw = '' from ingest.failed_file f join ingest.stream s using (stream)
      where f.failed_file_id = r.failed_file_id and (r.user_id is null or not s.has_user) and r.raw <> '';
    update game.item_snapshot set extra = null where extra is not null;
  end if;
end
$$;

-- Whether a name is new to its stream is one look-up, however many files the ledger has.
create index unknown_field_name on ingest.unknown_field (field, source_file_id);
-- The files before one of the same application are compared with it.
create index file_app_of_app on ingest.file_app (app_id, source_file_id);

-- The tables are those of these migrations.
delete from ingest.schema_migration;
insert into ingest.schema_migration (version, checksum) values
  ('20261130000000_create_schemas', '\xcd7ef1f0eef7f0afead7943661d89cc0841b62a8a5636c0257a122bc100d1b9c'),
  ('20261130000001_create_ledger', '\x67ca35000a64e4f17bd4fe63dc92d201deb46c9952e38c6bfbb5d877615cb36c'),
  ('20261130000002_create_reference_data', '\xd1c9394627947964557967960d1c3732cf7a0240af1380d47e0563bc268723aa'),
  ('20261130000003_create_receipt', '\xb429f071c55b10beca2bb46b4a05685ad85fbf979ee62875105295fe38c02647'),
  ('20261130000004_create_level_up', '\xb76c530e648f20f1dbcd1c6c46a10e8ae77c16fbe5c5859aa24255bb3783c112'),
  ('20261130000005_create_game_user', '\xdc04fbfbba294fa029b93bb9e3f76546cdc9d410e59bec7d4355eb077f9f03c2'),
  ('20261130000006_create_item', '\x4a9718bc1d93b6f949821f06829e5a3ad955c6e28aabf30f76b70b889ef425dc'),
  ('20261130000007_create_event', '\x9230956f626864ba3eed877b2de753bd69d736942cc5aef017ad150541e096c2'),
  ('20261130000011_create_pruned_counts', '\x8e6d8eb8b947bbbdc5e0eb95123b76d824eedd5a59f51c9b38a0c5c623886c49');
