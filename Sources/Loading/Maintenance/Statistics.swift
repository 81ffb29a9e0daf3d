internal import Logging
internal import Postgres

/// Renews what the planner knows of a stream's tables, when loading has made it old.
struct Statistics {
  let session: Session
  let logger: Logger
  let interruption: Interruption

  /// Never fails: the rows are loaded, whatever becomes of this.
  ///
  /// - Parameter lane: which of the lanes that work side by side asks.
  func renew(ofStream stream: String, lane: Int) {
    guard !interruption.isRequested else { return }
    interruption.watch([session.connection], lane: lane)
    defer { interruption.watch([], lane: lane) }
    do {
      try session.transaction { connection in
        // Autovacuum soon looks at what has grown much, too, and sums up its pages then.
        try connection.query(
          """
          select case when ingest.analyze_if_grown($1) = 0 then ingest.summarize_new_pages($1) end
          """, [.text(stream)])
      }
    } catch {
      guard !interruption.isRequested else { return }
      logger.warning(
        "the planner's statistics of \(stream) could not be renewed: \(printable("\(error)"))")
    }
  }
}
