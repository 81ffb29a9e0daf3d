extension Rejection {
  /// True when the line is not one JSON object within the limits, or its record is not.
  fileprivate func isOfStructure(unwrapField: String?) -> Bool {
    switch code {
    case .malformedJSON, .invalidUTF8, .notAnObject, .lineTooLong, .nestingTooDeep: true
    default: field != nil && field == unwrapField
    }
  }
}

/// A refused line with everything needed to find, mend and replay it.
package struct RejectedLine: Sendable {
  package let rejection: Rejection
  /// nil: it could not be read whose the line is.
  package let owner: LineOwner?
  /// From 1.
  package let lineNumber: Int
  /// Of the line's first byte in the decoded stream, from 0.
  package let byteOffset: Int
  /// The line's bytes with secrets replaced, at most `Limits.rejectedLineBytes` of them.
  package let raw: [UInt8]
  /// How long the line was, however much of it `raw` holds.
  package let rawByteCount: Int

  /// A line and why it was refused, without its secrets.
  ///
  /// - Parameter judge: why a copy of the line would be refused; nil when it would become a row.
  init(
    _ line: InputLine, _ rejection: Rejection, owner: LineOwner? = nil, rules: NormalizationRules,
    judge: (InputLine) -> Rejection?
  ) {
    let isObject = !rejection.isOfStructure(unwrapField: rules.unwrapField)
    // What is not one JSON object is masked with more suspicion.
    var masked =
      isObject ? line.maskedForReplay(rules) : SecretMasking.masked(malformed: line.bytes)
    if !line.isTooLong, !masked.elementsEqual(line.bytes.buffer) {
      let copy = StoredLine(bytes: masked, number: line.number, byteOffset: line.byteOffset)
      let again = copy.withLine(judge)
      // Where the fault was within a secret, it went with it: nothing is wrong any more, or only
      // the value of a field, which other rules may take.
      let isStillRefused =
        again.map { isObject || $0.isOfStructure(unwrapField: rules.unwrapField) } ?? false
      if !isStillRefused { masked += Array(Self.faultIsMasked.utf8) }
    }
    self.init(
      rejection: rejection, owner: owner, lineNumber: line.number, byteOffset: line.byteOffset,
      raw: Array(masked.prefix(Limits.rejectedLineBytes)), rawByteCount: line.byteCount)
  }

  /// Ends the copy of a line that is good but for what had to be masked: no JSON may follow the
  /// object, so it is refused as the line was, and whoever mends it reads why.
  package static let faultIsMasked = " // the fault is in what is masked here"

  private init(
    rejection: Rejection, owner: LineOwner?, lineNumber: Int, byteOffset: Int, raw: [UInt8],
    rawByteCount: Int
  ) {
    self.rejection = rejection
    self.owner = owner
    self.lineNumber = lineNumber
    self.byteOffset = byteOffset
    self.raw = raw
    self.rawByteCount = rawByteCount
  }

  /// The same with less of the line.
  package func cut(to byteCount: Int) -> RejectedLine {
    RejectedLine(
      rejection: rejection, owner: owner, lineNumber: lineNumber, byteOffset: byteOffset,
      raw: Array(raw.prefix(byteCount)), rawByteCount: rawByteCount)
  }
}

extension InputLine {
  /// The line, which is one JSON object, with its secrets replaced so that it has the same fate.
  func maskedForReplay(_ rules: NormalizationRules) -> [UInt8] {
    SecretMasking.masked(
      line: bytes, .init(unwrapField: rules.unwrapField, textLimit: rules.limits.textBytes))
  }
}
