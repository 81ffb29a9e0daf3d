{# Every combination of the columns is one of another relation. NULL is a value. #}
{% test related(model, columns, to) %}
select {{ columns | join(', ') }} from {{ model }}
except
select {{ columns | join(', ') }} from {{ to }}
{% endtest %}
