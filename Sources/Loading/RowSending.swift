internal import Postgres
internal import RecordPipeline

/// Sends a file's batches to the server, inside the file's transaction.
///
/// Rows that are certainly new go straight into the target by binary COPY. Of the others the server
/// is asked which it knows: those that it stores as they are need nothing, those that it does not
/// have follow the new ones, and only what must be compared is staged and merged. All of it happens
/// under the stream's lock, so the answers stay true until the commit.
final class RowSending {
  private let connection: Connection
  private let partitions: Partitions
  private let stream: RecordStream
  private let copyNewRows: String
  private let copyToStaging: String
  private let sourceFileID: Int64
  private var isStagingOpen = false

  private(set) var counts = OutcomeCounts()
  /// Those of `counts` that merges came to, and have entered in the ledger themselves.
  private(set) var mergedCounts = OutcomeCounts()
  /// Rows of which the server has not been asked yet.
  private let waiting = RowBuffer()
  /// Rows that wait for a merge.
  private let toBeMerged = RowBuffer()
  private let knownRows: KnownRows
  private let rejects: RejectWriting

  /// When this much waits, it is dealt with: questions and merges have a fixed cost.
  private static let threshold = 2 * 1024 * 1024

  init(connection: Connection, partitions: Partitions, stream: RecordStream, sourceFileID: Int64) {
    self.connection = connection
    self.partitions = partitions
    self.stream = stream
    self.sourceFileID = sourceFileID
    let columns = stream.allColumns.map(\.name).joined(separator: ", ")
    copyNewRows = "copy \(stream.targetTable) (\(columns)) from stdin (format binary)"
    copyToStaging = "copy \(stream.stagingTable) (\(columns)) from stdin (format binary)"
    knownRows = KnownRows(connection: connection, stream: stream)
    rejects = RejectWriting(
      connection: connection, stream: stream.name, sourceFileID: sourceFileID)
  }

  /// The largest stored value of the column by which rows are known to be new; nil: no row.
  func largestStoredKey() throws -> [UInt8]? {
    try connection.query(
      "select max(\(stream.orderColumn.name)) from \(stream.targetTable)", binaryResult: true
    ).bytes(row: 0, column: 0)
  }

  func send(_ batch: Batch) throws {
    if stream.isPartitionedByMonth { try partitions.ensure(batch.months, of: stream) }
    try insert(batch.newRows)
    if batch.possiblyKnownRows.rowCount > 0 {
      waiting.append(contentsOf: batch.possiblyKnownRows)
      if waiting.count >= Self.threshold { try judgeWaitingRows() }
    }
    try rejects.add(batch.rejects)
  }

  /// Sends what still waits.
  func finish() throws {
    try judgeWaitingRows()
    try merge()
    try rejects.flush()
  }

  private func insert(_ rows: RowBuffer) throws {
    guard rows.rowCount > 0 else { return }
    counts.inserted += try connection.copyRows(rows, with: copyNewRows)
    FaultPoint.batchCopied.reached()
  }

  /// Asks what is known of the waiting rows, and deals with them accordingly.
  ///
  /// A verdict stays right whatever is done with the rows before it: stored values never change,
  /// only absent ones are filled. So the rows to be compared may wait while later ones are judged,
  /// as long as those of one key stay in their order.
  private func judgeWaitingRows() throws {
    guard waiting.rowCount > 0 else { return }
    let rows = KeyedRows(waiting, of: stream)
    let new = RowBuffer()
    // Of several new rows with one key, the first is inserted, and the others are compared with it.
    var seen = SeenKeys(
      memory: SeenKeys.memory(forKeys: rows.count), seed: UInt64.random(in: .min ... .max))
    var hasRepeats = false
    for (row, verdict) in try knownRows.verdicts(for: rows).enumerated() {
      switch verdict {
      case .duplicate: counts.duplicates += 1
      case .new where seen.room > 0 && seen.insert(rows.key(of: row)): rows.copy(row, to: new)
      case .new:
        hasRepeats = true
        rows.copy(row, to: toBeMerged)
      case .toBeCompared: rows.copy(row, to: toBeMerged)
      }
    }
    waiting.removeAll()
    try insert(new)
    // Some repeat may be none, and be called one by its hash: then it must be stored before the next
    // row of its key is judged.
    if hasRepeats || toBeMerged.count >= Self.threshold { try merge() }
  }

  private func merge() throws {
    guard toBeMerged.rowCount > 0 else { return }
    if !isStagingOpen {
      try connection.query("select staging.open($1)", [.text(stream.name)])
      isStagingOpen = true
    }
    try connection.copyRows(toBeMerged, with: copyToStaging)
    toBeMerged.removeAll()
    let result = try connection.query(
      "select inserted, filled, duplicates, conflicts from staging.merge($1, $2)",
      [.text(stream.name), .integer(Int(sourceFileID))])
    FaultPoint.merged.reached()
    var merged = OutcomeCounts()
    merged.inserted = result.integer(row: 0, column: 0) ?? 0
    merged.filled = result.integer(row: 0, column: 1) ?? 0
    merged.duplicates = result.integer(row: 0, column: 2) ?? 0
    merged.conflicts = result.integer(row: 0, column: 3) ?? 0
    counts += merged
    mergedCounts += merged
  }
}

extension Connection {
  /// Copies whole rows with a COPY of its own.
  ///
  /// - Returns: the number of rows, which is what the server says it took.
  @discardableResult
  func copyRows(_ rows: RowBuffer, with statement: String) throws -> Int {
    let copy = try copyIn(statement)
    do {
      try RowBuffer.header.withUnsafeBytes { try copy.write($0) }
      try copy.write(rows.bytes)
      FaultPoint.copyBegun.reached()
      try RowBuffer.trailer.withUnsafeBytes { try copy.write($0) }
    } catch {
      copy.abort(reason: "the loader gave up")
      throw error
    }
    let accepted = try copy.finish()
    guard accepted == rows.rowCount else {
      throw LoadError(
        .defect, "the server took \(accepted) of \(rows.rowCount) rows", endsRun: true)
    }
    return accepted
  }
}
