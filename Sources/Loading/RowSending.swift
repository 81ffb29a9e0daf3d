internal import Postgres
internal import RecordPipeline

/// Sends a file's batches to the server, inside the file's transaction.
///
/// Rows that are certainly new go straight into the target by binary COPY. The others are staged
/// and merged. Both happen under the stream's lock, so "certainly new" stays true until the commit.
final class RowSending {
  private let connection: Connection
  private let partitions: Partitions
  private let stream: RecordStream
  private let copyNewRows: String
  private let copyToStaging: String

  private(set) var counts = OutcomeCounts()
  /// Possibly known rows that wait for a merge; each merge has a fixed cost.
  private let waiting = RowBuffer()
  private let rejects: RejectWriting

  /// When this much waits, it is merged: about a batch's worth.
  private static let mergeThreshold = 4 * 1024 * 1024

  init(connection: Connection, partitions: Partitions, stream: RecordStream, sourceFileID: Int64) {
    self.connection = connection
    self.partitions = partitions
    self.stream = stream
    let columns = stream.allColumns.map(\.name).joined(separator: ", ")
    copyNewRows = "copy \(stream.targetTable) (\(columns)) from stdin (format binary)"
    copyToStaging = "copy \(stream.stagingTable) (\(columns)) from stdin (format binary)"
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
    if batch.newRows.rowCount > 0 {
      counts.inserted += try copy(batch.newRows, with: copyNewRows)
      FaultPoint.batchCopied.reached()
    }
    if batch.possiblyKnownRows.rowCount > 0 {
      waiting.append(contentsOf: batch.possiblyKnownRows)
      if waiting.count >= Self.mergeThreshold { try mergeWaitingRows() }
    }
    try rejects.add(batch.rejects)
  }

  /// Sends what still waits.
  func finish() throws {
    try mergeWaitingRows()
    try rejects.flush()
  }

  private func mergeWaitingRows() throws {
    guard waiting.rowCount > 0 else { return }
    _ = try copy(waiting, with: copyToStaging)
    waiting.removeAll()
    let result = try connection.query(
      "select inserted, filled, duplicates, conflicts from staging.merge($1)",
      [.text(stream.name)])
    FaultPoint.merged.reached()
    counts.inserted += result.integer(row: 0, column: 0) ?? 0
    counts.filled += result.integer(row: 0, column: 1) ?? 0
    counts.duplicates += result.integer(row: 0, column: 2) ?? 0
    counts.conflicts += result.integer(row: 0, column: 3) ?? 0
  }

  private func copy(_ rows: RowBuffer, with statement: String) throws -> Int {
    try connection.copyRows(rows, with: statement)
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
