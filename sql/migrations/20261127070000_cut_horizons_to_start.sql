-- An event later than the start of its run moves no horizon. The times between are not known any more, so a newest one
-- is cut to the start, and a first one after it leaves no event.
update ingest.file_app a
  set first_event_at = case when a.first_event_at <= f.as_of then a.first_event_at end,
    newest_event_at = case when a.first_event_at <= f.as_of then f.as_of end
  from ingest.source_file f
  where f.source_file_id = a.source_file_id and a.newest_event_at > f.as_of;
comment on column ingest.file_app.first_event_at is
  'Time of the first event: an accepted line with a time of its own, not later than as_of of the file; NULL without an event.';
comment on column ingest.file_app.newest_event_at is
  'Time of the newest event; NULL without an event. A later line of a client whose clock is fast is stored, but moves no horizon.';
