internal import Logging
internal import Postgres

/// Refreshes the planner's statistics of a stream's tables when a load has made them outdated.
struct Statistics {
  let session: Session
  let logger: Logger
  let interruption: Interruption

  /// Logs a failure and never throws, because the rows are loaded already.
  ///
  /// - Parameter worker: the number of the worker that loaded the rows.
  func renew(ofStream stream: String, worker: Int) {
    guard !interruption.isRequested else { return }
    interruption.watch([session.connection], worker: worker)
    defer { interruption.watch([], worker: worker) }
    do {
      try session.transaction { connection in
        // After an ANALYZE nothing else is needed: autovacuum soon visits a table that has grown so
        // much, and adds its new pages to the BRIN indexes. For other tables the loader adds them.
        try connection.query(
          """
          select case when ingest.analyze_if_grown($1) = 0 then ingest.summarize_new_pages($1) end
          """, [.text(stream)])
      }
    } catch {
      guard !interruption.isRequested else { return }
      logger.warning(
        "the planner's statistics of \(stream) could not be refreshed: \(printable("\(error)"))")
    }
  }
}
