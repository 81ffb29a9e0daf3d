internal import RecordPipeline

/// The report of a file that failed, for `ingest.failed_file`; none of the file's rows is kept.
struct FailureReport: Sendable {
  let path: String
  let stream: String
  var reason: String
  var sha256: [UInt8]?
  var byteCount = 0
  var lineCount = 0
  var rejectedCount = 0
  /// The first rejects, at most `keptRejects`.
  var rejects: [RejectedLine] = []
  /// A sample of the refused lines, from which the cause is guessed.
  private(set) var sample = RejectSample()

  static let keptRejects = 1000
  /// The bytes kept of a raw line: 1000 lines of 64 KiB, the limit elsewhere, would be 64 MiB a file.
  static let keptRawBytes = 4 * 1024

  /// Records how far the file has been read, and the batch's rejects.
  mutating func note(_ batch: Batch) {
    (lineCount, byteCount) = batch.position
    rejectedCount += batch.rejects.count
    sample.note(batch.rejects)
    rejects += batch.rejects.prefix(max(0, Self.keptRejects - rejects.count)).map {
      $0.cut(to: Self.keptRawBytes)
    }
  }
}
