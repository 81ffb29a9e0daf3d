package import Postgres
package import RecordPipeline

/// A file that the ledger knows: one that was loaded, or one that failed and was not loaded since.
package enum KnownFile: Sendable {
  case loaded(LedgerFile)
  case failed(FailedFile)

  package struct FailedFile: Sendable, Decodable {
    package let stream: String
    package let path: String
    /// Hexadecimal; nil: the file was not read to its end.
    package let sha256: String?
    /// As text, UTC.
    package let failedAt: String
    package let reason: String
  }

  package var stream: String {
    switch self {
    case .loaded(let file): file.stream
    case .failed(let file): file.stream
    }
  }

  package var path: String {
    switch self {
    case .loaded(let file): file.path
    case .failed(let file): file.path
    }
  }

  /// Hexadecimal, of the decoded bytes; nil: unknown.
  package var sha256: String? {
    switch self {
    case .loaded(let file): file.sha256
    case .failed(let file): file.sha256
    }
  }
}

/// What the ledger knows of a line of a file.
package struct LineTrace {
  package let file: KnownFile
  package let outcome: Outcome
  /// nil: the line was not refused, or the file was undone.
  package let reject: StoredReject?
  /// The options that the file was loaded with; nil: the file failed, or was undone.
  package let rules: NormalizationRules?

  package enum Outcome {
    /// Nothing of the file is loaded.
    case none
    /// One row for each record of the line, with columns `became`, `row` (a natural key), `column`,
    /// `details`.
    case recorded(QueryResult)
    /// The database has no record of the line. By the file's counts its outcome is one of these.
    case unrecorded([PossibleOutcome])
  }

  /// An outcome that is only counted, and not recorded line by line.
  package struct PossibleOutcome: Sendable, Equatable, Decodable {
    package enum Kind: String, Sendable, Decodable { case duplicate, blank, suppressed, erased }

    package let kind: Kind
    /// The number of lines of the file with that outcome, at least 1.
    package let lineCount: Int
  }

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
}

/// Finds out what became of lines, for `explain`.
package struct LineTracing {
  private let connection: Connection

  /// - Parameter connection: inside a transaction, so that records and counts agree.
  package init(_ connection: Connection) { self.connection = connection }

  /// The file of the ledger that a name selects; nil: none.
  ///
  /// A file with the bytes that the name has on this machine goes before a file that failed, and that
  /// before a loaded file with other bytes.
  ///
  /// - Parameters:
  ///   - name: in any form that `FileChoice.file` accepts.
  ///   - sha256: hexadecimal, of the decoded bytes of a file of this machine with this name; nil: there
  ///     is none.
  /// - Throws: `LoadError` with exit code 64 when the name selects several files.
  package func file(called name: String, sha256: String?) throws -> KnownFile? {
    let named = try FileChoice.file(name).files(connection)
    if let sha256 {
      let same = named.filter { $0.sha256 == sha256 }
      let known = same.isEmpty ? try FileChoice.file(sha256).files(connection) : same
      if let file = try FileChoice.only(of: known) { return .loaded(file) }
    }
    if let file = try failedFile(called: name, sha256: sha256) { return .failed(file) }
    return try FileChoice.only(of: named).map { .loaded($0) }
  }

  /// The error of a name that selects no file.
  package func notFound(_ name: String) throws -> LoadError {
    try FileChoice.file(name).notFound(connection)
  }

  private func failedFile(called name: String, sha256: String?) throws -> KnownFile.FailedFile? {
    try connection.row(
      of: KnownFile.FailedFile.self,
      """
      select f.stream, f.path, encode(f.sha256, 'hex') as sha256,
          to_char(f.failed_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as failed_at, f.reason
        from ingest.failed_file f
        where f.stream is not null
          and ($1::text in (f.path, f.canonical_path) or encode(f.sha256, 'hex') = $2::text
            or '/' || $1::text in (right(f.path, length($1::text) + 1),
              right(f.canonical_path, length($1::text) + 1)))
          and exists (
            select from ingest.failure_state s
              where s.failed_file_id = f.failed_file_id and s.dismissed_at is null)
        order by $1::text in (f.path, f.canonical_path) desc, f.failed_at desc, f.failed_file_id desc
        limit 1
      """, [.text(name), .optional(sha256)])
  }

  /// - Parameter lineNumber: from 1.
  /// - Throws: `LoadError` with exit code 64 when a loaded file has no such line.
  package func trace(line lineNumber: Int, of file: KnownFile) throws -> LineTrace {
    switch file {
    case .failed(let failed):
      return try trace(
        line: lineNumber, of: file, refused: "status = 'failed' and stream = $2 and path = $3",
        [.text(failed.stream), .text(failed.path)])
    case .loaded(let loaded):
      guard lineNumber <= loaded.lineCount else {
        throw LoadError(
          .usage, "\(loaded.path) has \(loaded.lineCount) lines, and no line \(lineNumber)")
      }
      guard loaded.undoneAt == nil else {
        return LineTrace(file: file, outcome: .none, reject: nil, rules: nil)
      }
      return try trace(
        line: lineNumber, of: file, refused: "source_file_id = $2",
        [.integer(loaded.sourceFileID)], loaded)
    }
  }

  /// - Parameter refused: the condition of the line's refusal.
  private func trace(
    line: Int, of file: KnownFile, refused: String, _ parameters: [Parameter],
    _ loaded: LedgerFile? = nil
  ) throws -> LineTrace {
    let refusal = "from \(RejectFilter.source) where line_number = $1 and \(refused)"
    let reject = try connection.row(
      of: LineTrace.StoredReject.self,
      """
      select byte_offset, raw_byte_count as byte_count, is_whole, resolved_at is null as is_open, raw
        \(refusal) limit 1
      """, [.integer(line)] + parameters)
    var records =
      """
      select case when resolved_at is null then 'rejected'
            else 'rejected, then '
              || case when raw = '' and user_id is null then 'suppressed' else 'loaded' end
              || ' by a replay at ' || to_char(resolved_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') end as became,
          null as row, field as column, code || ': ' || reason as details
        \(refusal)
      """
    guard let loaded else {
      let found = try connection.query(records, [.integer(line)] + parameters)
      return LineTrace(
        file: file, outcome: found.rowCount > 0 ? .recorded(found) : .none, reject: reject,
        rules: nil)
    }
    records = Self.changes + " union all " + records
    let found = try connection.query(
      records, [.integer(line)] + parameters + [.text(loaded.stream)])
    return LineTrace(
      file: file,
      outcome: found.rowCount > 0
        ? .recorded(found) : .unrecorded(try possibleOutcomes(of: loaded)),
      reject: reject,
      rules: try FileSettings.read(loaded.sourceFileID, from: connection)?.rules)
  }

  /// The rows, fills and conflicts of line `$1` of file `$2`, whose stream is `$3`.
  private static let changes = """
    select 'inserted' as became, k as row, null::text as column, null::text as details
      from ingest.find_line($3, $2, $1) k
    union all
    select 'inserted', k, null, s.embedded_stream
      from ingest.stream s cross join lateral ingest.find_line(s.embedded_stream, $2, $1) k
      where s.stream = $3 and s.embedded_stream is not null
    union all
    select 'filled', natural_key, string_agg(field, ', ' order by fill_id), null
      from ingest.fill where source_file_id = $2 and line_number = $1 group by natural_key
    union all
    select 'conflict', natural_key, field, 'kept ' || kept || ', refused ' || refused
        || coalesce(', accepted by acceptance ' || acceptance_id, '')
      from ingest.conflict where source_file_id = $2 and line_number = $1
    """

  private func possibleOutcomes(of file: LedgerFile) throws -> [LineTrace.PossibleOutcome] {
    try connection.rows(
      of: LineTrace.PossibleOutcome.self,
      """
      select k.kind, k.line_count
        from ingest.source_file f cross join lateral (values
          (1, 'duplicate', f.duplicate_count), (2, 'blank', f.blank_count),
          (3, 'suppressed', f.suppressed_count),
          (4, 'erased', (select sum(e.line_count) from ingest.erased_line e
            where e.source_file_id = f.source_file_id))) k (place, kind, line_count)
        where f.source_file_id = $1 and k.line_count > 0 order by k.place
      """, [.integer(file.sourceFileID)])
  }
}
