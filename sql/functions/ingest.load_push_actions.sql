-- The caller has locked game.push_action, because two loads of an application would mix two files. json and not jsonb,
-- which hides all but one of equal names.
create or replace function ingest.load_push_actions(
  p_app_id text, p_file bytea, p_path text, p_loader_version text,
  out is_loaded boolean, out action_count bigint, out title_count bigint, out category_count bigint,
  out problems json, out warnings json)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The vendor's own, which SDKs prefer to those of a game.
  built_in_actions constant text[] := '{ACCEPT_ALL_ID, ACCEPT_ID, ACCEPT_NOW_ID, CANCEL_ID, CLOSE_ID, CONFIRM_ID,
    DECLINE_ID, EXECUTE_ID, HOLDING_ID, PURCHASE_ID, REJECT_ID, SALE_ID}';
  built_in_categories constant text[] := '{ACCEPT_ALL_CATEGORY, ACCEPT_DECISION_CATEGORY, ACCEPT_NOW_CATEGORY,
    CLOSE_CATEGORY, CONFIRM_CATEGORY, EXECUTE_CATEGORY, INFO_CATEGORY, PURCHASE_CATEGORY, SALE_CATEGORY}';
  root json;
  fault text;
  syntax text;
  place text;
begin
  begin
    root := convert_from(p_file, 'UTF8')::json;
    -- Of a NUL in a name or a text there is no text.
    perform root::jsonb;
  exception when data_exception or program_limit_exceeded then
    get stacked diagnostics fault = message_text, syntax = pg_exception_detail, place = pg_exception_context;
    problems := json_build_array(concat_ws(': ', substring(place from '^JSON data, (line [0-9]+)'), 'this is no JSON',
      coalesce(nullif(syntax, ''), fault)));
    return;
  end;

  -- The members of the file's objects: its parts, then actions and categories, then titles.
  with recursive node (depth, path, parent, name, value, is_object) as (
    select 0, null, null, null, root, true
    union all
    select n.depth + 1, concat_ws('.', n.path, m.key), n.name, m.key, m.value,
        n.depth = 0 and m.key in ('actions', 'categories') or n.depth = 1 and n.name = 'actions'
      from node n, json_each(case json_typeof(n.value) when 'object' then n.value end) m where n.is_object
  ), member as materialized (
    -- Findings of the file and its parts come first.
    select n.*, case when n.depth > 1 then row_number() over () else 0 end as place from node n
  ), action as materialized (
    select m.name, m.path, m.value, m.place from member m where m.depth = 2 and m.parent = 'actions'
  ), title as materialized (
    select m.parent as action, m.name as language, m.path, m.value, m.value #>> '{}' as title, m.place
      from member m where m.depth = 3
  ), category as materialized (
    select m.name, m.path, m.value, m.place,
        case json_typeof(m.value) when 'array' then json_array_length(m.value) end as length
      from member m where m.depth = 2 and m.parent = 'categories'
  ), button as materialized (
    select c.name as category, format('%s[%s]', c.path, b.position - 1) as path, b.position::integer, b.value #>> '{}' as action,
        json_typeof(b.value) = 'string' as is_text, c.place
      from category c, json_array_elements(case json_typeof(c.value) when 'array' then c.value end)
        with ordinality b (value, position)
  ), finding (is_problem, part, place, path, reason) as (
    select true, least(m.depth, 1), 0, m.path, 'this is no object' from member m
      where m.is_object and json_typeof(m.value) <> 'object'
    union all
    select true, 0, 0, n.name, 'the member is missing' from unnest('{actions, categories}'::text[]) n (name)
      where json_typeof(root) = 'object' and not exists (select from member m where m.depth = 1 and m.name = n.name)
    union all
    select true, 0, 0, m.path, 'the file has no other members than actions and categories' from member m
      where m.depth = 1 and not m.is_object
    union all
    select true, least(m.depth - 1, 1), min(m.place), m.path, 'the name stands here more than once' from member m
      where m.depth > 1 or m.is_object group by m.depth, m.parent, m.name, m.path having count(*) > 1
    union all
    select true, 1, m.place, left(m.path, -1), 'a name is empty' from member m where m.depth > 1 and m.name = ''
    union all
    select f.is_problem, f.part, a.place, a.path, f.reason from action a cross join lateral (values
      (true, 1, 'the title in en is missing', json_typeof(a.value) = 'object'
        and not exists (select from title t where t.action = a.name and t.language = 'en')),
      (false, 1, 'the vendor ignores an action with the name of a built-in one', a.name = any (built_in_actions)),
      (false, 3, 'no category has this action', not exists (select from button b where b.action = a.name))
    ) f (is_problem, part, reason, is_found) where f.is_found
    union all
    select f.is_problem, 1, t.place, t.path, f.reason from title t cross join lateral (values
      (true, 'the title is no text', json_typeof(t.value) <> 'string'),
      (true, 'the title is empty', t.title = '' and json_typeof(t.value) = 'string'),
      (false, 'the vendor does not know this language; see game.display_language',
        not exists (select from game.display_language l where l.code = t.language and l.is_hive)),
      (false, 'white space surrounds the title; it is kept', t.title ~ U&'^[\\s\00A0\3000]|[\\s\00A0\3000]$')
    ) f (is_problem, reason, is_found) where f.is_found
    union all
    select f.is_problem, 2, c.place, c.path, f.reason from category c cross join lateral (values
      (true, 'this is no array of actions', c.length is null),
      (true, 'the category has no action', c.length = 0),
      (true, format('there are %s actions; a category has at most 3', c.length), c.length > 3),
      (false, 'the vendor ignores a category with the name of a built-in one', c.name = any (built_in_categories))
    ) f (is_problem, reason, is_found) where f.is_found
    union all
    select true, 2, b.place, b.path, f.reason from button b cross join lateral (values
      ('this is no text with the name of an action', not b.is_text),
      ('actions does not define this action', b.is_text and not exists (select from action a where a.name = b.action)),
      ('the category has this action already',
        exists (select from button o where o.place = b.place and o.action = b.action and o.position < b.position))
    ) f (reason, is_found) where f.is_found
    union all
    select false, 2, b.place, min(c.path), format('%s and %s have the same title in %s', o.action, b.action,
          string_agg(t.language, ', ' order by t.language collate "C"))
      from button b
      join button o on o.place = b.place and o.position < b.position and o.action <> b.action
      join title t on t.action = b.action
      join title s on s.action = o.action and s.language = t.language and s.title = t.title
      join category c on c.place = b.place
      group by b.place, o.position, b.position, o.action, b.action
  )
  select json_agg(concat_ws(': ', f.path, f.reason) order by f.part, f.place, f.path collate "C", f.reason) filter (where f.is_problem),
      json_agg(concat_ws(': ', f.path, f.reason) order by f.part, f.place, f.path collate "C", f.reason) filter (where not f.is_problem),
      (select count(*) from action), (select count(*) from title), (select count(*) from category)
    into problems, warnings, action_count, title_count, category_count from finding f;
  if problems is not null then
    return;
  end if;

  is_loaded := sha256(p_file) is distinct from (
    select f.sha256 from ingest.reference_file f where f.kind = 'push-actions' and f.app_id = p_app_id
      order by f.reference_file_id desc limit 1);
  if not is_loaded then
    return;
  end if;
  delete from game.push_category_action where app_id = p_app_id;
  delete from game.push_action_title where app_id = p_app_id;
  delete from game.push_action where app_id = p_app_id;
  insert into game.push_action (app_id, action) select p_app_id, a.key from json_each(root -> 'actions') a;
  insert into game.push_action_title (app_id, action, language, title)
    select p_app_id, a.key, t.key, t.value from json_each(root -> 'actions') a, json_each_text(a.value) t;
  insert into game.push_category_action (app_id, category, position, action)
    select p_app_id, c.key, b.position, b.action
      from json_each(root -> 'categories') c, json_array_elements_text(c.value) with ordinality b (action, position);
  insert into ingest.reference_file (kind, app_id, path, sha256, byte_count, loader_version)
    values ('push-actions', p_app_id, p_path, sha256(p_file), octet_length(p_file), p_loader_version);
end
$$;
comment on function ingest.load_push_actions is
  'Replaces the push actions of an application by those of a hive_push_actions.json, or names every defect; a file with the bytes of the newest one changes nothing. Warnings tell what is probably not meant. For the owner.';
