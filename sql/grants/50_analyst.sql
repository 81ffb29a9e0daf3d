-- The analyst role reads the views of schema report and nothing else. The views run with the rights of their owner.
grant usage on schema report to :"analyst";
grant select on all tables in schema report to :"analyst";
grant execute on all functions in schema report to :"analyst";
alter default privileges for role :"owner" in schema report grant select on tables to :"analyst";
alter default privileges for role :"owner" in schema report grant execute on functions to :"analyst";
