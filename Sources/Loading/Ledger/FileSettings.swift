package import Postgres
package import RecordPipeline

/// The settings of a loaded file's load, with which its lines can be read again.
package struct FileSettings: Sendable {
  package let path: String
  package let rules: NormalizationRules

  /// The settings of a loaded file; nil when no file has that number, or the file is undone.
  package static func read(
    _ sourceFileID: Int, from connection: Connection
  ) throws -> FileSettings? {
    try Ledger(connection: connection).settings(of: sourceFileID)
  }
}
