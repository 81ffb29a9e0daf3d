internal import Postgres
internal import RecordPipeline

extension Ledger {
  /// The stream of a loaded file; nil when there is no such file, or it is undone.
  func stream(of sourceFileID: Int) throws -> String? {
    try connection.query(
      "select stream from ingest.source_file where source_file_id = $1 and undone_at is null",
      [.integer(sourceFileID)])[0, 0]
  }

  /// The options that a file was loaded with; nil when there is no such file, or it is undone.
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

  /// Allows this transaction to add rows to a loaded file; the caller holds the stream's lock.
  func reopen(_ sourceFileID: Int) throws {
    try connection.query("select ingest.reopen_file($1)", [.integer(sourceFileID)])
  }

  /// Marks refused lines of a reopened file as resolved, and empties the stored lines of erased
  /// users.
  ///
  /// A database function does this, because the loader role cannot update `ingest.reject`.
  func resolve(_ rejects: [Int], suppressed: [Int], of sourceFileID: Int) throws {
    guard !(rejects.isEmpty && suppressed.isEmpty) else { return }
    try connection.query(
      "select ingest.resolve_rejects($1, $2::bigint[], $3::bigint[])",
      [.integer(sourceFileID), .integers(rejects), .integers(suppressed)])
  }

  /// Adds the outcomes of replayed lines to the counts of a reopened file, except those that merges
  /// have already added.
  func countReplayed(
    of sourceFileID: Int, resolved: Int, counts: OutcomeCounts, mergedCounts: OutcomeCounts
  ) throws {
    guard resolved == counts.total else {
      throw LoadError(
        .defect,
        "the outcomes of \(resolved) replayed lines add up to \(counts.total); "
          + "the replay was rolled back, please report")
    }
    try connection.query(
      "select ingest.count_replayed($1, $2, $3)",
      [
        .integer(sourceFileID), .integer(counts.inserted - mergedCounts.inserted),
        .integer(counts.duplicates - mergedCounts.duplicates),
      ])
  }

  /// The SQL expression that turns a time column into epoch milliseconds.
  private static func milliseconds(_ column: String) -> String {
    "floor(extract(epoch from \(column)) * 1000)::bigint"
  }
}
