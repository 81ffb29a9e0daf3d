-- Included by roles.sql and its part: runs the statements that `grant` printed, which set a search path.
\o /dev/null
:grants
reset search_path;
\o
