package import Postgres
internal import RecordPipeline

/// The lists of `status`.
extension Listing {
  /// One row per stream that has loaded files, in the order of their names.
  ///
  /// Columns: `stream`, `files`, `rows`, `rejected`, `conflicts`, `last_loaded_at`.
  package static func streams(on connection: Connection) -> Listing {
    Listing(
      """
      select stream, count(*) as files, sum(inserted_count)::bigint as rows,
        sum(rejected_count)::bigint as rejected, sum(conflict_count)::bigint as conflicts,
        max(loaded_at) as last_loaded_at
      from ingest.source_file where undone_at is null group by stream order by stream
      """, on: connection)
  }

  /// One row: `refreshed_at`, NULL before the first refresh, and `pending_files`, the number of files
  /// that were loaded or changed since.
  package static func reports(on connection: Connection) -> Listing {
    Listing(
      """
      select max(refreshed_at) as refreshed_at,
        (select count(*) from rollup.pending_file) as pending_files
      from rollup.refresh_state
      """, on: connection)
  }

  /// One row for each of the last five runs, and for the last run of each target and its last one
  /// with files, newest first.
  ///
  /// A killed run cannot record its end, so a run without an end counts as killed when its last
  /// heartbeat is older than `HeartbeatTiming.patience`.
  package static func runs(on connection: Connection) -> Listing {
    Listing(
      """
      select l.load_id, l.target, l.first_day, l.last_day, l.started_at, l.finished_at, l.seen_at, l.exit_code,
        count(f.source_file_id) as files, coalesce(sum(f.line_count), 0)::bigint as lines,
        case when l.finished_at is not null then 'finished'
          when coalesce(l.seen_at, l.started_at)
            > clock_timestamp() - \(HeartbeatTiming.patience) * interval '1 second' then 'running'
          else 'killed' end as state
      from ingest.load l left join ingest.source_file f using (load_id)
      where l.load_id in (
        (select load_id from ingest.load order by load_id desc limit 5)
        union all select max(load_id) from ingest.load where target is not null group by target
        union all select max(l.load_id) from ingest.load l
          where l.target is not null and exists (select from ingest.source_file f where f.load_id = l.load_id)
          group by l.target)
      group by l.load_id order by l.load_id desc
      """, on: connection)
  }

  /// The open failures of the health of an application, or of all, newest first.
  package static func openFailures(
    of appID: String?, _ health: Health, limit: Int?, on connection: Connection
  ) -> Listing {
    Listing(
      """
      select kind, stream, path, app_id, first_failed_at, last_failed_at, attempt_count, error_code, error
        from report.open_failure where \(Health.isOf) \(Health.order) limit $3
      """, Health.parameters(appID, health.feeds) + [.optional(limit)], on: connection)
  }

  /// The sessions that hold the lock of a stream, as far as the role may see them.
  package static func streamLocks(on connection: Connection) -> Listing {
    .holders(of: StreamCatalog.all.map { .named(LockName.stream($0.name)) }, on: connection)
  }
}
