internal import Postgres
internal import RecordPipeline

/// What makes a file that file: loading it a second time changes nothing.
struct FileIdentity: Sendable {
  let stream: String
  let appID: String?
  /// Epoch milliseconds.
  let observedAt: Int64?
  let sha256: [UInt8]
}

/// Counts of what the rows of a file became; together with rejects and blanks they are its lines.
struct OutcomeCounts: Sendable, Equatable {
  var inserted = 0
  var filled = 0
  var duplicates = 0
  var conflicts = 0
  var suppressed = 0

  var total: Int { inserted + filled + duplicates + conflicts + suppressed }

  static func += (left: inout Self, right: Self) {
    left.inserted += right.inserted
    left.filled += right.filled
    left.duplicates += right.duplicates
    left.conflicts += right.conflicts
    left.suppressed += right.suppressed
  }
}

/// The record of what was loaded: `ingest.load` and `ingest.source_file`.
struct Ledger {
  let connection: Connection

  /// Notes the start of a run; belongs into a transaction of its own.
  ///
  /// - Returns: its number, and the server's clock in epoch milliseconds.
  func startLoad(version: String) throws -> (loadID: Int, startedAt: Int64) {
    let result = try connection.query(
      """
      insert into ingest.load (loader_version) values ($1)
      returning load_id, floor(extract(epoch from started_at) * 1000)::bigint
      """, [.text(version)])
    guard let loadID = result.integer(row: 0, column: 0),
      let startedAt = result.integer(row: 0, column: 1)
    else { throw LoadError(.defect, "the ledger gave the run no number", endsRun: true) }
    return (loadID, Int64(startedAt))
  }

  func finishLoad(_ loadID: Int, exitCode: ExitCode) throws {
    try connection.query(
      """
      update ingest.load set finished_at = clock_timestamp(), exit_code = $2 where load_id = $1
      """, [.integer(loadID), .integer(Int(exitCode.rawValue))])
  }

  /// True when a file with this identity has been loaded and not been undone.
  ///
  /// - Parameter loadID: only by this run; nil: by any.
  func contains(_ identity: FileIdentity, loadID: Int? = nil) throws -> Bool {
    let result = try connection.query(
      """
      select exists (
        select from ingest.source_file
        where sha256 = $1 and stream = $2 and app_id is not distinct from $3
          and observed_at is not distinct from \(Self.time("$4")) and undone_at is null
          and ($5::bigint is null or load_id = $5))
      """,
      [
        .bytes(identity.sha256), .text(identity.stream), .optional(identity.appID),
        .optional(identity.observedAt.map { Int($0) }), .optional(loadID),
      ])
    return result[0, 0] == "t"
  }

  /// True when a file of this length, or of one that gzip writes the same way (modulo 2^32), has been
  /// loaded and not been undone.
  func hasFile(ofStream stream: String, byteCount: Int) throws -> Bool {
    let result = try connection.query(
      """
      select exists (select from ingest.source_file
        where (byte_count = $1 or byte_count > 4294967295 and byte_count & 4294967295 = $1)
          and stream = $2 and undone_at is null)
      """, [.integer(byteCount), .text(stream)])
    return result[0, 0] == "t"
  }

  /// What this database's rows are digested under.
  func rowDigestKey() throws -> RowDigest.Key {
    let result = try connection.query(
      "select points from ingest.row_digest_key", binaryResult: true)
    guard let key = result.bytes(row: 0, column: 0).flatMap(RowDigest.Key.init) else {
      throw LoadError(.defect, "ingest.row_digest_key has no key for rows' digests", endsRun: true)
    }
    return key
  }

  /// Opens the entry of a file that is about to be loaded, behind its stream's lock.
  ///
  /// - Returns: its number.
  func open(
    _ identity: FileIdentity, loadID: Int, path: String, rules: NormalizationRules,
    startOfRun: Int64
  ) throws -> Int64 {
    let result = try connection.query(
      """
      select ingest.open_file($1, $2, $3, $4, \(Self.time("$5")), \(Self.time("$6")), $7, $8, $9, $10,
        $11, $12, $13)
      """,
      [
        .integer(loadID), .text(identity.stream), .text(path), .optional(identity.appID),
        .optional(identity.observedAt.map { Int($0) }), .integer(Int(startOfRun)),
        .text(rules.timeUnit.rawValue), .optional(rules.unwrapField),
        .text(rules.storesPurchaseTokens ? "store" : "hash"), .integer(rules.limits.lineBytes),
        .integer(rules.limits.nesting), .integer(rules.limits.identifierBytes),
        .integer(rules.limits.textBytes),
      ])
    guard let number = result.integer(row: 0, column: 0) else {
      throw LoadError(.defect, "the ledger gave the file no number", endsRun: true)
    }
    return Int64(number)
  }

  /// Completes a file's entry; the table itself refuses counts that do not add up.
  ///
  /// - Parameter mergedCounts: what merges have entered already.
  /// - Returns: the transaction's number, by which its fate can be asked for when it is over.
  func close(
    _ sourceFileID: Int64, totals: FileTotals, counts: OutcomeCounts, mergedCounts: OutcomeCounts
  ) throws -> String {
    guard counts.total == totals.rowCount + totals.suppressedCount else {
      throw LoadError(
        .defect,
        "the outcomes of \(totals.rowCount) rows add up to \(counts.total); "
          + "the file was rolled back, please report")
    }
    try connection.query(
      "select ingest.close_file($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      [
        .integer(Int(sourceFileID)), .bytes(totals.sha256), .integer(totals.byteCount),
        .integer(totals.lineCount), .integer(counts.inserted - mergedCounts.inserted),
        .integer(counts.duplicates - mergedCounts.duplicates), .integer(totals.rejectedCount),
        .integer(counts.suppressed), .integer(totals.blankCount),
      ])
    try recordUnknownFields(totals.unknownFields, of: sourceFileID)
    return try connection.query("select pg_current_xact_id()")[0, 0] ?? ""
  }

  private func recordUnknownFields(_ fields: [UnknownField], of sourceFileID: Int64) throws {
    guard !fields.isEmpty else { return }
    let rows = RowBuffer()
    for field in fields {
      rows.beginRow(columnCount: 4)
      rows.bigint(sourceFileID)
      if let name = field.name { rows.text(name) } else { rows.null() }
      rows.bigint(Int64(field.lineCount))
      rows.bigint(Int64(field.firstLine))
      rows.endRow()
    }
    try connection.copyRows(
      rows,
      with: """
        copy ingest.unknown_field (source_file_id, field, line_count, first_line_number) \
        from stdin (format binary)
        """)
  }

  /// SQL for the time of a parameter that holds epoch milliseconds, without floating point.
  private static func time(_ parameter: String) -> String {
    "(timestamptz 'epoch' + \(parameter)::bigint * interval '1 millisecond')"
  }
}

package func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { byte in
    let text = String(byte, radix: 16)
    return byte < 16 ? "0" + text : text
  }.joined()
}
