package import Postgres
package import RecordPipeline

extension Change {
  /// Applies the current rules to stored rejects, and loads the lines that are valid now.
  ///
  /// The rejects of each file are replayed in a transaction of their own, oldest file first, with the options
  /// that the file was loaded with. A loaded line is marked as resolved, and the file's ledger entry counts it
  /// under its new outcome, so the counts still add up to the lines. A second replay changes nothing.
  ///
  /// - Throws: `LoadError` when the connection fails, the database is not at this program's schema, or the
  ///   replay of a file fails; earlier files stay replayed.
  package static func replay(
    _ filter: EntryFilter, key: ErasureKey?, isDryRun: Bool, target: ConnectionTarget,
    interruption: Interruption = Interruption()
  ) throws(LoadError) -> [ReplayedFile] {
    let session = try Session(target, isDryRun: isDryRun, interruption: interruption)
    let connection = session.connection
    let change = Change(on: connection, isDryRun: isDryRun, interruption: interruption)
    let chosen = try change.run(
      during: "looking for rejects", remedy: "Nothing was changed; run again", isStep: true
    ) {
      _ = try Ledger(connection: connection).erasedUsers(key: key)
      return try connection.rows(
        of: ChosenFile.self,
        """
        select distinct source_file_id, stream from \(EntryFilter.rejects) and status = 'loaded' and resolved_at is null
          order by source_file_id
        """, filter.parameters)
    }
    var files: [ReplayedFile] = []
    for one in chosen {
      guard let stream = StreamCatalog.stream(named: one.stream) else { continue }
      let file = try change.run(
        during: "replaying rejects", remedy: LoadError.loadAgain,
        afterInterruption: "the current file was rolled back, run again to load it",
        isDone: { ($0?.resolved ?? 0) > 0 }
      ) { try change.replay(one.sourceFileID, of: stream, filter, key: key, in: session) }
      files += [file].compactMap(\.self)
    }
    return files
  }

  /// Replays one file, in a transaction.
  ///
  /// - Returns: nil when the filter selects no open reject of the file any more, for example after
  ///   a concurrent replay.
  private func replay(
    _ number: Int, of stream: RecordStream, _ filter: EntryFilter, key: ErasureKey?,
    in session: Session
  ) throws -> ReplayedFile? {
    let ledger = Ledger(connection: connection)
    // Read under the lock, because a load, a replay or an undo may have changed the file before.
    try connection.holdStreams(of: stream)
    guard let file = try FileSettings(of: number, on: connection) else { return nil }
    try connection.query("select ingest.reopen_file($1)", [.integer(number)])
    try session.lookUpMonths(of: stream)

    var report = ReplayedFile(path: file.path, stream: stream.name)
    var rules = file.rules
    try ledger.complete(&rules)
    let pipeline = Pipeline(
      stream: stream, rules: rules, sourceFileID: Int64(number),
      erasedUsers: try ledger.erasedUsers(key: key))
    let sender = RowSender(pipeline, sourceFileIDs: [Int64(number)], session: session)
    var encoder = RecordEncoder(
      pipeline, routing: try sender.routingStart(memory: LoadOptions().keyMemory))

    var rowCount = 0
    try EntryFilter.forEachPart(
      of: """
        select reject_id, line_number, byte_offset, case when is_whole then raw end as raw
          from \(EntryFilter.rejects) and resolved_at is null and source_file_id = $9
          order by line_number
        """, filter.parameters + [.integer(number)], on: connection
    ) { (part: [StoredReject]) in
      try interruption.check()
      var resolved: [Int] = []
      var suppressed: [Int] = []
      for reject in part {
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
      if !resolved.isEmpty || !suppressed.isEmpty {
        try connection.query(
          "select ingest.resolve_rejects($1, $2::bigint[], $3::bigint[])",
          [.integer(number), .integers(resolved), .integers(suppressed)])
      }
      report.suppressed += suppressed.count
      rowCount += resolved.count
    }
    try sender.finish()
    let rows = try sender.outcomes(of: [rowCount])
    let records = try sender.embedded?.outcomes(of: [encoder.totals.embeddedRowCount])
    report.counts = rows[0].counts
    report.embeddedConflicts = records?[0].counts.conflicts ?? 0
    if report.resolved > 0 {
      try ledger.count([(Int64(number), rows[0])], in: stream.name)
      if let records, let embedded = stream.embeddedStreamName {
        try ledger.count([(Int64(number), records[0])], in: embedded)
      }
    }
    return report.resolved + report.refused + report.cut > 0 ? report : nil
  }

  private struct ChosenFile: Decodable {
    let sourceFileID: Int
    let stream: String
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

/// The result of a replay of one file.
package struct ReplayedFile: Sendable {
  package let path: String
  package let stream: String
  /// Lines that became rows.
  package var counts = OutcomeCounts()
  /// Lines of users who were erased after the load, whose stored text is emptied.
  package var suppressed = 0
  /// Of the records within its lines.
  var embeddedConflicts = 0
  /// Lines that the rules still refuse.
  package var refused = 0
  /// Lines that are stored only in part and cannot be replayed.
  package var cut = 0

  package var resolved: Int { counts.total + suppressed }

  /// True when a line is still refused, is cut, or contradicts a stored row.
  package var hasFindings: Bool { refused + cut + counts.conflicts + embeddedConflicts > 0 }
}
