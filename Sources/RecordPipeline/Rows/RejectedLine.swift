/// A refused line, with the data that is needed to find, correct and replay it.
package struct RejectedLine: Sendable {
  package let rejection: Rejection
  package let sourceFileID: Int64
  /// The owner of the line; nil when it could not be read.
  package let owner: LineOwner?
  /// False for a line that is stored without its bytes from the first erasure on, because no owner is known.
  package let keepsBytes: Bool
  /// From 1.
  package let lineNumber: Int
  /// Offset of the line's first byte in the decoded stream, from 0.
  package let byteOffset: Int
  /// The line's bytes with digests in place of tokens, cut at `Limits.rejectedLineBytes`, and before the name of
  /// a token in another form.
  package private(set) var raw: [UInt8]
  /// The length of the whole original line, in bytes.
  package let rawByteCount: Int

  init(_ line: InputLine, _ rejection: Rejection, owner: LineOwner?, of pipeline: Pipeline) {
    self.rejection = rejection
    sourceFileID = pipeline.sourceFileID
    self.owner = owner
    keepsBytes = owner != nil && pipeline.stream.hasUser
    lineNumber = line.number
    byteOffset = line.byteOffset
    raw = TokenMasking.keptLine(line.bytes, limits: pipeline.rules.limits)
    rawByteCount = line.byteCount
  }

  /// A reject with the copy of the line cut to a length.
  package func cut(to byteCount: Int) -> RejectedLine {
    var reject = self
    reject.raw = Array(raw.prefix(byteCount))
    return reject
  }

  /// True when the line belongs to an erased user.
  package func belongs(to erased: ErasedUsers) -> Bool {
    owner.map { erased.lookUp.contains($0) } ?? false
  }
}
