internal import SHA256

/// Reads the bytes of a file and produces rows and rejects, without a database.
///
///     bytes ── LineReader ── lines ── RecordEncoder ── rows ── RowRouter ──▶ Batch
///       └─ SHA-256                          └─── Rejection ── RejectedLine ────┘
///
/// A line that breaks a rule becomes a `RejectedLine`. Only a `ReadError`, or an error of the function that takes
/// the batches, ends a run early.
package struct Pipeline {
  package let stream: RecordStream
  package let rules: NormalizationRules
  /// The id of the file, which its rows contain.
  var sourceFileID: Int64
  /// The users whose lines are suppressed; nil when no user was erased.
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
  /// - Parameter emit: gets each full batch, and the last one. It may block: that is the backpressure of a
  ///   slow database.
  /// - Throws: `ReadError` when the source cannot be read, and any error of `emit`.
  package func run(
    _ source: any ByteSource, routing: RoutingStart, emit: (Batch) throws -> Void
  ) throws -> FileTotals {
    try run([(source, sourceFileID)], routing: routing, emit: emit)[0]
  }

  /// Reads sources to their ends; their rows are routed as those of one file.
  ///
  /// - Parameter sources: each with the id that its rows get in place of the pipeline's.
  /// - Returns: the totals of each source.
  package func run(
    _ sources: [(bytes: any ByteSource, sourceFileID: Int64)], routing: RoutingStart,
    emit: (Batch) throws -> Void
  ) throws -> [FileTotals] {
    var encoder = RecordEncoder(self, routing: routing, startsSmall: sources.count == 1)
    let totals = try sources.map { source, sourceFileID in
      encoder.beginFile(sourceFileID)
      return try encoder.readLines(of: source, emit: emit)
    }
    let last = encoder.closeBatch(byteCount: totals.last?.byteCount ?? 0)
    if !last.isEmpty { try emit(last) }
    return totals
  }
}

extension RecordEncoder {
  /// Encodes all lines of a source; the last rows and rejects stay in the open batch.
  ///
  /// - Parameter emit: gets each full batch.
  mutating func readLines(
    of source: any ByteSource, emit: (Batch) throws -> Void
  ) throws -> FileTotals {
    let hash = SHA256()
    var reader = LineReader(source, limit: pipeline.rules.limits.lineBytes) { hash.update($0) }
    while let line = try reader.next() {
      if case .rejected(let rejection) = try encode(line) { keep(line, rejection) }
      if isBatchFull { try emit(closeBatch(byteCount: reader.byteOffset)) }
    }
    var totals = self.totals
    totals.byteCount = reader.byteOffset
    totals.sha256 = hash.finish().bytes
    return totals
  }
}

/// The last line of a file that ends in the middle of it.
package struct CutLine: Sendable, Equatable {
  package let byteCount: Int
  /// False for a trailer that is no record, such as a count of the lines above.
  package let beginsLikeObject: Bool

  init(_ line: InputLine) {
    byteCount = line.byteCount
    beginsLikeObject =
      line.bytes.buffer.first { !ByteSlice.isWhiteSpace($0) } == UInt8(ascii: "{")
  }
}

/// The counts and the digest of a file after reading, before its rows are merged.
package struct FileTotals: Sendable, Equatable {
  package var lineCount = 0
  package var blankCount = 0
  package var rejectedCount = 0
  /// Lines of erased users.
  package var suppressedCount = 0
  /// The line in whose middle the file ends; nil when it ends with a line.
  package var cutLine: CutLine?
  /// Bytes of the decoded stream.
  package var byteCount = 0
  /// The records of another stream within the rows' lines.
  package var embeddedRowCount = 0
  /// The digest of the decoded stream.
  package var sha256: [UInt8] = []
  /// The unknown fields of all decoded lines, also of refused ones, but not of those of erased users.
  package var unknownFields: [UnknownField] = []
  /// The declared fields of the lines that became rows.
  package var knownFields: [KnownField] = []

  /// Lines that became rows.
  package var rowCount: Int { lineCount - blankCount - rejectedCount - suppressedCount }

  /// True when every line is refused or blank, and at least one is refused.
  package var hasNoGoodLine: Bool { rejectedCount > 0 && rowCount + suppressedCount == 0 }

  package init() {}
}
