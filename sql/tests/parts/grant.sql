-- Included by roles.sql and its part: runs the statements that `grant` printed.
\o /dev/null
:grants
\o
