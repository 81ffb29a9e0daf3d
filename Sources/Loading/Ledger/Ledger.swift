internal import Postgres
internal import RecordPipeline

/// The record of loaded files: `ingest.load` and `ingest.source_file`.
struct Ledger {
  let connection: Connection

  /// A run that the ledger knows.
  struct Run: Decodable {
    let loadID: Int
    /// Epoch milliseconds, by the server's clock.
    let startedAt: Int64
  }

  /// Records the start of a run; needs a transaction of its own.
  func startLoad(_ options: LoadOptions) throws -> Run {
    try connection.onlyRow(
      of: Run.self,
      """
      insert into ingest.load (loader_version, target, first_day, last_day)
        values ($1, $2, $3::date, $4::date)
      returning load_id, floor(extract(epoch from started_at) * 1000)::bigint as started_at
      """,
      [
        .text(options.loaderVersion), .text(options.night.target),
        .text(options.night.days.first), .text(options.night.days.last),
      ])
  }

  /// Records the end of a run; needs a transaction of its own.
  func finishLoad(_ loadID: Int, exitCode: ExitCode) throws {
    try connection.query(
      """
      update ingest.load set finished_at = clock_timestamp(), exit_code = $2 where load_id = $1
      """, [.integer(loadID), .integer(Int(exitCode.rawValue))])
  }

  /// True when the stream has a loaded file of this decoded length.
  ///
  /// gzip states a length modulo 2^32, so a longer stored length also matches by its remainder.
  ///
  /// - Parameter includesUndone: true to count undone files, too.
  func hasFile(ofStream stream: String, byteCount: Int, includesUndone: Bool) throws -> Bool {
    let isFound = """
      exists (select from ingest.source_file
        where (byte_count = $1 or byte_count > 4294967295 and byte_count & 4294967295 = $1)
          and stream = $2 and undone_at
      """
    return try connection.onlyRow(
      of: Bool.self, "select \(isFound) is null) or $3 and \(isFound) is not null)",
      [.integer(byteCount), .text(stream), .boolean(includesUndone)])
  }

  /// The value of a setting, which `ingest.setting_kind` describes; nil: not set.
  private func setting(_ name: String) throws -> String? {
    try connection.row(
      of: String.self, "select value from ingest.setting where name = $1", [.text(name)])
  }

  /// The application of lines that name none; nil: not set.
  ///
  /// - Throws: `LoadError` when the value is none that can be set, for example one that an older
  ///   version accepted.
  func appIDSetting() throws -> String? {
    guard let app = try setting("app-id") else { return nil }
    if let problem = ApplicationName.problem(with: app) {
      throw LoadError(
        .configuration,
        "the setting app-id cannot be used: \(problem); correct it with gamebase-ingest settings set "
          + "app-id, or give --app-id")
    }
    return app
  }

  /// Sets the rules of this database: the applications that lines may belong to, and the key of row digests.
  func complete(_ rules: inout NormalizationRules) throws {
    rules.allowedApps = try setting("apps").map {
      Set(ApplicationName.list($0).map { Array($0.utf8) })
    }
    let points = try connection.row(
      of: [UInt8].self, "select points from ingest.row_digest_key")
    guard let key = points.flatMap(RowDigest.Key.init) else {
      throw LoadError(.defect, "ingest.row_digest_key holds no key")
    }
    rules.rowDigestKey = key
  }

  /// Writes the open ledger entries of files that are about to be loaded; the caller holds the
  /// stream's lock.
  ///
  /// - Returns: the files' numbers, which increase in the order of the files.
  func open(
    _ paths: [String], stream: String, loadID: Int, options: LoadOptions,
    rules: NormalizationRules
  ) throws -> [Int64] {
    let numbers = try connection.rows(
      of: Int64.self,
      """
      select ingest.open_files($1, $2, $3::text[], $4, \(Self.time("$5")), \(Self.time("$6")), $7, $8,
        $9, $10, $11, $12, $13)
      """,
      [
        .integer(loadID), .text(stream), .texts(paths), .text(options.appID),
        .integer(options.observedAt), .integer(Int(rules.startOfRun)),
        .text(rules.timeUnit.rawValue), .text(rules.unwrapField),
        .text(rules.storesPurchaseTokens ? "store" : "hash"), .integer(rules.limits.lineBytes),
        .integer(rules.limits.nesting), .integer(rules.limits.identifierBytes),
        .integer(rules.limits.textBytes),
      ])
    guard numbers.count == paths.count, numbers == numbers.sorted() else {
      throw LoadError(.defect, "the ledger did not number the files in their order")
    }
    return numbers
  }

  /// The result of a file's load, which completes its ledger entry.
  struct FileResult {
    let sourceFileID: Int64
    let input: Input
    let canonicalPath: String
    let totals: FileTotals
    let rejects: RejectSample
    var rows = RowOutcomes()
    /// The outcomes of the records within its lines; nil when the stream embeds no other one.
    var embedded: RowOutcomes?
  }

  /// Completes the ledger entries of files, deletes their failure reports, and compares their fields.
  ///
  /// - Returns: as `compareFields`.
  func close(
    _ files: [FileResult], stream: RecordStream, options: LoadOptions
  ) throws -> [FoundField] {
    func integers(_ count: (FileResult) -> Int) -> Parameter { .integers(files.map(count)) }
    try connection.query(
      """
      select ingest.close_files($1::bigint[], $2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[],
        $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::text[], $11::date[], $12)
      """,
      [
        integers { Int($0.sourceFileID) }, .byteStrings(files.map(\.totals.sha256)),
        integers { $0.totals.byteCount }, integers { $0.totals.lineCount },
        integers(\.rows.inserted), integers(\.rows.duplicates),
        integers { $0.totals.rejectedCount }, integers { $0.totals.suppressedCount },
        integers { $0.totals.blankCount }, .texts(files.map(\.canonicalPath)),
        .texts(files.map(\.input.askedOn)),
        // Files without a record belong to this application.
        .text(options.expectedApp),
      ])
    try clearFailures(
      of: files.map { (stream.name, $0.input.path, $0.canonicalPath, $0.totals.sha256) })
    if let embedded = stream.embeddedStreamName {
      try count(files.map { ($0.sourceFileID, $0.embedded ?? RowOutcomes()) }, in: embedded)
    }
    try recordFields(of: files)
    return try compareFields(of: files, stream: stream.name, policy: options.unknownFields)
  }

  /// The least rows of a file whose fields are compared with those of other files.
  static let comparedRows = 100

  /// Records the unknown fields of files, and the declared ones of files that later ones are compared with.
  private func recordFields(of files: [FileResult]) throws {
    let unknown = files.flatMap { file in
      file.totals.unknownFields.map { (file: Int(file.sourceFileID), field: $0) }
    }
    let known = files.filter { $0.totals.rowCount >= Self.comparedRows }.flatMap { file in
      file.totals.knownFields.map { (file: Int(file.sourceFileID), field: $0) }
    }
    if unknown.isEmpty, known.isEmpty { return }
    try connection.query(
      """
      with unknown as (
        insert into ingest.unknown_field (source_file_id, field, line_count, first_line_number)
          select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[])
      )
      insert into ingest.known_field (source_file_id, field, line_count)
        select * from unnest($5::bigint[], $6::text[], $7::bigint[])
      """,
      [
        .integers(unknown.map(\.file)), .texts(unknown.map(\.field.name)),
        .integers(unknown.map(\.field.lineCount)), .integers(unknown.map(\.field.firstLine)),
        .integers(known.map(\.file)), .texts(known.map(\.field.name)),
        .integers(known.map(\.field.lineCount)),
      ])
  }

  /// The SQL expression of a parameter in epoch milliseconds as a `timestamptz`, computed exactly.
  static func time(_ parameter: String) -> String {
    "(timestamptz 'epoch' + \(parameter)::bigint * interval '1 millisecond')"
  }

  /// Adds the outcomes of rows to the counts of open files, except those that merges have already added.
  ///
  /// - Parameter stream: that of the files, for replayed lines, or the one whose records lie within their lines.
  func count(
    _ files: [(sourceFileID: Int64, rows: RowOutcomes)], in stream: String
  ) throws {
    let files = files.filter { $0.rows.inserted + $0.rows.duplicates > 0 }
    if files.isEmpty { return }
    try connection.query(
      """
      select ingest.count_rows($1, number, inserted, duplicates)
        from unnest($2::bigint[], $3::bigint[], $4::bigint[]) c (number, inserted, duplicates)
      """,
      [
        .text(stream), .integers(files.map { Int($0.sourceFileID) }),
        .integers(files.map(\.rows.inserted)), .integers(files.map(\.rows.duplicates)),
      ])
  }
}

/// The accepted lines of a file by outcome.
package struct OutcomeCounts: Codable, Sendable, Equatable {
  package var inserted = 0
  package var filled = 0
  package var duplicates = 0
  package var conflicts = 0

  package init() {}

  var total: Int { inserted + filled + duplicates + conflicts }

  package static func += (left: inout Self, right: Self) {
    left.inserted += right.inserted
    left.filled += right.filled
    left.duplicates += right.duplicates
    left.conflicts += right.conflicts
  }
}

/// The outcomes of a file's rows, or of the records within its lines.
struct RowOutcomes {
  /// The outcomes that merges found, and have already written to the ledger.
  var merged = OutcomeCounts()
  /// New rows that went through no merge.
  var inserted = 0
  /// Rows that are stored with the same digest.
  var duplicates = 0

  var counts: OutcomeCounts {
    var counts = merged
    counts.inserted += inserted
    counts.duplicates += duplicates
    return counts
  }
}
