package import RecordPipeline

/// The report of a file that was not read: it matches no stream, or may still be written.
package struct SkippedReport: Codable, Sendable, Equatable {
  package let path: String
  package let reason: String

  package init(_ file: SkippedInput) {
    path = file.path
    reason = file.reason
  }
}
