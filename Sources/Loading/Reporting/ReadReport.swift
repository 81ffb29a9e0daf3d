/// The counts of a failed file up to its failure; only `ingest.failed_file` keeps more.
package struct ReadReport: Codable, Sendable, Equatable {
  /// Of the decoded file.
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
