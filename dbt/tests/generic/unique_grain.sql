{# One row for each combination of the columns. NULL is a value. #}
{% test unique_grain(model, columns) %}
select {{ columns | join(', ') }}, count(*) as row_count
from {{ model }}
group by {{ columns | join(', ') }}
having count(*) > 1
{% endtest %}
