internal import Postgres
internal import RecordPipeline

/// Sends the batches of a file, or of a group of files, to the server, inside their transaction.
///
/// Rows that are certainly new go into the target table by binary COPY. The server looks the other
/// rows up by key and digest. A row that is stored with the same digest is a duplicate. A row that
/// is not stored is copied into the target table as well. Only the rest is staged and merged. All
/// of this happens under the stream's lock, so the answers stay valid until the commit.
///
/// Rows of a distributed table reach it only through functions of its owner: all are staged, and the
/// server moves the certainly new ones and merges the others.
final class RowSender {
  private let session: Session
  private var connection: Connection { session.connection }
  /// That of the lines; its source file is the first one.
  let pipeline: Pipeline
  /// That of the lines, or of the records within them.
  private let stream: RecordStream
  private let copyNewRows: String
  private let copyToStaging: String
  /// The files whose rows are sent, in their order.
  let sourceFileIDs: [Int64]
  private var isStagingOpen = false
  /// True when the stream's table takes no COPY of the loader.
  private(set) var isStaged = false

  /// The number of rows that were inserted without a merge.
  private var insertedCount = 0
  /// The outcomes that merges found, by the number of the file.
  private var merged: [Int64: OutcomeCounts] = [:]
  /// The number of rows of a file that repeat those of another one or of itself, apart from those that merges
  /// count.
  private var repeats: [Repeat: Int] = [:]
  /// Rows that the server has not looked up yet.
  private var pending = RowBuffer()
  /// Rows that wait for a merge.
  private var toBeMerged = RowBuffer()
  private let knownRows: KnownRows
  /// Refused lines for the next COPY to `ingest.reject`.
  private var rejectRows = RowBuffer()
  /// The applications of the rows that no merge has seen, because a merge counts those that it accepts.
  ///
  /// It is nil for records within lines: their lines count for the file's applications.
  private var apps: AppsOfRows?
  /// Sends the rows of records within the lines; nil when the stream embeds no other one.
  let embedded: RowSender?

  private struct Repeat: Hashable {
    let file: Int64
    let met: Int64
  }

  /// The bytes of rows that are collected for one lookup or merge, because each has a fixed cost.
  private static let threshold = 2 * 1024 * 1024
  private static let rejectThreshold = 1024 * 1024
  private static let copyRejects = """
    copy ingest.reject (source_file_id, stream, line_number, byte_offset, code, field, reason, \
    raw, raw_byte_count, user_id, app_id) from stdin (format binary)
    """

  /// - Parameters:
  ///   - pipeline: that of the batches.
  ///   - sourceFileIDs: in the order of the files.
  ///   - part: the stream of records within the lines of the files, for their sender.
  init(
    _ pipeline: Pipeline, sourceFileIDs: [Int64], session: Session, part: RecordStream? = nil
  ) {
    let stream = part ?? pipeline.stream
    (self.session, self.pipeline) = (session, pipeline)
    (self.stream, self.sourceFileIDs) = (stream, sourceFileIDs)
    apps = part == nil ? AppsOfRows(of: stream, startOfRun: pipeline.rules.startOfRun) : nil
    let columns = stream.allColumns.map(\.name).joined(separator: ", ")
    copyNewRows = "copy \(stream.targetTable) (\(columns)) from stdin (format binary)"
    copyToStaging = "copy \(stream.stagingTable) (\(columns)) from stdin (format binary)"
    knownRows = KnownRows(connection: session.connection, stream: stream)
    embedded = stream.embedded.map {
      RowSender(pipeline, sourceFileIDs: sourceFileIDs, session: session, part: $0)
    }
  }

  /// Begins to add rows.
  ///
  /// - Returns: the largest stored order key, in PostgreSQL's binary format; nil: the table is empty.
  private func begin() throws -> [UInt8]? {
    let start = try connection.query(
      "select is_staged, largest_key from staging.begin_rows($1)", [.text(stream.name)],
      binaryResult: true)
    isStaged = try start.bytes(row: 0, of: "is_staged") == [1]
    return try start.bytes(row: 0, of: "largest_key")
  }

  /// The state of the tables from which the router starts.
  func routingStart(memory: Int) throws -> RoutingStart {
    RoutingStart(
      largestKnownKey: try begin(), largestKnownEmbeddedKey: try embedded?.begin(), memory: memory,
      seed: UInt64.random(in: .min ... .max))
  }

  /// The outcomes of each file's rows, in the order of the files, after `finish`.
  ///
  /// The server does not report inserted rows by file, so the rows that were found neither stored nor by
  /// a merge count as inserted.
  ///
  /// - Parameter rowCounts: the rows of each file.
  /// - Throws: `LoadError` when the server has inserted another number of rows.
  func outcomes(of rowCounts: [Int]) throws(LoadError) -> [RowOutcomes] {
    let outcomes = zip(sourceFileIDs, rowCounts).map { file, rowCount in
      var outcomes = RowOutcomes()
      outcomes.merged = merged[file] ?? OutcomeCounts()
      outcomes.duplicates = repeats.filter { $0.key.file == file }.values.reduce(0, +)
      outcomes.inserted = rowCount - outcomes.duplicates - outcomes.merged.total
      return outcomes
    }
    let expected = outcomes.map(\.inserted).reduce(0, +)
    guard insertedCount == expected else {
      throw LoadError(
        .defect,
        "the server inserted \(insertedCount) rows in place of \(expected); the file was rolled back, "
          + "please report")
    }
    return outcomes
  }

  func send(_ batch: Batch) throws {
    if stream.isPartitionedByMonth { try session.ensureMonths(batch.months, of: stream) }
    try insert(batch.newRows)
    if let rows = batch.embedded { try embedded?.send(rows) }
    if batch.possiblyKnownRows.rowCount > 0 {
      pending.append(contentsOf: batch.possiblyKnownRows)
      if pending.count >= Self.threshold { try lookUpPendingRows() }
    }
    for reject in batch.rejects {
      rejectRows.beginRow(columnCount: 11)
      rejectRows.bigint(reject.sourceFileID)
      rejectRows.text(stream.name)
      rejectRows.encode(reject, followsErasure: pipeline.erasedUsers != nil)
      rejectRows.endRow()
    }
    if rejectRows.count >= Self.rejectThreshold { try sendRejects() }
  }

  private func sendRejects() throws {
    guard rejectRows.rowCount > 0 else { return }
    try connection.copyRows(rejectRows, with: Self.copyRejects)
    rejectRows.removeAll()
  }

  /// Sends all pending rows and rejects.
  func finish() throws {
    try lookUpPendingRows()
    try merge()
    if !repeats.isEmpty {
      // By the met files an undo finds the files that depend on them.
      try connection.query(
        """
        select ingest.record_met_files($1, file, array_agg(met))
          from unnest($2::bigint[], $3::bigint[]) m (file, met) group by file
        """,
        [
          .text(stream.name), .integers(repeats.keys.map { Int($0.file) }),
          .integers(repeats.keys.map { Int($0.met) }),
        ])
    }
    try apps?.record(on: connection)
    try embedded?.finish()
    try sendRejects()
  }

  private func insert(_ rows: borrowing RowBuffer) throws {
    guard rows.rowCount > 0 else { return }
    try apps?.add(rows.bytes, on: connection)
    if isStaged {
      try stage(rows)
      insertedCount += try connection.onlyRow(
        of: Int.self, "select staging.insert_rows($1)", [.text(stream.name)])
    } else {
      insertedCount += try connection.copyRows(rows, with: copyNewRows)
    }
    FaultPoint.batchCopied.reached()
  }

  /// Looks the pending rows up, inserts the new ones and collects the others for a merge.
  ///
  /// A merge only fills absent values and never changes a stored one, so the answer for a row stays
  /// valid after earlier rows are merged. Rows to be compared can therefore wait, as long as the
  /// rows of one key keep their order.
  private func lookUpPendingRows() throws {
    guard pending.rowCount > 0 else { return }
    // A merge looks all of them up at once, on all servers.
    guard !isStaged else {
      toBeMerged.append(contentsOf: pending)
      pending.removeAll()
      return try merge()
    }
    var new = RowBuffer()
    // Of several new rows with one key, the first is inserted and the others are merged with it.
    var seen = SeenKeys(
      memory: SeenKeys.memory(forKeys: pending.rowCount), seed: UInt64.random(in: .min ... .max))
    var hasRepeats = false
    // Adjacent rows mostly belong to one file, and repeat rows of one file, so they are counted together.
    var adjacent = (of: Repeat(file: 0, met: 0), count: 0)
    func count() {
      if adjacent.count > 0 { repeats[adjacent.of, default: 0] += adjacent.count }
    }
    for (row, status) in zip(pending.rows, try knownRows.statuses(of: pending)) {
      switch status {
      case .duplicate(let other):
        let one = Repeat(file: row.sourceFileID, met: other)
        if one != adjacent.of {
          count()
          adjacent = (one, 0)
        }
        adjacent.count += 1
        try apps?.add(row.bytes, on: connection)
      case .new where seen.room > 0 && seen.insert(row.key(of: stream)):
        new.append(row)
      case .new:
        hasRepeats = true
        toBeMerged.append(row)
      case .toBeCompared: toBeMerged.append(row)
      }
    }
    count()
    pending.removeAll()
    try insert(new)
    // `seen` compares hashes, so a collision can make a new key look like a repeat. Such a row must
    // be stored before the next row of its key is looked up, so repeats are merged at once.
    if hasRepeats || toBeMerged.count >= Self.threshold { try merge() }
  }

  private func merge() throws {
    let files = Dictionary(grouping: toBeMerged.rows, by: \.sourceFileID)
    for file in sourceFileIDs {
      guard let rows = files[file] else { continue }
      // A merge handles one file.
      var ofFile = RowBuffer()
      for row in rows { ofFile.append(row) }
      try stage(ofFile)
      merged[file, default: OutcomeCounts()] += try connection.onlyRow(
        of: OutcomeCounts.self,
        "select inserted, filled, duplicates, conflicts from staging.merge($1, $2)",
        [.text(stream.name), .integer(Int(file))])
      FaultPoint.merged.reached()
    }
    toBeMerged.removeAll()
  }

  private func stage(_ rows: borrowing RowBuffer) throws {
    if !isStagingOpen {
      try connection.query("select staging.open($1)", [.text(stream.name)])
      isStagingOpen = true
    }
    try connection.copyRows(rows, with: copyToStaging)
  }
}
