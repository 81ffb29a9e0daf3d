/// Encodes lines of a stream, one after another, as rows, and notes every problem of a line.
struct LineEncoder: ~Copyable {
  private let stream: RecordStream
  private let columnCount: Int
  private(set) var decoder: LineDecoder
  /// The encoder of events, the one stream that embeds another one; nil for all others.
  let event: EventEncoder?
  /// True when the current line is one object within the limits, so that its problems and owner are known.
  private(set) var isDecoded = false

  init(_ stream: RecordStream, rules: NormalizationRules) {
    self.stream = stream
    columnCount = stream.allColumns.count
    decoder = LineDecoder(stream.fields, rules: rules)
    event = stream.embeddedStreamName.map { _ in EventEncoder(rules: rules) }
  }

  /// True once a line was refused because the process had no memory for it.
  var ranOutOfMemory: Bool { decoder.ranOutOfMemory || event?.ranOutOfMemory ?? false }

  /// Writes the columns of a line, without the common ones, as the row in progress.
  ///
  /// A line with problems leaves a row in progress, too.
  ///
  /// - Throws: `Rejection` when the line is not one object within the limits, which leaves neither a row nor an owner.
  mutating func encode(_ line: InputLine, to row: inout RowBuffer) throws(Rejection) {
    isDecoded = false
    if line.isTooLong {
      throw Rejection(
        .lineTooLong,
        "it has \(line.byteCount) bytes; the limit is \(decoder.line.rules.limits.lineBytes)")
    }
    try decoder.decode(line.bytes)
    isDecoded = true
    row.beginRow(columnCount: columnCount)
    if let event {
      event.encode(&decoder.line, to: &row)
    } else {
      decoder.line.write(stream, to: &row)
    }
  }

  /// Writes the common columns and ends the row.
  mutating func finishRow(
    in row: inout RowBuffer, sourceFileID: Int64, lineNumber: Int
  ) -> RowPlace {
    decoder.line.finish(&row, sourceFileID: sourceFileID, lineNumber: lineNumber)
  }

  /// Leaves the members without a column out of the row.
  mutating func dropExtra() { decoder.line.extra.drop() }

  // MARK: - Owners

  /// The owner of the current line.
  ///
  /// - Returns: nil when a user of the line, or of the record within it, is refused, and when the line and the
  ///   record have different users.
  var owner: LineOwner? {
    guard isDecoded, !decoder.line.facts.isUserRefused, event?.hidesOwner != true else {
      return nil
    }
    let own = LineOwner(
      user: decoder.line.facts.user.map { Array($0.bytes.buffer) } ?? [], app: decoder.line.app)
    guard let record = event?.receiptOwner(in: decoder.line) else { return own }
    if own.user.isEmpty { return record }
    guard own.user == record.user else { return nil }
    return LineOwner(user: own.user, app: own.app == record.app ? own.app : nil)
  }

  /// The applications of the line and of the record within it; empty for one that names none.
  var apps: [[UInt8]] {
    guard isDecoded else { return [] }
    return [decoder.line.app, event?.receiptOwner(in: decoder.line)?.app].compactMap(\.self)
  }

  /// True when the user of the line, or of the record within it, was erased.
  func isOfAny(_ erased: ErasedUsers.LookUp) -> Bool {
    guard isDecoded else { return false }
    if let user = decoder.line.facts.user,
      erased.contains(user.bytes.buffer, of: decoder.line.app)
    {
      return true
    }
    return event?.receiptOwner(in: decoder.line).map { erased.contains($0) } ?? false
  }
}
