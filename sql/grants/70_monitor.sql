-- The monitor role reads the views that tell whether the reports can be trusted, and nothing else. They show no fact and
-- no user, and run with the rights of their owner.
grant usage on schema report to :"monitor";
grant select on report.health, report.open_failure, report.setting, report.freshness, report.load_history to :"monitor";
