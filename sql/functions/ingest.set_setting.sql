create or replace function ingest.set_setting(p_name text, p_value text,
  out before text, out now text, out is_changed boolean, out is_rebuilt boolean)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  subject constant text := substr(p_name, nullif(strpos(p_name, '.'), 0) + 1);
  kind record;
  new_value text := p_value;
  stored text;
  fault text;
begin
  select k.* into kind from ingest.setting_kind k
    where k.name = split_part(p_name, '.', 1) and (subject is null or subject <> '' and k.subjects <> '{}');
  if kind.name is null then
    raise exception 'there is no setting %; the settings are: %', p_name, (
      select string_agg(array_to_string(k.name || array(select k.name || '.' || s from unnest(k.subjects) s), ', '), ', '
          order by k.place) from ingest.setting_kind k) using errcode = 'GI064';
  end if;
  if p_value is not null and kind.subjects = '{STREAM}' and subject not in (select s.stream from ingest.stream s) then
    raise exception '%: % is no stream; the streams are %', kind.name, subject,
      (select string_agg(s.stream, ', ' order by s.stream) from ingest.stream s) using errcode = 'GI064';
  end if;
  if kind.name = 'max-age' then
    new_value := regexp_replace(new_value, 'h$', '');
  end if;

  stored := (select s.value from ingest.setting s where s.name = p_name);
  if subject is not null then
    kind.default_value := null;
  end if;
  before := coalesce(stored, kind.default_value || ' (default)', '(none)');
  now := coalesce(new_value, kind.default_value || ' (default)', '(none)');
  is_changed := stored is distinct from new_value;
  is_rebuilt := kind.is_of_reports
    and coalesce(stored, kind.default_value) is distinct from coalesce(new_value, kind.default_value);
  if not is_changed then
    return;
  end if;
  if new_value !~ kind.form then
    fault := kind.fault;
  elsif kind.name = 'time-zone' then
    fault := new_value || ' ' || ingest.time_zone_fault(new_value);
  elsif kind.name = 'base-currency' then
    fault := (
      select case when c.currency is null then new_value || ' is no currency of ISO 4217; game.currency lists the codes'
            when c.minor_unit is null then new_value || ' has no minor unit; game.currency lists the codes' end
        from (select) o left join game.currency c on c.currency = new_value);
  elsif new_value is not null and kind.name in ('app-id', 'apps') then
    -- Every file without an application would fail.
    fault := (
      select format('the setting apps does not list %s, the value of app-id; change the other setting first', a.value)
        from (select coalesce(case kind.name when 'app-id' then new_value end,
            (select s.value from ingest.setting s where s.name = 'app-id')) as value) a,
          (select coalesce(case kind.name when 'apps' then new_value end,
            (select s.value from ingest.setting s where s.name = 'apps')) as list) l
        where a.value <> all (string_to_array(l.list, ',')));
  end if;
  if fault is not null then
    raise exception '%', case when kind.name in ('app-id', 'apps') then '' else p_name || ': ' end || fault
      using errcode = 'GI064';
  end if;
  if new_value is null then
    delete from ingest.setting s where s.name = p_name;
  else
    insert into ingest.setting as s (name, value) values (p_name, new_value)
      on conflict (name) do update set value = excluded.value, set_at = transaction_timestamp(), set_by = session_user;
  end if;
end
$$;
comment on function ingest.set_setting is
  'Sets a setting, or its default if p_value is NULL. Returns the texts of its value before and now, whether a value is stored otherwise now, and whether the reports have to follow. Part of settings set.';
