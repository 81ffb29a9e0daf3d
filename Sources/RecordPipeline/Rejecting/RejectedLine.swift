extension Rejection {
  /// True when the line or the record in it is not one JSON object within the limits.
  fileprivate func isOfStructure(unwrapField: String?) -> Bool {
    switch code {
    case .malformedJSON, .invalidUTF8, .notAnObject, .lineTooLong, .nestingTooDeep: true
    default: field != nil && field == unwrapField
    }
  }
}

/// A refused line, with the data to find, correct and replay it.
package struct RejectedLine: Sendable {
  package let rejection: Rejection
  /// nil when the owner could not be read.
  package let owner: LineOwner?
  /// From 1.
  package let lineNumber: Int
  /// Offset of the line's first byte in the decoded stream, from 0.
  package let byteOffset: Int
  /// The line's bytes with secrets replaced, at most `Limits.rejectedLineBytes` of them.
  package let raw: [UInt8]
  /// The length of the whole line, of which `raw` may hold only a part.
  package let rawByteCount: Int

  /// Masks the secrets of a refused line.
  ///
  /// - Parameter encode: encodes a line and returns its rejection; nil when it becomes a row.
  init(
    _ line: InputLine, _ rejection: Rejection, owner: LineOwner? = nil, rules: NormalizationRules,
    encode: (InputLine) -> Rejection?
  ) {
    let isObject = !rejection.isOfStructure(unwrapField: rules.unwrapField)
    // A line that is not one JSON object is masked as broken text, which masks more.
    var masked =
      isObject ? line.maskedForReplay(rules) : SecretMasking.masked(malformed: line.bytes)
    if !line.isTooLong, !masked.elementsEqual(line.bytes.buffer) {
      let copy = StoredLine(bytes: masked, number: line.number, byteOffset: line.byteOffset)
      let again = copy.withLine(encode)
      // Masking a secret can remove the fault: then the copy is valid, or only the value of a field is
      // invalid, which other rules may accept.
      let isStillRefused =
        again.map { isObject || $0.isOfStructure(unwrapField: rules.unwrapField) } ?? false
      if !isStillRefused { masked += Array(Self.faultIsMasked.utf8) }
    }
    self.init(
      rejection: rejection, owner: owner, lineNumber: line.number, byteOffset: line.byteOffset,
      raw: Array(masked.prefix(Limits.rejectedLineBytes)), rawByteCount: line.byteCount)
  }

  /// Appended to the copy of a line that masking made valid, so that the copy is refused like the line.
  ///
  /// It is no JSON, and it explains the rejection to the person who corrects the line.
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

  /// The reject with a shorter copy of the line.
  package func cut(to byteCount: Int) -> RejectedLine {
    RejectedLine(
      rejection: rejection, owner: owner, lineNumber: lineNumber, byteOffset: byteOffset,
      raw: Array(raw.prefix(byteCount)), rawByteCount: rawByteCount)
  }
}

extension InputLine {
  /// A masked copy of the line, which must be one JSON object; a replay of it has the same outcome.
  func maskedForReplay(_ rules: NormalizationRules) -> [UInt8] {
    SecretMasking.masked(
      line: bytes, .init(unwrapField: rules.unwrapField, textLimit: rules.limits.textBytes))
  }
}
