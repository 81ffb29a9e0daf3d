-- Included by tests: the five roles pgtap_owner to pgtap_monitor, by the statements that `grant` prints.
set client_min_messages = warning;
\setenv GRANTS 'grant --print --roles pgtap'
\set grants `"$GAMEBASE_INGEST" $GRANTS --create-roles --database "$SQL_TEST_TEMPLATE" | sed '1d;$d'`
\ir grant.sql

-- The SQLSTATE with which the server refuses statements of a role, at the commit at the latest, with 'shown' if the
-- error shows the marker of a secret; else 'allowed'. The statements leave nothing.
create function pg_temp.refusal(p_role text, variadic p_statements text[]) returns text language plpgsql as $$
declare
  one text;
  message text;
  detail text;
  advice text;
  place text;
begin
  perform set_config('session_authorization', 'pgtap_' || p_role, true);
  foreach one in array p_statements loop
    execute one;
  end loop;
  set constraints all immediate;
  raise exception using errcode = 'TAKEN';
exception
  when sqlstate 'TAKEN' then
    return 'allowed';
  when others then
    get stacked diagnostics message = message_text, detail = pg_exception_detail, advice = pg_exception_hint,
      place = pg_exception_context;
    return sqlstate || case when concat(message, detail, advice, place) ~ 'marker-7f3a' then ' shown' else '' end;
end
$$;
-- The statements that a role is allowed, or that fail for another reason than a missing right.
create function pg_temp.not_forbidden(p_role text, variadic p_statements text[])
returns table (statement text, code text) language sql as $$
  select s.statement, r.code
    from unnest(p_statements) s (statement) cross join lateral pg_temp.refusal(p_role, s.statement) r (code)
    where r.code <> '42501'
$$;
