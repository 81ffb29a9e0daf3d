create or replace view report.idp_revocation_by_day as
select
  r.day,
  r.app_id,
  r.idp_type,
  r.code,
  c.name as code_name,
  r.event_count,
  r.user_count
from rollup.idp_revocation_day r
left join game.idp_revoked_code c on c.code = r.code;

comment on view report.idp_revocation_by_day is
  'One row per day, application, identity provider and code of revocations. Users do not add up over rows.';
comment on column report.idp_revocation_by_day.idp_type is 'The identity provider (see game.identity_provider); NULL when unknown. Join it with IS NOT DISTINCT FROM.';
comment on column report.idp_revocation_by_day.code is 'Code of the revocation.';
comment on column report.idp_revocation_by_day.code_name is 'Name of the code (see game.idp_revoked_code); NULL for an unknown code.';
comment on column report.idp_revocation_by_day.event_count is 'Events of the category idPRevoked.';
