-- PUBLIC loses the right to create temporary tables, because every role would have it through PUBLIC. The option
-- --keep-temporary omits this file, for other applications in the same database.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end
$$;
