package import RecordPipeline

/// The report of a file that matches no stream and was skipped.
package struct SkippedReport: Codable, Sendable, Equatable {
  package let path: String
  package let reason: String

  package init(_ file: SkippedInput) {
    path = file.path
    reason = file.reason
  }
}
