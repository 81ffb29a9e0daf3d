/// A file of the ledger, with the facts by which people recognize it.
package struct LedgerFile: Sendable, Equatable, Decodable {
  package let sourceFileID: Int
  package let loadID: Int
  package let stream: String
  package let path: String
  /// Hexadecimal.
  package let sha256: String
  package let lineCount: Int
  /// As text, UTC.
  package let loadedAt: String
  /// As text, UTC; nil: the file is not undone.
  package let undoneAt: String?

  /// The columns of `ingest.source_file f` for the properties.
  static let columns = """
    f.source_file_id, f.load_id, f.stream, f.path, encode(f.sha256, 'hex') as sha256, f.line_count,
    to_char(f.loaded_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as loaded_at,
    to_char(f.undone_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as undone_at
    """
}
