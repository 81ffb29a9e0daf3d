-- The streams whose reports cannot be trusted at this moment. A warning, because the marts show the state as it is.
{{ config(severity='warn') }}
select app_id, stream, verdict, reason
from {{ source('report', 'health') }}
where verdict <> 'ok' or set_aside_count > 0
