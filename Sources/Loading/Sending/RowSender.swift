internal import Postgres
internal import RecordPipeline

/// Sends the batches of a file, or of a group of files, to the server, inside their transaction.
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
  /// The files whose rows come, in their order.
  private let sourceFileIDs: [Int64]
  private var isStagingOpen = false

  /// Rows that were added without a merge.
  private(set) var insertedCount = 0
  /// What became of the other rows, by file.
  private(set) var settled: [Int64: SettledCounts] = [:]
  /// Rows of which the server has not been asked yet.
  private var waiting = KeyedRows()
  /// Rows that wait for a merge, by file: a merge is for one file.
  private var toBeMerged: [Int64: MergeRows] = [:]
  private let knownRows: KnownRows
  private let rejects: RejectWriting

  /// What became of rows that were not certainly new.
  struct SettledCounts {
    /// Rows of which the server has said that they are stored as they are.
    var duplicates = 0
    /// What merges came to, which they have entered in the ledger themselves.
    var merged = OutcomeCounts()
  }

  /// When this much waits, it is dealt with: questions and merges have a fixed cost.
  private static let threshold = 2 * 1024 * 1024

  /// - Parameter sourceFileIDs: in the order of the files.
  init(
    connection: Connection, partitions: Partitions, stream: RecordStream, sourceFileIDs: [Int64]
  ) {
    self.connection = connection
    self.partitions = partitions
    self.stream = stream
    self.sourceFileIDs = sourceFileIDs
    let columns = stream.allColumns.map(\.name).joined(separator: ", ")
    copyNewRows = "copy \(stream.targetTable) (\(columns)) from stdin (format binary)"
    copyToStaging = "copy \(stream.stagingTable) (\(columns)) from stdin (format binary)"
    knownRows = KnownRows(connection: connection, stream: stream)
    rejects = RejectWriting(connection: connection, stream: stream.name)
  }

  /// What merges came to, of all files.
  var mergedCounts: OutcomeCounts {
    settled.values.reduce(into: OutcomeCounts()) { $0 += $1.merged }
  }

  /// What all rows became.
  var counts: OutcomeCounts {
    var counts = mergedCounts
    counts.inserted += insertedCount
    counts.duplicates += settled.values.map(\.duplicates).reduce(0, +)
    return counts
  }

  /// The largest stored value of the column by which rows are known to be new; nil: no row.
  func largestStoredKey() throws -> [UInt8]? {
    try connection.query(
      "select max(\(stream.orderColumn.name)) from \(stream.targetTable)", binaryResult: true
    ).bytes(row: 0, column: 0)
  }

  /// - Parameter rejects: of each file, in the order of the files; nil: all are of the only file.
  func send(_ batch: Batch, rejects: [ArraySlice<RejectedLine>]? = nil) throws {
    if stream.isPartitionedByMonth { try partitions.ensure(batch.months, of: stream) }
    try insert(batch.newRows)
    if batch.possiblyKnownRows.rowCount > 0 {
      waiting.append(contentsOf: batch.possiblyKnownRows)
      if waiting.count >= Self.threshold { try judgeWaitingRows() }
    }
    for (file, lines) in zip(sourceFileIDs, rejects ?? [batch.rejects[...]]) {
      try self.rejects.add(lines, of: file)
    }
  }

  /// Sends what still waits.
  func finish() throws {
    try judgeWaitingRows()
    try merge()
    try rejects.flush()
  }

  private func insert(_ rows: borrowing RowBuffer) throws {
    guard rows.rowCount > 0 else { return }
    insertedCount += try connection.copyRows(rows, with: copyNewRows)
    FaultPoint.batchCopied.reached()
  }

  /// Asks what is known of the waiting rows, and deals with them accordingly.
  ///
  /// A verdict stays right whatever is done with the rows before it: stored values never change,
  /// only absent ones are filled. So the rows to be compared may wait while later ones are judged,
  /// as long as those of one key stay in their order.
  private func judgeWaitingRows() throws {
    guard waiting.rowCount > 0, let firstFile = sourceFileIDs.first else { return }
    var new = RowBuffer()
    // Of several new rows with one key, the first is inserted, and the others are compared with it.
    var seen = SeenKeys(
      memory: SeenKeys.memory(forKeys: waiting.rowCount), seed: UInt64.random(in: .min ... .max))
    var hasRepeats = false
    // Neighbours are of one file, as a rule.
    var duplicates = (file: firstFile, count: 0)
    for (row, verdict) in try knownRows.verdicts(for: waiting).enumerated() {
      let file = waiting.sourceFileID(of: row)
      switch verdict {
      case .duplicate:
        if file != duplicates.file {
          settled[duplicates.file, default: SettledCounts()].duplicates += duplicates.count
          duplicates = (file, 0)
        }
        duplicates.count += 1
      case .new where seen.room > 0 && seen.insert(waiting.key(of: row)):
        waiting.copy(row, to: &new)
      case .new:
        hasRepeats = true
        waiting.copy(row, to: &mergeRows(of: file).rows)
      case .toBeCompared: waiting.copy(row, to: &mergeRows(of: file).rows)
      }
    }
    settled[duplicates.file, default: SettledCounts()].duplicates += duplicates.count
    waiting.removeAll()
    try insert(new)
    // Some repeat may be none, and be called one by its hash: then it must be stored before the next
    // row of its key is judged.
    let waitingBytes = toBeMerged.values.reduce(0) { $0 + $1.rows.count }
    if hasRepeats || waitingBytes >= Self.threshold { try merge() }
  }

  /// Rows of one file that wait for a merge.
  private final class MergeRows {
    var rows = RowBuffer(capacity: 4096)
  }

  private func mergeRows(of file: Int64) -> MergeRows {
    if let waiting = toBeMerged[file] { return waiting }
    let waiting = MergeRows()
    toBeMerged[file] = waiting
    return waiting
  }

  private func merge() throws {
    for file in sourceFileIDs {
      if let waiting = toBeMerged[file], waiting.rows.rowCount > 0 {
        try merge(&waiting.rows, of: file)
      }
    }
  }

  private func merge(_ rows: inout RowBuffer, of file: Int64) throws {
    if !isStagingOpen {
      try connection.query("select staging.open($1)", [.text(stream.name)])
      isStagingOpen = true
    }
    try connection.copyRows(rows, with: copyToStaging)
    rows.removeAll()
    let result = try connection.query(
      "select inserted, filled, duplicates, conflicts from staging.merge($1, $2)",
      [.text(stream.name), .integer(Int(file))])
    FaultPoint.merged.reached()
    var merged = OutcomeCounts()
    merged.inserted = result.integer(row: 0, column: 0) ?? 0
    merged.filled = result.integer(row: 0, column: 1) ?? 0
    merged.duplicates = result.integer(row: 0, column: 2) ?? 0
    merged.conflicts = result.integer(row: 0, column: 3) ?? 0
    settled[file, default: SettledCounts()].merged += merged
  }
}

extension Connection {
  /// Copies whole rows with a COPY of its own.
  ///
  /// - Returns: the number of rows, which is what the server says it took.
  @discardableResult
  func copyRows(_ rows: borrowing RowBuffer, with statement: String) throws -> Int {
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
