{# Several columns in one pass: the number of NULLs in each column that has some. #}
{% test never_null(model, columns) %}
select n.column_name, n.null_count
from (
  select
    {%- for column in columns %}
    count(*) filter (where {{ column }} is null) as {{ column }}{{ "," if not loop.last }}
    {%- endfor %}
  from {{ model }}
) c
cross join lateral (values
  {%- for column in columns %}
  ('{{ column }}', c.{{ column }}){{ "," if not loop.last }}
  {%- endfor %}
) n (column_name, null_count)
where n.null_count > 0
{% endtest %}
