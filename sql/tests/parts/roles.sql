-- Included by tests: the five roles pgtap_owner to pgtap_monitor, by the statements that `grant` prints.
set client_min_messages = warning;
\setenv GRANTS 'grant --print --roles pgtap'
\set grants `"$GAMEBASE_INGEST" $GRANTS --create-roles --database "$SQL_TEST_TEMPLATE" | sed '1d;$d'`
\o /dev/null
:grants
\o

-- The SQLSTATE with which the server refuses a statement of a role, at the commit at the latest; else 'allowed'. The
-- statement leaves nothing.
create function pg_temp.refusal(p_role text, p_statement text) returns text language plpgsql as $$
begin
  perform set_config('session_authorization', 'pgtap_' || p_role, true);
  execute p_statement;
  set constraints all immediate;
  raise exception using errcode = 'TAKEN';
exception
  when sqlstate 'TAKEN' then
    return 'allowed';
  when others then
    return sqlstate;
end
$$;
-- The statements that a role is allowed, or that fail for another reason than a missing right.
create function pg_temp.not_forbidden(p_role text, variadic p_statements text[])
returns table (statement text, code text) language sql as $$
  select s.statement, r.code
    from unnest(p_statements) s (statement) cross join lateral pg_temp.refusal(p_role, s.statement) r (code)
    where r.code <> '42501'
$$;
