/// The whole way from a file's bytes to rows and rejects; knows no database.
///
///     bytes ── LineReader ── lines ── RecordEncoder ── rows ── RowRouter ──▶ Batch
///       └─ SHA-256                          └─── Rejection ── RejectedLine ────┘
///
/// A line that breaks a rule becomes a `RejectedLine` and the next line is read; only bytes that
/// cannot be read at all (`ReadError`) end a run.
package struct Pipeline {
  package let stream: RecordStream
  package let rules: NormalizationRules
  /// What rows and rejects say they came from.
  package let sourceFileID: Int64
  /// Users whose lines leave nothing; nil: there are none.
  package let erasedUsers: ErasedUsers?

  package init(
    stream: RecordStream, rules: NormalizationRules, sourceFileID: Int64,
    erasedUsers: ErasedUsers? = nil
  ) {
    self.stream = stream
    self.rules = rules
    self.sourceFileID = sourceFileID
    self.erasedUsers = erasedUsers
  }

  /// Reads a source to its end.
  ///
  /// - Parameters:
  ///   - emit: takes each batch as it is full, and the last one; it may wait, which is how a slow
  ///     database holds the reader back.
  ///   - progress: hears the decoded stream's offset about once per read.
  /// - Returns: what was read, with the digest of all bytes.
  /// - Throws: `ReadError` when the source cannot be read, and what `emit` throws.
  package func run(
    _ source: any ByteSource, routing: RoutingStart, emit: (Batch) throws -> Void,
    progress: (_ bytes: Int, _ lines: Int) -> Void = { _, _ in }
  ) throws -> FileTotals {
    var encoder = RecordEncoder(
      stream: stream, rules: rules, sourceFileID: sourceFileID, routing: routing,
      erasedUsers: erasedUsers, startsSmall: true)
    let totals = try Self.readLines(
      of: source, limit: rules.limits.lineBytes, with: &encoder, emit: emit, progress: progress)
    let last = encoder.closeBatch(lines: totals.lineCount, bytes: totals.byteCount)
    if !last.isEmpty { try emit(last) }
    return totals
  }

  /// Reads all lines of a source; what the last ones become is in the encoder's batch.
  ///
  /// - Parameter emit: takes each batch that is full.
  static func readLines(
    of source: any ByteSource, limit: Int, with encoder: inout RecordEncoder,
    emit: (Batch) throws -> Void, progress: (_ bytes: Int, _ lines: Int) -> Void = { _, _ in }
  ) throws -> FileTotals {
    var totals = FileTotals()
    let digest = RunningDigest()
    var reader = LineReader(source, limit: limit) { digest.update($0) }
    while let line = try reader.next() {
      totals.lineCount += 1
      switch try encoder.encode(line) {
      case .row: break
      case .blank: totals.blankCount += 1
      case .suppressed: totals.suppressedCount += 1
      case .rejected(let rejection):
        encoder.keep(line, rejection)
        totals.rejectedCount += 1
      }
      if encoder.isBatchFull {
        try emit(encoder.closeBatch(lines: totals.lineCount, bytes: reader.byteOffset))
        progress(reader.byteOffset, totals.lineCount)
      }
    }
    progress(reader.byteOffset, totals.lineCount)
    totals.byteCount = reader.byteOffset
    totals.sha256 = digest.value
    totals.unknownFields = encoder.unknownFields
    return totals
  }
}

/// What was read of a file, apart from what the database made of its rows.
package struct FileTotals: Sendable, Equatable {
  package var lineCount = 0
  package var blankCount = 0
  package var rejectedCount = 0
  /// Lines of users who were erased.
  package var suppressedCount = 0
  /// Of the decoded stream.
  package var byteCount = 0
  package var sha256: [UInt8] = []
  /// Of all lines that are objects, refused ones too.
  package var unknownFields: [UnknownField] = []

  /// Lines that became rows.
  package var rowCount: Int { lineCount - blankCount - rejectedCount - suppressedCount }

  /// True when lines were refused, and all others are blank.
  package var hasNoGoodLine: Bool { rejectedCount > 0 && rowCount + suppressedCount == 0 }

  package init() {}
}
