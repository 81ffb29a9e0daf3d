package import Postgres
package import RecordPipeline

/// One stored reject with the stored part of its line, for `rejects show`.
package struct RejectDetail: Sendable, Decodable {
  package let path: String
  package let lineNumber: Int
  package let stream: String
  /// The offset of the line's first byte in the decoded stream.
  package let byteOffset: Int
  /// The length of the whole line, even when only a part of it is stored.
  package let byteCount: Int
  package let code: String
  package let field: String?
  package let reason: String
  /// The time of the replay that loaded or suppressed the line, as text, UTC; nil: the reject is
  /// open.
  package let resolvedAt: String?
  /// True when a replay has suppressed the line, because its user was erased; its text is gone.
  package var isSuppressed: Bool { resolvedAt != nil && byteCount > 0 && raw?.isEmpty != false }
  /// True when the file failed, so that none of its rows is loaded.
  package let isOfFailedFile: Bool
  /// False when only the beginning of the line is stored.
  package let isWhole: Bool
  /// The stored bytes of the line, with secrets masked; empty for a line that a replay has
  /// suppressed.
  package let raw: [UInt8]?
  /// The number of the line's loaded file; nil for a failed file.
  let sourceFileID: Int?

  /// The rejects of one line, including resolved ones, newest first; those of failed files come
  /// last.
  ///
  /// - Parameter path: the file's path, or the end of it.
  package static func all(
    ofLine lineNumber: Int, path: String, on connection: Connection
  ) throws -> [RejectDetail] {
    var filter = RejectFilter()
    filter.path = path
    filter.lineNumber = lineNumber
    filter.includesResolved = true
    return try connection.rows(
      of: RejectDetail.self,
      """
      select path, line_number, stream, byte_offset, raw_byte_count as byte_count, code, field,
        reason, to_char(resolved_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as resolved_at,
        status = 'failed' as is_of_failed_file, is_whole, raw, source_file_id
      from \(RejectFilter.source) where \(RejectFilter.condition)
      order by reject_id desc nulls last
      """, filter.parameters)
  }

  /// Applies this program's rules to the stored line, field by field.
  ///
  /// The line is read with the options that its file was loaded with. The ledger has no options of
  /// a failed file, so its lines are read with the default options.
  ///
  /// - Parameter startOfRun: epoch milliseconds; used only for lines of failed files.
  /// - Returns: nil when no line is stored, or this program does not know the stream.
  /// - Throws: `LoadError` when the line cannot be read.
  package func explanation(
    on connection: Connection, startOfRun: Int64
  ) throws -> LineExplanation? {
    guard let stream = StreamCatalog.stream(named: stream), let raw else { return nil }
    let settings = try sourceFileID.flatMap { try FileSettings.read($0, from: connection) }
    let rules = settings?.rules ?? NormalizationRules(startOfRun: startOfRun)
    let line = StoredLine(bytes: raw, number: lineNumber, byteOffset: byteOffset)
    do {
      return try line.withLine { try LineExplainer(stream: stream, rules: rules).explain($0) }
    } catch let error as ReadError {
      throw LoadError(.fileFailed, "the line \(error.message)")
    }
  }
}

/// The stored rejects that a filter selects, as tables for `rejects list`.
package struct RejectListing {
  private let filter: RejectFilter
  private let connection: Connection

  private static let selection = "from \(RejectFilter.source) where \(RejectFilter.condition)"

  /// - Parameter connection: inside a transaction, so that both tables show the same rejects.
  package init(_ filter: RejectFilter, on connection: Connection) {
    self.filter = filter
    self.connection = connection
  }

  /// One row per stream, code and field, the most frequent first.
  ///
  /// Columns: `stream`, `code`, `field`, `lines`, `first_example` (`path:line`).
  package func groups() -> Listing {
    Listing(
      """
      select stream, code, field, count(*) as lines,
        (array_agg(path || ':' || line_number order by reject_id, path, line_number))[1]
          as first_example
      \(Self.selection)
      group by stream, code, field order by count(*) desc, stream, code, field
      """, filter.parameters, on: connection)
  }

  /// One row per refused line, oldest reject first; rejects of failed files come last.
  ///
  /// Columns: `line` (`path:line`), `byte_offset`, `code`, `field`, `status`, `reason`.
  package func lines(limit: Int) -> Listing {
    Listing(
      """
      select path || ':' || line_number as line, byte_offset, code, field,
        case when resolved_at is null then status else 'resolved' end as status, reason
      \(Self.selection) order by reject_id, path, line_number limit $9
      """, filter.parameters + [.integer(limit)], on: connection)
  }
}
