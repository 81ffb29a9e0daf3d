/// Encodes lines, one after another, as rows of a batch, or returns the rejection of a line.
///
/// It is the core of `Pipeline`, and also replays stored rejects.
package struct RecordEncoder: ~Copyable {
  private let stream: RecordStream
  private let rules: NormalizationRules
  private var sourceFileID: Int64
  private var encoder: LineEncoder
  private var router: RowRouter
  private var batch: OpenBatch
  /// The rows of records within the lines; nil when the stream embeds no other one.
  private let embedded: EmbeddedRows?
  private var unknown = UnknownFields()
  private var known: KnownFields
  /// nil when no user was erased.
  private let erasedUsers: ErasedUsers.LookUp?
  /// The line in whose middle the current file ends.
  private(set) var cutLine: CutLine?

  /// The outcome of a line.
  package enum Outcome {
    case row, blank
    /// The line belongs to an erased user. It leaves no row and no reject.
    case suppressed
    case rejected(Rejection)
  }

  /// - Parameter startsSmall: true for a single file, whose first batches are smaller.
  package init(
    stream: RecordStream, rules: NormalizationRules, sourceFileID: Int64, routing: RoutingStart,
    erasedUsers: ErasedUsers? = nil, startsSmall: Bool = false
  ) {
    self.stream = stream
    self.rules = rules
    self.sourceFileID = sourceFileID
    self.erasedUsers = erasedUsers?.lookUp
    batch = OpenBatch(targetBytes: startsSmall ? OpenBatch.firstBytes : OpenBatch.maxBytes)
    encoder = LineEncoder(stream, rules: rules)
    router = RowRouter(routing)
    embedded = stream.embedded.map { EmbeddedRows($0, routing: routing) }
    known = KnownFields(stream)
  }

  /// Starts the next file of a group.
  ///
  /// The batch and the keys of earlier files stay.
  package mutating func beginFile(_ sourceFileID: Int64) {
    self.sourceFileID = sourceFileID
    unknown = UnknownFields()
    known = KnownFields(stream)
    cutLine = nil
    embedded?.beginFile()
  }

  /// The records within the current file's accepted lines.
  package var embeddedRowCount: Int { embedded?.rowCount ?? 0 }

  /// The unknown fields of the current file's lines so far.
  package var unknownFields: [UnknownField] { unknown.fields }

  /// The declared fields of the current file's rows so far.
  package var knownFields: [KnownField] { known.found }

  /// Encodes a line, and appends its row to the batch.
  ///
  /// - Throws: `ReadError` when there is no memory for the line, or when it belongs to another
  ///   application than the allowed or expected ones.
  package mutating func encode(_ line: InputLine) throws(ReadError) -> Outcome {
    if !line.isTooLong, line.bytes.isBlank { return .blank }
    do throws(Rejection) {
      try encoder.encode(line, to: &batch.newRows)
    } catch {
      if encoder.ranOutOfMemory { throw Self.outOfMemory(line) }
      let rejection = line.hasLineFeed ? error : error.ofLastLine
      if rejection.code == .truncatedLine { cutLine = CutLine(line) }
      return .rejected(rejection)
    }
    if rules.allowedApps != nil || rules.expectedApp != nil { try checkApps(line) }
    if let erasedUsers, encoder.isOfAny(erasedUsers) {
      batch.newRows.discardRow()
      return .suppressed
    }
    // Not before the line is known to be kept: an erased user's line leaves no trace.
    if !encoder.decoder.line.unknownNames.isEmpty {
      unknown.note(encoder.decoder.line.unknownNames, line: line.number)
    }
    if let problem = encoder.decoder.line.problems.first {
      // The JSON within a line needs memory of its own.
      if encoder.ranOutOfMemory { throw Self.outOfMemory(line) }
      batch.newRows.discardRow()
      return .rejected(problem)
    }
    takeRow(line.number)
    return .row
  }

  private mutating func takeRow(_ lineNumber: Int) {
    known.note(encoder.decoder.line.present)
    // An erasure would not find a user in `extra` of lines that belong to no user.
    if erasedUsers != nil, !stream.hasUser { encoder.dropExtra() }
    let row = encoder.finishRow(
      in: &batch.newRows, sourceFileID: sourceFileID, lineNumber: lineNumber)
    let orderKey = batch.newRows.orderKey
    if stream.isPartitionedByMonth { batch.note(timeOf: orderKey) }
    router.take(row, of: &batch, orderKey: orderKey)
    guard let embedded, let event = encoder.event, event.content == .receipt else { return }
    // The names of the record's members count with those of the lines, as `data.name`.
    let prefix = Array("\(EventEncoder.nameOfData).".utf8)
    for name in event.receipt.line.unknownNames {
      (prefix + name.buffer).withUnsafeBufferPointer { name in
        guard let start = name.baseAddress else { return }
        unknown.note([ByteSlice(start: start, count: name.count)], line: lineNumber)
      }
    }
    batch.note(
      embeddedBytes: embedded.take(event, sourceFileID: sourceFileID, lineNumber: lineNumber))
  }

  /// Checks that the line belongs to the allowed and expected applications.
  private func checkApps(_ line: InputLine) throws(ReadError) {
    func other(_ app: [UInt8], _ reason: String) -> ReadError {
      let app = String(decoding: app, as: UTF8.self)
      return ReadError(
        .otherApplication, reason, detail: ["line": String(line.number), "app_id": app])
    }
    for app in encoder.apps {
      let name = String(decoding: app, as: UTF8.self)
      if let allowed = rules.allowedApps, !allowed.contains(app) {
        throw other(
          app,
          (app.isEmpty
            ? "belongs to no application (line \(line.number))"
            : "belongs to the application \"\(name)\" (line \(line.number))")
            + ", and the database's setting apps lists others; check that it is the intended file and "
            + "--app-id, or have the application added by settings set apps")
      }
      if let expected = rules.expectedApp, !app.isEmpty, !app.elementsEqual(expected.utf8) {
        throw other(
          app,
          "belongs to the application \"\(name)\" (line \(line.number)), and --expect-app names "
            + "\"\(expected)\"; check that it is the intended file, or leave the option out")
      }
    }
  }

  private static func outOfMemory(_ line: InputLine) -> ReadError {
    ReadError(
      .outOfMemory,
      "has a line of \(line.byteCount) bytes (line \(line.number)), for which memory does not "
        + "suffice; allow the process more memory")
  }

  // MARK: - The batch

  /// True when the batch must be closed before the next line.
  package var isBatchFull: Bool { batch.isFull }
  /// The number of rejects in the batch.
  var rejectCount: Int { batch.rejects.count }

  /// Closes the batch and returns it; the next lines go to a new one.
  ///
  /// - Parameters:
  ///   - lines: the number of lines of the file that have been read.
  ///   - bytes: the number of bytes of the decoded stream that have been read.
  package mutating func closeBatch(lines: Int = 0, bytes: Int = 0) -> Batch {
    router.resolvePending(&batch)
    let next = batch.next()
    return Batch(
      exchange(&batch, with: next), position: (lines, bytes),
      embedded: embedded?.closeBatch(lines: lines, bytes: bytes))
  }

  /// Empties the batch but keeps its memory; for benchmarks.
  package mutating func discardBatch() {
    router.resolvePending(&batch)
    batch.removeAll()
    embedded?.discardBatch()
  }

  /// Appends the line that `encode` has just refused to the rejects of the batch.
  mutating func keep(_ line: InputLine, _ rejection: Rejection) {
    batch.add(reject(line, rejection))
  }

  /// The reject of the line that `encode` has just refused.
  package func reject(_ line: InputLine, _ rejection: Rejection) -> RejectedLine {
    RejectedLine(line, rejection, owner: encoder.owner, stream: stream, rules: rules)
  }
}

/// The rows of the records within a file's lines, routed like the rows of a file of their stream.
final class EmbeddedRows {
  private var batch = OpenBatch()
  private var router: RowRouter
  private let stream: RecordStream
  /// The records of the current file's accepted lines.
  private(set) var rowCount = 0

  init(_ stream: RecordStream, routing: RoutingStart) {
    self.stream = stream
    router = RowRouter(routing.ofEmbedded)
  }

  /// Starts the next file of a group.
  func beginFile() { rowCount = 0 }

  /// Takes the row of a record whose line was accepted.
  ///
  /// - Returns: its size in bytes.
  func take(_ event: EventEncoder, sourceFileID: Int64, lineNumber: Int) -> Int {
    let place = event.finishReceipt(sourceFileID: sourceFileID, lineNumber: lineNumber)
    let copy = batch.appendNew(place, of: event.receiptRow)
    let orderKey = event.receiptRow.orderKey
    if stream.isPartitionedByMonth { batch.note(timeOf: orderKey) }
    router.take(copy, of: &batch, orderKey: orderKey)
    rowCount += 1
    return event.receiptRow.count
  }

  /// Closes the batch and returns it; the next rows go to a new one.
  func closeBatch(lines: Int, bytes: Int) -> Batch {
    router.resolvePending(&batch)
    let next = batch.next()
    return Batch(exchange(&batch, with: next), position: (lines, bytes))
  }

  /// Empties the batch but keeps its memory; for benchmarks.
  func discardBatch() {
    router.resolvePending(&batch)
    batch.removeAll()
  }
}
