/// Encodes lines, one after another, as rows of a batch, or returns the rejection of a line.
///
/// It is the core of `Pipeline`, and also replays stored rejects.
package struct RecordEncoder: ~Copyable {
  private let stream: RecordStream
  private let rules: NormalizationRules
  private var sourceFileID: Int64
  private let columnCount: Int
  private var decoder: LineDecoder
  private var router: RowRouter
  private var batch: OpenBatch
  /// The rows of records within the lines; nil when the stream embeds no other one.
  private let embedded: EmbeddedRows?
  private var unknown = UnknownFields()
  private var known: KnownFields
  /// nil when no user was erased.
  private let suppression: Suppression?
  /// True for lines that belong to no user, once a user was erased: an erasure would not find a user in `extra`.
  private let dropsExtra: Bool
  private let ownerReader: LineOwnerReader?
  private let expectedApp: [UInt8]?
  /// The owner of the last refused line; nil when it cannot be read.
  private var refusedOwner: LineOwner?
  /// True when the current line is one object within the limits.
  private var isDecoded = false
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
    batch = OpenBatch(targetBytes: startsSmall ? OpenBatch.firstBytes : OpenBatch.maxBytes)
    self.rules = rules
    self.sourceFileID = sourceFileID
    columnCount = stream.allColumns.count
    decoder = LineDecoder(names: stream.fields, rules: rules)
    router = RowRouter(routing)
    embedded = stream.embedded.map { EmbeddedRows($0, routing: routing) }
    suppression = Suppression(erasedUsers, in: stream)
    dropsExtra = erasedUsers != nil && !stream.hasUser
    ownerReader = LineOwnerReader(stream)
    known = KnownFields(stream.namedFields)
    expectedApp = rules.expectedApp.map { Array($0.utf8) }
  }

  /// Starts the next file of a group.
  ///
  /// The batch and the keys of earlier files stay.
  package mutating func beginFile(_ sourceFileID: Int64) {
    self.sourceFileID = sourceFileID
    unknown = UnknownFields()
    known = KnownFields(stream.namedFields)
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
    let outcome = try outcome(of: line)
    if let allowed = rules.allowedApps, isDecoded, let other = app(outside: allowed) {
      throw ReadError(
        .otherApplication, Self.reason(otherApp: other, line: line.number),
        detail: ["line": String(line.number), "app_id": other])
    }
    if let expectedApp, isDecoded, let other = app(besides: expectedApp) {
      throw ReadError(
        .otherApplication,
        "belongs to the application \"\(other)\" (line \(line.number)), and --expect-app names "
          + "\"\(String(decoding: expectedApp, as: UTF8.self))\"; check that it is the intended file, or leave "
          + "the option out",
        detail: ["line": String(line.number), "app_id": other])
    }
    return outcome
  }

  /// The application of the line, or of the record within it, that is not allowed; empty if the
  /// line belongs to none.
  ///
  /// - Returns: nil when all are allowed, or cannot be read, so that the line is refused anyway.
  private mutating func app(outside allowed: Set<[UInt8]>) -> String? {
    apps().first { !allowed.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// An application of the line that is not the expected one; nil: it has none.
  private mutating func app(besides expected: [UInt8]) -> String? {
    apps().first { !$0.isEmpty && $0 != expected }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The applications of the line and of the record within it; empty for one that names none.
  private mutating func apps() -> [[UInt8]] {
    guard let ownerReader else { return [] }
    var apps = [ownerReader.app(of: &decoder.line)]
    if case .owner(_, let app) = ownerReader.embeddedOwner(of: &decoder.line) { apps.append(app) }
    return apps.compactMap(\.self)
  }

  private static func reason(otherApp app: String, line: Int) -> String {
    let belonging =
      app.isEmpty
      ? "belongs to no application (line \(line))"
      : "belongs to the application \"\(app)\" (line \(line))"
    return belonging
      + ", and the database's setting apps lists others; check that it is the intended file and "
      + "--app-id, or have the application added by settings set apps"
  }

  private mutating func outcome(of line: InputLine) throws(ReadError) -> Outcome {
    do throws(Rejection) {
      return try encodeRow(line) ? .row : .suppressed
    } catch {
      if decoder.ranOutOfMemory {
        throw ReadError(
          .outOfMemory,
          "has a line of \(line.byteCount) bytes (line \(line.number)), for which memory does not "
            + "suffice; allow the process more memory")
      }
      let rejection = line.hasLineFeed ? error : error.ofLastLine
      if rejection.code == .truncatedLine { cutLine = CutLine(line) }
      if isDecoded { noteUnknownNames(line) }
      refusedOwner = isDecoded ? ownerReader?.owner(of: &decoder.line) : nil
      return .rejected(rejection)
    }
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
    RejectedLine(line, rejection, owner: refusedOwner, stream: stream, rules: rules)
  }

  /// - Returns: false when the line belongs to an erased user and so becomes no row.
  private mutating func encodeRow(_ line: InputLine) throws(Rejection) -> Bool {
    isDecoded = false
    if line.isTooLong {
      throw Rejection(
        .lineTooLong, "it has \(line.byteCount) bytes; the limit is \(rules.limits.lineBytes)")
    }
    try decoder.decode(line.bytes)
    isDecoded = true
    if let suppression, suppression.isOfErasedUser(&decoder.line) { return false }
    batch.newRows.beginRow(columnCount: columnCount)
    do throws(Rejection) {
      try stream.encode(&decoder.line, &batch.newRows)
    } catch {
      batch.newRows.discardRow()
      throw error
    }
    noteUnknownNames(line)
    known.note(decoder.line.present)
    if dropsExtra { decoder.line.extra.drop() }
    let row = batch.newRows.finishRow(
      &decoder.line, sourceFileID: sourceFileID, lineNumber: line.number)
    let orderKey = batch.newRows.orderKey
    if stream.isPartitionedByMonth { batch.note(timeOf: orderKey) }
    router.take(row, of: &batch, orderKey: orderKey)
    if let embedded { takeRecord(into: embedded, lineNumber: line.number) }
    return true
  }

  /// Not before the line is known to be kept: an erased user's line leaves no trace.
  @inline(__always)
  private mutating func noteUnknownNames(_ line: InputLine) {
    if decoder.line.unknownNames.isEmpty { return }
    unknown.note(decoder.line.unknownNames, line: line.number)
  }

  /// Counts the names of the record's members with those of the lines, as `data.name`.
  private mutating func noteUnknownNames(of record: EmbeddedRecord, lineNumber: Int) {
    let names = record.decoder.line.unknownNames.map { name in
      (record.prefix + name.buffer).withUnsafeBufferPointer { decoder.line.arena.copy($0) }
    }
    unknown.note(names, line: lineNumber)
  }

  /// Takes the row of the record within the line that has just become a row.
  private mutating func takeRecord(into embedded: EmbeddedRows, lineNumber: Int) {
    guard let record = decoder.line.embedded, record.hasRow else { return }
    if !record.decoder.line.unknownNames.isEmpty {
      noteUnknownNames(of: record, lineNumber: lineNumber)
    }
    let byteCount = embedded.take(record, sourceFileID: sourceFileID, lineNumber: lineNumber)
    batch.note(embeddedBytes: byteCount)
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
  func take(_ record: EmbeddedRecord, sourceFileID: Int64, lineNumber: Int) -> Int {
    let place = record.row.finishRow(
      &record.decoder.line, sourceFileID: sourceFileID, lineNumber: lineNumber)
    let copy = batch.appendNew(place, of: record.row)
    let orderKey = record.row.orderKey
    if stream.isPartitionedByMonth { batch.note(timeOf: orderKey) }
    router.take(copy, of: &batch, orderKey: orderKey)
    rowCount += 1
    return record.row.count
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
