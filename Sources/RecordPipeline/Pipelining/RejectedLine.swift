/// A refused line, with the data that is needed to find, correct and replay it.
package struct RejectedLine: Sendable {
  package let rejection: Rejection
  /// The owner of the line; nil when it could not be read.
  package let owner: LineOwner?
  /// From 1.
  package let lineNumber: Int
  /// Offset of the line's first byte in the decoded stream, from 0.
  package let byteOffset: Int
  /// The line's bytes with digests in place of tokens, cut at `Limits.rejectedLineBytes`, and before the name of
  /// a token in another form.
  package let raw: [UInt8]
  /// The length of the whole original line, in bytes.
  package let rawByteCount: Int

  init(
    _ line: InputLine, _ rejection: Rejection, owner: LineOwner? = nil, rules: NormalizationRules
  ) {
    self.init(
      rejection: rejection, owner: owner, lineNumber: line.number, byteOffset: line.byteOffset,
      raw: TokenMasking.keptLine(line.bytes, limits: rules.limits), rawByteCount: line.byteCount)
  }

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
