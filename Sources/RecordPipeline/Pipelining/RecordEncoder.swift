/// Turns one line after another into a row of a batch, or says why it is refused.
///
/// The core of `Pipeline`, apart from where lines come from: stored rejects are replayed by it too.
package struct RecordEncoder: ~Copyable {
  private let stream: RecordStream
  private let rules: NormalizationRules
  private var sourceFileID: Int64
  private let columnCount: Int
  private var decoder: LineDecoder
  private var router: RowRouter
  private var batch: OpenBatch
  private var unknown = UnknownFields()
  /// nil: nobody was erased.
  private let suppression: Suppression?
  /// Whose the line in hand is; looked at only when somebody was erased.
  private var owner = Suppression.Owner.unknown
  private let ownerReader: LineOwnerReader?
  private let expectedApp: [UInt8]?
  /// Whose the refused line in hand is, where that can be read.
  private var refusedOwner: LineOwner?
  private var isDecoded = false
  /// For a row that nobody needs.
  private var scratch = RowBuffer()

  /// What became of a line.
  package enum Outcome {
    case row, blank
    /// The line is of a user who was erased, or names one and is refused: nothing of it is kept.
    case suppressed
    case rejected(Rejection)
  }

  /// - Parameter startsSmall: true for a file of its own, whose first batches are smaller than the others.
  package init(
    stream: RecordStream, rules: NormalizationRules, sourceFileID: Int64, routing: RoutingStart,
    erasedUsers: ErasedUsers? = nil, startsSmall: Bool = false
  ) {
    self.stream = stream
    batch = OpenBatch(targetBytes: startsSmall ? OpenBatch.firstBytes : OpenBatch.mostBytes)
    self.rules = rules
    self.sourceFileID = sourceFileID
    columnCount = stream.allColumns.count
    decoder = LineDecoder(names: stream.fields, rules: rules)
    router = RowRouter(routing)
    suppression = Suppression(erasedUsers, in: stream)
    ownerReader = LineOwnerReader(stream)
    expectedApp = rules.expectedApp.map { Array($0.utf8) }
  }

  /// Goes on with the next file of a group: what is known of rows so far holds for its rows too.
  package mutating func beginFile(_ sourceFileID: Int64) {
    self.sourceFileID = sourceFileID
    unknown = UnknownFields()
  }

  /// The field names that the stream does not know, of all lines so far.
  package var unknownFields: [UnknownField] { unknown.fields }

  /// Adds a line's row to the batch, if it becomes one.
  ///
  /// - Throws: `ReadError` when there is no memory for the line, which is not its fault, or when the
  ///   line names another application than the file's may.
  package mutating func encode(_ line: InputLine) throws(ReadError) -> Outcome {
    if !line.isTooLong, line.bytes.isBlank { return .blank }
    let outcome = try outcome(of: line)
    if let expectedApp, isDecoded, let app = ownerReader?.app(of: &decoder.line), !app.isEmpty,
      app != expectedApp
    {
      throw ReadError(
        .otherApplication,
        "is of another application than --expect-app names (line \(line.number)); check that the file is "
          + "the one that was meant, or leave the option out")
    }
    return outcome
  }

  private mutating func outcome(of line: InputLine) throws(ReadError) -> Outcome {
    do throws(Rejection) {
      return try encodeRow(line) ? .row : .suppressed
    } catch {
      if decoder.ranOutOfMemory {
        throw ReadError(
          .outOfMemory,
          "has a line of \(line.byteCount) bytes (line \(line.number)) for which there is no "
            + "memory; lower --max-line-bytes or allow the process more")
      }
      if let suppression, owner == .unknown, suppression.isErasedUserNamed(in: line.bytes) {
        return .suppressed
      }
      refusedOwner = isDecoded ? ownerReader?.owner(of: &decoder.line) : nil
      return .rejected(error)
    }
  }

  // MARK: - The batch

  /// True when the batch has to be closed before more lines come.
  package var isBatchFull: Bool { batch.isFull }
  /// How many rejects the batch holds.
  var rejectCount: Int { batch.rejects.count }

  /// What the lines since the last call have become; the next ones come into another batch.
  ///
  /// - Parameters:
  ///   - lines: how many have been read of the file.
  ///   - bytes: how many have been read of the decoded stream.
  package mutating func closeBatch(lines: Int = 0, bytes: Int = 0) -> Batch {
    router.resolvePending(&batch)
    let next = batch.next()
    return Batch(exchange(&batch, with: next), position: (lines, bytes))
  }

  /// Empties the batch and keeps its memory: for benchmarks.
  package mutating func discardBatch() {
    router.resolvePending(&batch)
    batch.removeAll()
  }

  /// Adds what is kept of the line that `encode` has just refused to the batch.
  mutating func keep(_ line: InputLine, _ rejection: Rejection) {
    batch.add(reject(line, rejection))
  }

  /// What is kept of the line that `encode` has just refused.
  package mutating func reject(_ line: InputLine, _ rejection: Rejection) -> RejectedLine {
    RejectedLine(line, rejection, owner: refusedOwner, rules: rules) { judge($0) }
  }

  /// Why a line would be refused; leaves no trace.
  private mutating func judge(_ line: InputLine) -> Rejection? {
    scratch.removeAll()
    scratch.beginRow(columnCount: columnCount)
    do throws(Rejection) {
      try decoder.decode(line.bytes)
      try stream.encode(&decoder.line, &scratch)
      return nil
    } catch {
      return error
    }
  }

  /// - Returns: false when the line is of an erased user, and left no row.
  private mutating func encodeRow(_ line: InputLine) throws(Rejection) -> Bool {
    if suppression != nil { owner = .unknown }
    isDecoded = false
    if line.isTooLong {
      throw Rejection(
        .lineTooLong, "it has \(line.byteCount) bytes; the limit is \(rules.limits.lineBytes)")
    }
    try decoder.decode(line.bytes)
    isDecoded = true
    if let suppression {
      owner = suppression.owner(of: &decoder.line)
      if owner == .erased { return false }
    }
    if !decoder.line.unknownNames.isEmpty {
      unknown.note(decoder.line.unknownNames, line: line.number)
    }
    batch.newRows.beginRow(columnCount: columnCount)
    do throws(Rejection) {
      try stream.encode(&decoder.line, &batch.newRows)
    } catch {
      batch.newRows.forgetRow()
      throw error
    }
    let row = batch.newRows.finishRow(
      &decoder.line, sourceFileID: sourceFileID, lineNumber: line.number)
    let orderKey = batch.newRows.orderKey
    if stream.isPartitionedByMonth { batch.note(timeOf: orderKey) }
    router.take(row, of: &batch, orderKey: orderKey)
    return true
  }
}
