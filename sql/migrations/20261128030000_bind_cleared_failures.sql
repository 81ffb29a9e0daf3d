-- It returned the attempts of the failures that it deleted. Now it adds them to the entry of a further failure by itself.
drop function if exists ingest.clear_failures(text, text, bytea, text);
