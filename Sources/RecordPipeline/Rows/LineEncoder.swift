/// The outcome of a line before its row is merged.
package enum LineOutcome: Sendable, Equatable {
  case row, blank
  /// The line belongs to an erased user. It leaves no row and no reject.
  case suppressed
  case rejected(Rejection)
}

/// Encodes lines of a stream, one after another, as rows, and notes every problem of a line.
struct LineEncoder: ~Copyable {
  private let stream: RecordStream
  /// The current line.
  var decoded: DecodedLine
  /// The encoder of events, the one stream that embeds another one; nil for all others.
  let event: EventEncoder?
  /// True when the current line is one object within the limits: its problems and owner are known, and its columns
  /// without the common ones are the row in progress, also with a problem.
  private(set) var isDecoded = false

  init(_ stream: RecordStream, rules: NormalizationRules) {
    self.stream = stream
    decoded = DecodedLine(stream, rules: rules)
    event = stream.embeddedStreamName.map { _ in EventEncoder(rules: rules) }
  }

  /// Encodes a line, which is refused for the first of its problems.
  ///
  /// - Throws: `ReadError` when there is no memory for the line, or its application is not allowed.
  mutating func encode(_ line: InputLine, to row: inout RowBuffer) throws(ReadError) -> LineOutcome
  {
    isDecoded = false
    if line.isTooLong {
      let limit = decoded.rules.limits.lineBytes
      return .rejected(
        Rejection(.lineTooLong, "it has \(line.byteCount) bytes; the limit is \(limit)"))
    }
    if line.bytes.isBlank { return .blank }
    do throws(Rejection) { try decoded.decode(line.bytes) } catch {
      if error.isOutOfMemory { throw Self.outOfMemory(line) }
      return .rejected(line.hasLineFeed ? error : error.ofLastLine)
    }
    isDecoded = true
    row.beginRow(columnCount: stream.allColumns.count)
    if let event {
      event.encode(&decoded, to: &row)
      // The JSON within a line needs memory of its own.
      if decoded.problems.contains(where: \.isOutOfMemory) { throw Self.outOfMemory(line) }
    } else {
      decoded.write(stream, to: &row)
    }
    if decoded.rules.allowedApps != nil { try checkApps(line.number) }
    return decoded.problems.first.map { .rejected($0) } ?? .row
  }

  private static func outOfMemory(_ line: InputLine) -> ReadError {
    ReadError(
      .outOfMemory,
      "has a line of \(line.byteCount) bytes (line \(line.number)), for which memory does not "
        + "suffice; allow the process more memory")
  }

  // MARK: - Owners

  /// The owner of the current line; nil when a user of the line, or of the record within it, is refused, and when
  /// the two have different users.
  var owner: LineOwner? {
    guard isDecoded, !decoded.isRefused(decoded.userSlots), event?.hidesOwner != true
    else { return nil }
    let own = LineOwner(
      user: decoded.facts.user.map { Array($0.bytes.buffer) } ?? [], app: decoded.app)
    guard let record = event?.receiptOwner(in: decoded) else { return own }
    if own.user.isEmpty { return record }
    guard own.user == record.user else { return nil }
    return LineOwner(user: own.user, app: own.app == record.app ? own.app : nil)
  }

  /// True when the user of the line, or of the record within it, was erased.
  func isOfAny(_ erased: ErasedUsers.LookUp) -> Bool {
    if let user = decoded.facts.user,
      erased.contains(user.bytes.buffer, of: decoded.app)
    {
      return true
    }
    return event?.receiptOwner(in: decoded).map { erased.contains($0) } ?? false
  }

  /// Checks that the line, and the record within it, belong to the allowed applications.
  private func checkApps(_ lineNumber: Int) throws(ReadError) {
    for app in [decoded.app, event?.receiptOwner(in: decoded)?.app] {
      guard let app, decoded.rules.allowedApps?.contains(app) == false else { continue }
      let name = String(decoding: app, as: UTF8.self)
      throw ReadError(
        .otherApplication,
        (app.isEmpty ? "belongs to no application" : "belongs to the application \"\(name)\"")
          + " (line \(lineNumber)), which --expect-app or the database's setting apps does not allow; check that "
          + "it is the intended file and --app-id, or have the application added by settings set apps",
        detail: ["line": String(lineNumber), "app_id": name])
    }
  }
}
