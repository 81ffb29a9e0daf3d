/// The part of a failed file that was read before its failure; the lines are in
/// `ingest.failed_reject`.
package struct ReadReport: Codable, Sendable, Equatable {
  /// Bytes of the decoded file.
  package let bytes: Int
  package let lines: Int
  package let rejected: Int
  /// Refused lines by reject code.
  package let rejectCodes: [String: Int]

  enum CodingKeys: String, CodingKey {
    case bytes, lines, rejected
    case rejectCodes = "reject_codes"
  }

  init(_ failureReport: FailureReport) {
    bytes = failureReport.byteCount
    lines = failureReport.lineCount
    rejected = failureReport.rejectedCount
    rejectCodes = failureReport.sample.countsByName
  }
}
