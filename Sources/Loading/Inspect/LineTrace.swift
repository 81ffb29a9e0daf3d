package import Postgres
package import RecordPipeline

/// The records that the ledger has of a line of a file, for `explain`.
package struct LineTrace {
  package let path: String
  package let stream: String
  /// Hexadecimal, of the decoded bytes of the file; nil: it failed before its end was read.
  package let sha256: String?
  /// The outcome of the file, in one sentence.
  package let fileOutcome: String
  /// The rows of `ingest.trace_line`; nil: nothing of the file is left.
  package let outcome: QueryResult?
  /// nil: the line was not refused, or the file was undone.
  package let reject: StoredReject?
  /// The options that the file was loaded with; nil: the file failed, or was undone.
  package let rules: NormalizationRules?

  /// The stored part of a refused line.
  package struct StoredReject: Sendable, Decodable {
    /// The offset of the line's first byte in the decoded stream.
    package let byteOffset: Int
    /// The length of the whole line, even when only a part of it is stored.
    package let byteCount: Int
    /// False when only the beginning of the line is stored, or nothing.
    package let isWhole: Bool
    /// False after a replay that loaded or suppressed the line.
    package let isOpen: Bool
    /// The stored bytes of the line, with secrets masked.
    package let raw: [UInt8]
  }

  /// Finds the file that a name selects, and the line in it; nil: there is no such file.
  ///
  /// A file with the bytes that the name has on this machine goes before a file that failed, and that
  /// before a loaded file with other bytes.
  ///
  /// - Parameters:
  ///   - line: its number, from 1.
  ///   - name: in any form that `FileChoice.file` accepts.
  ///   - sha256: hexadecimal, of the decoded bytes of a file of this machine with this name; nil: there
  ///     is none.
  ///   - connection: inside a transaction, so that records and counts agree.
  /// - Throws: `LoadError` with exit code 64 when the name selects several files, or a loaded file has
  ///   no such line.
  package init?(
    line: Int, ofFileCalled name: String, sha256: String?, on connection: Connection
  ) throws {
    let named = try FileChoice.file(name).files(connection)
    var loaded = named.filter { $0.sha256 == sha256 }
    if let sha256, loaded.isEmpty { loaded = try FileChoice.file(sha256).files(connection) }
    let failed =
      try loaded.isEmpty ? Self.failedFile(called: name, sha256: sha256, on: connection) : nil
    let file = try failed == nil ? FileChoice.only(of: loaded.isEmpty ? named : loaded) : nil
    if let failed {
      (path, stream, self.sha256) = (failed.path, failed.stream, failed.sha256)
      fileOutcome = failed.outcome
    } else if let file {
      guard line <= file.lineCount else {
        throw LoadError(.usage, "\(file.path) has \(file.lineCount) lines, and no line \(line)")
      }
      (path, stream, self.sha256) = (file.path, file.stream, file.sha256)
      fileOutcome =
        "file \(file.sourceFileID) of load \(file.loadID), \(file.loadedAt)"
        + (file.undoneAt.map { "; undone at \($0): nothing of it is left" } ?? "")
    } else {
      return nil
    }
    let number = file.flatMap { $0.undoneAt == nil ? $0.sourceFileID : nil }
    rules = try number.flatMap { try Ledger(connection: connection).settings(of: $0)?.rules }
    let place: [Parameter] = [
      .optional(number), .optional(failed?.failedFileID), .integer(line),
    ]
    let found = try connection.query("select * from ingest.trace_line($1, $2, $3)", place)
    outcome = found.rowCount > 0 ? found : nil
    reject = try connection.row(
      of: StoredReject.self,
      """
      select byte_offset, raw_byte_count as byte_count, is_whole, resolved_at is null as is_open, raw
        from \(EntryFilter.source)
        where (source_file_id = $1 or failed_file_id = $2) and line_number = $3 limit 1
      """, place)
  }

  private struct FailedFile: Decodable {
    let failedFileID: Int
    let stream: String
    let path: String
    let sha256: String?
    let outcome: String
  }

  /// A file that failed and was not loaded since.
  private static func failedFile(
    called name: String, sha256: String?, on connection: Connection
  ) throws -> FailedFile? {
    try connection.row(
      of: FailedFile.self,
      """
      select f.failed_file_id, f.stream, f.path, encode(f.sha256, 'hex') as sha256,
          to_char(f.failed_at, '"the file failed at "YYYY-MM-DD HH24:MI:SS" UTC, and nothing of it is loaded: "')
            || f.reason as outcome
        from ingest.failed_file f join ingest.failure_state s using (failed_file_id)
        where f.stream is not null and s.dismissed_at is null
          and ($1::text in (f.path, f.canonical_path) or encode(f.sha256, 'hex') = $2::text
            or '/' || $1::text in (right(f.path, length($1::text) + 1),
              right(f.canonical_path, length($1::text) + 1)))
        order by $1::text in (f.path, f.canonical_path) desc, f.failed_at desc, f.failed_file_id desc
        limit 1
      """, [.text(name), .optional(sha256)])
  }

  /// The error of a name that selects no file.
  package static func notFound(_ name: String, on connection: Connection) throws -> LoadError {
    try FileChoice.file(name).notFound(connection)
  }
}
