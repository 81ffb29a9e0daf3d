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
  private let filter: EntryFilter
  private let options: LoadOptions
  private let logger: Logger
  private let interruption: Interruption

  /// The number of lines to fetch at a time; a stored line has up to 64 KiB.
  private static let pageSize = 100

  /// - Parameters:
  ///   - options: only the options of the run are used; the ledger has those that affect lines.
  ///   - logger: for the retries of the refresh.
  package init(
    _ filter: EntryFilter, options: LoadOptions, target: ConnectionTarget,
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
          return try connection.rows(
            of: Int.self,
            """
            select distinct source_file_id from \(EntryFilter.rejects) and status = 'loaded' and resolved_at is null
              order by source_file_id
            """, filter.parameters)
        }
      }
      for number in numbers {
        try interruption.check()
        let file = try options.retries.throughContention(
          during: "replaying rejects", interruption: interruption
        ) {
          try session.renew()
          return try replay(number, in: session)
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

  // MARK: - One file

  /// Replays one file, from the lock to the commit.
  ///
  /// - Returns: nil when the filter selects no open reject of the file any more, for example after
  ///   a concurrent replay.
  private func replay(_ number: Int, in session: Session) throws -> ReplayReport.File? {
    let connection = session.connection
    session.partitions.wait = LockWait(logger)
    session.partitions.watch([connection], by: interruption)
    defer { interruption.watch([]) }
    // After a commit this does nothing.
    defer { connection.rollback() }
    return try interruption.explainingFailure {
      try connection.begin()
      let report = try replayInTransaction(number, connection, session.partitions)
      try interruption.check()
      guard let report, report.resolved > 0 else { return report }
      FaultPoint.beforeCommit.reached()
      try connection.end(isKept: !options.isDryRun)
      FaultPoint.afterCommit.reached()
      return report
    }
  }

  private func replayInTransaction(
    _ number: Int, _ connection: Connection, _ partitions: Partitions
  ) throws -> ReplayReport.File? {
    let ledger = Ledger(connection: connection)
    guard let streamName = try ledger.stream(of: number),
      let stream = StreamCatalog.stream(named: streamName)
    else { return nil }
    // Read under the lock, because a load, a replay or an undo may have changed the file before.
    try Locks(connection: connection, wait: LockWait(logger)).holdStreams(of: stream)
    guard let file = try ledger.settings(of: number) else { return nil }
    try ledger.reopen(number)
    try partitions.lookUp(stream, on: connection)

    var report = ReplayReport.File(path: file.path, stream: stream.name)
    let erasedUsers = try ledger.erasedUsers(key: options.erasureKey)
    let sender = RowSender(
      connection: connection, partitions: partitions, stream: stream,
      sourceFileIDs: [Int64(number)], followsErasure: erasedUsers != nil)
    var rules = file.rules
    rules.rowDigestKey = try ledger.rowDigestKey()
    rules.allowedApps = try Settings(connection).allowedApps()
    var encoder = RecordEncoder(
      stream: stream, rules: rules, sourceFileID: Int64(number),
      routing: try sender.routingStart(memory: options.keyMemory),
      erasedUsers: erasedUsers)

    // The cursor keeps its snapshot while rejects are resolved, and scans the table once. A query
    // for each page would scan it from the first reject each time.
    try connection.query(
      """
      declare open_reject no scroll cursor for
        select reject_id, line_number, byte_offset, case when is_whole then raw end as raw
        from \(EntryFilter.rejects) and resolved_at is null and source_file_id = $9
        order by line_number
      """, filter.parameters + [.integer(number)])
    var rowCount = 0
    while true {
      try interruption.check()
      let page = try connection.rows(
        of: StoredReject.self, "fetch \(Self.pageSize) from open_reject")
      if page.isEmpty { break }
      var resolved: [Int] = []
      var suppressed: [Int] = []
      for reject in page {
        guard let raw = reject.raw else {
          report.cut += 1
          continue
        }
        switch try InputLine.with(
          bytes: raw, number: reject.lineNumber, byteOffset: reject.byteOffset,
          { line throws(LoadError) in
            do throws(ReadError) { return try encoder.encode(line) } catch {
              throw LoadError(error, path: file.path)
            }
          })
        {
        case .row: resolved.append(reject.rejectID)
        case .suppressed: suppressed.append(reject.rejectID)
        case .rejected, .blank: report.refused += 1
        }
      }
      try sender.send(encoder.closeBatch())
      try ledger.resolve(resolved, suppressed: suppressed, of: number)
      report.counts.suppressed += suppressed.count
      rowCount += resolved.count
    }
    try connection.execute("close open_reject")
    try sender.finish()
    report.counts += sender.counts
    if report.resolved > 0 {
      let embedded = sender.embeddedResult(
        of: Int64(number), rowCount: encoder.totals.embeddedRowCount, isOnlyFile: true)
      report.embeddedConflicts = embedded?.counts.conflicts ?? 0
      try ledger.countReplayed(
        of: number, resolved: rowCount + report.counts.suppressed, counts: report.counts,
        mergedCounts: sender.mergedCounts)
      try ledger.countEmbedded([embedded].compactMap(\.self))
    }
    return report.resolved + report.refused + report.cut > 0 ? report : nil
  }

  /// A row of the cursor over a file's open rejects.
  private struct StoredReject: Decodable {
    let rejectID: Int
    let lineNumber: Int
    let byteOffset: Int
    /// The stored line; nil when only its beginning may be stored.
    let raw: [UInt8]?
  }
}

/// The result of a replay.
package struct ReplayReport: Sendable {
  package struct File: Sendable {
    package let path: String
    package let stream: String
    /// Lines that are settled; the suppressed ones are those of users who were erased after the load,
    /// and whose stored text is emptied.
    package var counts = OutcomeCounts()
    /// Of the records within its lines.
    var embeddedConflicts = 0
    /// Lines that the rules still refuse.
    package var refused = 0
    /// Lines that are stored only in part and cannot be replayed.
    package var cut = 0

    package var resolved: Int { counts.total }
  }

  package internal(set) var files: [File] = []
  /// The refresh after the replay; nil: nothing was loaded, or the run was a dry one.
  package internal(set) var refresh: Result<Refreshed, LoadError>?

  /// The code of a failed refresh; else 3 when a line is still refused, is cut, or contradicts a
  /// stored row; else 0.
  package var exitCode: ExitCode {
    let hasFindings = files.contains {
      $0.refused + $0.cut + $0.counts.conflicts + $0.embeddedConflicts > 0
    }
    let code = hasFindings ? ExitCode.loadedWithFindings : .success
    guard case .failure(let error) = refresh else { return code }
    return code.joined(with: error.exitCode)
  }
}
