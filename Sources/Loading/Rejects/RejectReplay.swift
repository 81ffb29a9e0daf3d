package import Postgres
internal import RecordPipeline

/// Runs the present rules over stored rejects and loads what fits now.
///
/// Each file's rejects are replayed in a transaction of their own, by the options that the file was
/// loaded with. What is loaded is marked resolved and counted anew in the file's ledger entry, so
/// its outcomes still add up; a second replay finds nothing left to do.
package final class RejectReplay {
  private let target: ConnectionTarget
  private let filter: RejectFilter
  private let options: LoadOptions
  private let interruption: Interruption

  /// - Parameter options: how the run goes; how lines are read is what their file's entry says.
  package init(
    _ filter: RejectFilter, options: LoadOptions, target: ConnectionTarget,
    interruption: Interruption = Interruption()
  ) {
    self.filter = filter
    self.options = options
    self.target = target
    self.interruption = interruption
  }

  /// Replays what the filter means, file by file, oldest first.
  ///
  /// - Throws: `LoadError` when the database is not there or not ready; what was committed by then
  ///   stays.
  package func replay() throws(LoadError) -> ReplayReport {
    var report = ReplayReport()
    do {
      let session = try Session(target, isDryRun: options.isDryRun)
      defer { session.end() }
      // A dry run is one transaction, which a deadlock would end as a whole.
      let retries = RetryPolicy(retries: options.isDryRun ? 0 : options.retries.retries)
      let numbers = try retries.throughContention(
        during: "looking for rejects", interruption: interruption
      ) { try session.transaction(files) }
      for sourceFileID in numbers {
        try interruption.check()
        let file = try retries.throughContention(
          during: "replaying rejects", interruption: interruption
        ) {
          try FileReplay(
            sourceFileID, filter: filter, session: session, options: options,
            interruption: interruption
          ).replay()
        }
        if let file { report.files.append(file) }
      }
    } catch {
      throw LoadError(wrapping: error, during: "replaying rejects")
    }
    return report
  }

  /// The files that have rejects to replay.
  private func files(_ connection: Connection) throws -> [Int] {
    let query = """
      select distinct source_file_id from \(RejectFilter.source)
        where \(RejectFilter.condition) and status = 'loaded' and resolved_at is null
        order by source_file_id
      """
    let result = try connection.query(query, filter.parameters)
    return (0..<result.rowCount).compactMap { result.integer(row: $0, column: 0) }
  }
}

/// What a replay came to.
package struct ReplayReport: Sendable {
  package struct File: Sendable {
    package let path: String
    package let stream: String
    package var inserted = 0
    package var filled = 0
    package var duplicates = 0
    package var conflicts = 0
    /// Lines of users who were erased since.
    package var suppressed = 0
    /// Lines that the rules still refuse.
    package var refused = 0
    /// Lines of which only the beginning is stored.
    package var cut = 0

    package var resolved: Int { inserted + filled + duplicates + conflicts + suppressed }
  }

  package internal(set) var files: [File] = []

  /// 3 when a line was refused again, could not be replayed, or contradicted a stored row.
  package var exitCode: ExitCode {
    files.contains { $0.refused + $0.cut + $0.conflicts > 0 } ? .loadedWithFindings : .success
  }
}
