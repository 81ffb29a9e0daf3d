package import Postgres
package import RecordPipeline

/// The options that a file was loaded with, so that its lines can be read again with the same
/// meaning.
package struct FileSettings: Sendable {
  package let path: String
  package let rules: NormalizationRules

  /// Reads the options of a loaded file; nil when no file has that number, or the file is undone.
  package static func read(
    _ sourceFileID: Int, from connection: Connection
  ) throws -> FileSettings? {
    try Ledger(connection: connection).settings(of: sourceFileID)
  }
}
