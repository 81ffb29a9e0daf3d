internal import Postgres
internal import RecordPipeline

/// The replay of one file's rejects, from the lock to the commit.
final class FileReplay {
  private let sourceFileID: Int
  private let filter: RejectFilter
  private let connection: Connection
  private let partitions: Partitions
  private let options: LoadOptions
  private let wait: LockWait
  private let interruption: Interruption

  /// The number of lines to fetch at a time; a stored line has up to 64 KiB.
  private static let pageSize = 100

  init(
    _ sourceFileID: Int, filter: RejectFilter, session: Session, options: LoadOptions,
    wait: LockWait, interruption: Interruption
  ) {
    self.sourceFileID = sourceFileID
    self.filter = filter
    connection = session.connection
    partitions = session.partitions
    partitions.wait = wait
    self.options = options
    self.wait = wait
    self.interruption = interruption
  }

  /// - Returns: nil when the filter selects no open reject of the file any more, for example after
  ///   a concurrent replay.
  func replay() throws -> ReplayReport.File? {
    partitions.watch([connection], by: interruption)
    defer { interruption.watch([]) }
    // After a commit this does nothing.
    defer { connection.rollback() }
    return try interruption.explainingFailure {
      try connection.begin()
      let report = try replayInTransaction()
      try interruption.check()
      guard let report, report.resolved > 0 else { return report }
      FaultPoint.beforeCommit.reached()
      try connection.end(isKept: !options.isDryRun)
      FaultPoint.afterCommit.reached()
      return report
    }
  }

  private func replayInTransaction() throws -> ReplayReport.File? {
    let ledger = Ledger(connection: connection)
    guard let streamName = try ledger.stream(of: sourceFileID),
      let stream = StreamCatalog.stream(named: streamName)
    else { return nil }
    // Read under the lock, because a load, a replay or an undo may have changed the file before.
    try Locks(connection: connection, wait: wait).holdStreams(of: stream)
    guard let file = try ledger.settings(of: sourceFileID) else { return nil }
    try ledger.reopen(sourceFileID)
    try partitions.lookUp(stream, on: connection)

    var report = ReplayReport.File(path: file.path, stream: stream.name)
    let erasedUsers = try ledger.erasedUsers(key: options.erasureKey)
    let sender = RowSender(
      connection: connection, partitions: partitions, stream: stream,
      sourceFileIDs: [Int64(sourceFileID)], followsErasure: erasedUsers != nil)
    var rules = file.rules
    rules.rowDigestKey = try ledger.rowDigestKey()
    rules.allowedApps = try DatabaseSettings(connection).allowedApps()
    var encoder = RecordEncoder(
      stream: stream, rules: rules, sourceFileID: Int64(sourceFileID),
      routing: try sender.routingStart(memory: options.keyMemory),
      erasedUsers: erasedUsers)

    try openRejects()
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
        let stored = StoredLine(
          bytes: raw, number: reject.lineNumber, byteOffset: reject.byteOffset)
        switch try stored.withLine({ line throws(LoadError) in
          do throws(ReadError) { return try encoder.encode(line) } catch {
            throw LoadError(error, path: file.path)
          }
        }) {
        case .row: resolved.append(reject.rejectID)
        case .suppressed: suppressed.append(reject.rejectID)
        case .rejected, .blank: report.refused += 1
        }
      }
      try sender.send(encoder.closeBatch())
      try ledger.resolve(resolved, suppressed: suppressed, of: sourceFileID)
      report.suppressed += suppressed.count
    }
    try connection.execute("close open_reject")
    try sender.finish()
    report.inserted = sender.counts.inserted
    report.filled = sender.counts.filled
    report.duplicates = sender.counts.duplicates
    report.conflicts = sender.counts.conflicts
    report.embedded = sender.embedded?.counts
    if report.resolved > 0 {
      var counts = sender.counts
      counts.suppressed = report.suppressed
      try ledger.countReplayed(
        of: sourceFileID, resolved: report.resolved, counts: counts,
        mergedCounts: sender.mergedCounts)
      try ledger.countEmbedded(
        [
          sender.embeddedResult(
            of: Int64(sourceFileID), rowCount: encoder.embeddedRowCount, isOnlyFile: true)
        ].compactMap(\.self))
    }
    return report.resolved + report.refused + report.cut > 0 ? report : nil
  }

  /// Opens a cursor over the file's open rejects, in line order.
  ///
  /// The cursor keeps its snapshot while rejects are resolved, and scans the table once. A query
  /// for each page would scan it from the first reject each time.
  private func openRejects() throws {
    try connection.query(
      """
      declare open_reject no scroll cursor for
        select reject_id, line_number, byte_offset, case when is_whole then raw end as raw
        from \(RejectFilter.source)
        where \(RejectFilter.condition) and resolved_at is null and source_file_id = $9
        order by line_number
      """, filter.parameters + [.integer(sourceFileID)])
  }
}

/// A row of the cursor over a file's open rejects.
struct StoredReject: Decodable {
  let rejectID: Int
  let lineNumber: Int
  let byteOffset: Int
  /// The stored line; nil when only its beginning may be stored.
  let raw: [UInt8]?
}
