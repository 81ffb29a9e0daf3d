package import Logging
package import Postgres
internal import RecordPipeline

/// Applies the current rules to stored rejects, and loads the lines that are valid now.
///
/// The rejects of each file are replayed in a transaction of their own, with the options that the
/// file was loaded with. A loaded line is marked as resolved, and the file's ledger entry counts it
/// under its new outcome, so the counts still add up to the lines. A second replay changes nothing.
/// After the last file the reports are refreshed.
package final class RejectReplay {
  private let target: ConnectionTarget
  private let filter: RejectFilter
  private let options: LoadOptions
  private let logger: Logger
  private let interruption: Interruption

  /// - Parameters:
  ///   - options: only the options of the run are used; the ledger has those that affect lines.
  ///   - logger: for the retries of the refresh.
  package init(
    _ filter: RejectFilter, options: LoadOptions, target: ConnectionTarget,
    logger: Logger = Logger(label: "replay") { _ in SwiftLogNoOpLogHandler() },
    interruption: Interruption = Interruption()
  ) {
    self.filter = filter
    self.options = options
    self.target = target
    self.logger = logger
    self.interruption = interruption
  }

  /// Replays the rejects that match the filter, file by file, oldest file first.
  ///
  /// - Throws: `LoadError` when the replay of a file fails; earlier files stay replayed.
  package func replay() throws(LoadError) -> ReplayReport {
    var report = ReplayReport()
    do {
      let session = try Session(target, isDryRun: options.isDryRun)
      let numbers = try options.retries.throughContention(
        during: "looking for rejects", interruption: interruption
      ) {
        try session.renew()
        return try session.transaction { connection in
          _ = try Ledger(connection: connection).hasErasedUsers(key: options.erasureKey)
          return try files(connection)
        }
      }
      for sourceFileID in numbers {
        try interruption.check()
        let file = try options.retries.throughContention(
          during: "replaying rejects", interruption: interruption
        ) {
          try session.renew()
          return try FileReplay(
            sourceFileID, filter: filter, session: session, options: options,
            wait: LockWait(logger), interruption: interruption
          ).replay()
        }
        if let file { report.files.append(file) }
      }
      let isChanged = report.files.contains { $0.resolved > 0 }
      if isChanged, !options.isDryRun { report.refresh = refresh(session) }
    } catch {
      throw LoadError(wrapping: error, during: "replaying rejects")
    }
    return report
  }

  /// A failed refresh leaves the replayed lines loaded, so it is a part of the result.
  private func refresh(_ session: Session) -> Result<Refreshed, LoadError> {
    let refresh = Refresh(
      retries: options.retries, logger: logger,
      interruption: interruption)
    do throws(LoadError) {
      return .success(
        try refresh.run { () throws(LoadError) in
          try session.renew()
          return session.connection
        })
    } catch { return .failure(error) }
  }

  /// The numbers of the files that have open rejects matching the filter.
  private func files(_ connection: Connection) throws -> [Int] {
    let query = """
      select distinct source_file_id from \(RejectFilter.source)
        where \(RejectFilter.condition) and status = 'loaded' and resolved_at is null
        order by source_file_id
      """
    return try connection.rows(of: Int.self, query, filter.parameters)
  }
}

/// The result of a replay.
package struct ReplayReport: Sendable {
  package struct File: Sendable {
    package let path: String
    package let stream: String
    package var inserted = 0
    package var filled = 0
    package var duplicates = 0
    package var conflicts = 0
    /// The outcomes of the records within its lines; nil when the stream embeds no other one.
    var embedded: OutcomeCounts?
    /// Lines of users who were erased after the load; their stored text is emptied.
    package var suppressed = 0
    /// Lines that the rules still refuse.
    package var refused = 0
    /// Lines that are stored only in part and cannot be replayed.
    package var cut = 0

    package var resolved: Int { inserted + filled + duplicates + conflicts + suppressed }
  }

  package internal(set) var files: [File] = []
  /// The refresh after the replay; nil: nothing was loaded, or the run was a dry one.
  package internal(set) var refresh: Result<Refreshed, LoadError>?

  /// The code of a failed refresh; else 3 when a line is still refused, is cut, or contradicts a
  /// stored row; else 0.
  package var exitCode: ExitCode {
    let hasFindings = files.contains {
      $0.refused + $0.cut + $0.conflicts + ($0.embedded?.conflicts ?? 0) > 0
    }
    let code = hasFindings ? ExitCode.loadedWithFindings : .success
    guard case .failure(let error) = refresh else { return code }
    return code.joined(with: error.exitCode)
  }
}
