package import Postgres
package import RecordPipeline

/// How a file was loaded, which is all that is needed to read its lines again.
package struct FileSettings: Sendable {
  package let path: String
  package let rules: NormalizationRules

  /// A loaded file's; nil when there is none of that number, or it has been undone.
  package static func read(
    _ sourceFileID: Int, from connection: Connection
  ) throws -> FileSettings? {
    try Ledger(connection: connection).settings(of: sourceFileID)
  }
}

extension Ledger {
  /// The stream of a loaded file; nil when there is no such file.
  func stream(of sourceFileID: Int) throws -> String? {
    try connection.query(
      "select stream from ingest.source_file where source_file_id = $1 and undone_at is null",
      [.integer(sourceFileID)])[0, 0]
  }

  /// A loaded file's options; nil when it has been undone.
  func settings(of sourceFileID: Int) throws -> FileSettings? {
    let result = try connection.query(
      """
      select path, app_id, \(Self.milliseconds("observed_at")), \(Self.milliseconds("as_of")),
          time_unit, unwrap_field, purchase_token_mode, max_line_bytes, max_nesting,
          max_identifier_bytes, max_text_bytes
        from ingest.source_file where source_file_id = $1 and undone_at is null
      """, [.integer(sourceFileID)])
    guard let path = result[0, 0], let asOf = result.integer(row: 0, column: 3) else { return nil }
    var options = LoadOptions()
    options.appID = result[0, 1]
    options.observedAt = result.integer(row: 0, column: 2).map { Int64($0) }
    options.timeUnit = result[0, 4].flatMap { TimeUnit(rawValue: $0) } ?? .milliseconds
    options.unwrapField = result[0, 5]
    options.storesPurchaseTokens = result[0, 6] == "store"
    options.limits.lineBytes = result.integer(row: 0, column: 7) ?? options.limits.lineBytes
    options.limits.nesting = result.integer(row: 0, column: 8) ?? options.limits.nesting
    options.limits.identifierBytes =
      result.integer(row: 0, column: 9) ?? options.limits.identifierBytes
    options.limits.textBytes = result.integer(row: 0, column: 10) ?? options.limits.textBytes
    return FileSettings(path: path, rules: options.rules(startOfRun: Int64(asOf)))
  }

  /// Counts lines of a file that were refused as what they have become.
  func move(_ count: Int, toOutcomes outcomes: OutcomeCounts, of sourceFileID: Int) throws {
    guard count == outcomes.total else {
      throw LoadError(
        .defect,
        "the outcomes of \(count) replayed lines add up to \(outcomes.total); "
          + "the replay was rolled back, please report")
    }
    try connection.query(
      """
      update ingest.source_file set rejected_count = rejected_count - $2,
          inserted_count = inserted_count + $3, filled_count = filled_count + $4,
          duplicate_count = duplicate_count + $5, conflict_count = conflict_count + $6,
          suppressed_count = suppressed_count + $7
        where source_file_id = $1
      """,
      [
        .integer(sourceFileID), .integer(count), .integer(outcomes.inserted),
        .integer(outcomes.filled), .integer(outcomes.duplicates), .integer(outcomes.conflicts),
        .integer(outcomes.suppressed),
      ])
  }

  /// SQL for a time as epoch milliseconds.
  private static func milliseconds(_ column: String) -> String {
    "floor(extract(epoch from \(column)) * 1000)::bigint"
  }
}
