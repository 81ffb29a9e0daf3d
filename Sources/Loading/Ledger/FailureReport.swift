internal import RecordPipeline

/// The report of a file's failure, for `ingest.failed_file`.
///
/// It is collected while the file loads, and written in a transaction of its own after the
/// rollback.
struct FailureReport: Sendable {
  let input: Input
  let canonicalPath: String
  var sha256: [UInt8]?
  var read = ReadReport()
  /// The first rejects, at most `keptRejects`.
  var rejects: [RejectedLine] = []
  /// A sample of the refused lines, for a guess at the cause.
  private(set) var sample = RejectSample()

  /// The most refused lines that are kept of one file.
  static let keptRejects = 1000
  /// The longest kept part of a raw line, in bytes.
  ///
  /// `ingest.reject` keeps up to 64 KiB of a line; with that limit the report of one file could
  /// take more than 60 MiB.
  static let keptRawBytes = 4 * 1024

  init(_ input: Input) {
    self.input = input
    canonicalPath = input.canonicalPath
  }

  /// Records how far the file has been read, and the batch's rejects.
  mutating func note(_ batch: Batch) {
    (read.lines, read.bytes) = batch.position
    read.rejected += batch.rejects.count
    sample.note(batch.rejects)
    read.rejectCodes = sample.countsByCode
    rejects += batch.rejects.prefix(max(0, Self.keptRejects - rejects.count)).map {
      $0.cut(to: Self.keptRawBytes)
    }
  }
}

/// The part of a failed file that was read before its failure; the lines are in
/// `ingest.failed_reject`.
package struct ReadReport: Encodable, Sendable, Equatable {
  /// Bytes of the decoded file.
  var bytes = 0
  package var lines = 0
  var rejected = 0
  /// Refused lines by reject code.
  var rejectCodes: [String: Int] = [:]
}

extension RowBuffer {
  /// Adds the nine columns of a reject that `ingest.reject` and `ingest.failed_reject` share.
  ///
  /// - Parameter followsErasure: true once a user was erased.
  mutating func encode(_ reject: RejectedLine, followsErasure: Bool) {
    bigint(Int64(reject.lineNumber))
    bigint(Int64(reject.byteOffset))
    text(reject.rejection.code.rawValue)
    if let field = reject.rejection.field { text(field) } else { null() }
    text(reject.rejection.reason)
    bytes(followsErasure && !reject.keepsBytes ? [] : reject.raw)
    bigint(Int64(reject.rawByteCount))
    if let user = reject.owner?.user { bytes(user) } else { null() }
    if let app = reject.owner?.app { bytes(app) } else { null() }
  }
}
