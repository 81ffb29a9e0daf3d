extension Rejection {
  /// True when the line or the record in it is not one JSON object within the limits.
  fileprivate func isOfStructure(unwrapField: String?) -> Bool {
    switch code {
    case .malformedJSON, .invalidUTF8, .truncatedLine, .notAnObject, .lineTooLong, .nestingTooDeep:
      field == nil || field == unwrapField
    default: field != nil && field == unwrapField
    }
  }
}

/// A refused line, with the data that is needed to find, correct and replay it.
package struct RejectedLine: Sendable {
  package let rejection: Rejection
  /// The owner of the line; nil when it could not be read.
  package let owner: LineOwner?
  /// From 1.
  package let lineNumber: Int
  /// Offset of the line's first byte in the decoded stream, from 0.
  package let byteOffset: Int
  /// The line's bytes with secrets masked, cut at `Limits.rejectedLineBytes`.
  package let raw: [UInt8]
  /// The length of the whole original line, in bytes.
  package let rawByteCount: Int

  /// Masks the secrets of a refused line.
  ///
  /// - Parameters:
  ///   - encode: returns the rejection that a line would get; nil when it would become a row.
  init(
    _ line: InputLine, _ rejection: Rejection, owner: LineOwner? = nil, rules: NormalizationRules,
    encode: (InputLine) -> Rejection?
  ) {
    let isObject = !rejection.isOfStructure(unwrapField: rules.unwrapField)
    // A line that is not one JSON object is masked as broken text, which masks more.
    var masked =
      isObject
      ? line.maskedForReplay(rules)
      : SecretMasking.masked(malformed: line.bytes)
    if !line.isTooLong, !masked.elementsEqual(line.bytes.buffer) {
      let copy = StoredLine(bytes: masked, number: line.number, byteOffset: line.byteOffset)
      let again = copy.withLine(encode)
      // Masking can remove the fault together with a secret. The copy of an object is still refused
      // if it has any fault. The copy of any other line must be refused as a whole again, because a
      // fault in a single field could pass under other rules.
      let isStillRefused =
        again.map { isObject || $0.isOfStructure(unwrapField: rules.unwrapField) } ?? false
      if !isStillRefused { masked += Array(Self.faultIsMasked.utf8) }
    }
    self.init(
      rejection: rejection, owner: owner, lineNumber: line.number, byteOffset: line.byteOffset,
      raw: Array(masked.prefix(Limits.rejectedLineBytes)), rawByteCount: line.byteCount)
  }

  /// The text that is appended to a copy from which masking removed the fault, so that the copy is
  /// refused like the line.
  ///
  /// It is not JSON, and it explains the rejection to the person who corrects the line.
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

  /// A reject with the copy of the line cut to a length.
  package func cut(to byteCount: Int) -> RejectedLine {
    RejectedLine(
      rejection: rejection, owner: owner, lineNumber: lineNumber, byteOffset: byteOffset,
      raw: Array(raw.prefix(byteCount)), rawByteCount: rawByteCount)
  }
}

extension InputLine {
  /// A masked copy of the line, which must be one JSON object.
  ///
  /// A replay of the copy has the same outcome as the line, unless the fault is in what is masked.
  func maskedForReplay(_ rules: NormalizationRules) -> [UInt8] {
    SecretMasking.masked(line: bytes, textLimit: rules.limits.textBytes)
  }
}

extension RejectedLine {
  /// True when the line belongs to an erased user.
  ///
  /// If the owner is unknown, it is true when the stored part of the line contains the id of an
  /// erased user.
  package func mayBelong(to erased: ErasedUsers) -> Bool {
    if let owner {
      return owner.user.withUnsafeBufferPointer { erased.contain($0, of: owner.app) }
    }
    return raw.withUnsafeBufferPointer { raw in
      guard let start = raw.baseAddress else { return false }
      return NameSearch(erased).findsErasedUser(in: ByteSlice(start: start, count: raw.count))
    }
  }
}
