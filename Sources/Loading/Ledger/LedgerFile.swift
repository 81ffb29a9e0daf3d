internal import Postgres

/// A file of the ledger, with the facts by which people recognize it.
package struct LedgerFile: Sendable, Equatable {
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

  /// The columns of `ingest.source_file f` that `init` reads, in its order.
  static let columns = """
    f.source_file_id, f.load_id, f.stream, f.path, encode(f.sha256, 'hex'), f.line_count,
    to_char(f.loaded_at, 'YYYY-MM-DD HH24:MI:SS "UTC"'),
    to_char(f.undone_at, 'YYYY-MM-DD HH24:MI:SS "UTC"')
    """

  init?(_ result: QueryResult, row: Int) {
    guard let sourceFileID = result.integer(row: row, column: 0),
      let loadID = result.integer(row: row, column: 1), let stream = result[row, 2],
      let path = result[row, 3], let sha256 = result[row, 4],
      let lineCount = result.integer(row: row, column: 5), let loadedAt = result[row, 6]
    else { return nil }
    self.sourceFileID = sourceFileID
    self.loadID = loadID
    self.stream = stream
    self.path = path
    self.sha256 = sha256
    self.lineCount = lineCount
    self.loadedAt = loadedAt
    undoneAt = result[row, 7]
  }

  static func all(in result: QueryResult) -> [LedgerFile] {
    (0..<result.rowCount).compactMap { LedgerFile(result, row: $0) }
  }
}
