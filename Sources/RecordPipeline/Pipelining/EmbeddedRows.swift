/// The rows of the records within a file's lines, routed like the rows of a file of their stream.
final class EmbeddedRows {
  private var batch = OpenBatch()
  private var router: RowRouter
  private let stream: RecordStream
  /// The records of the current file's accepted lines.
  private(set) var rowCount = 0

  init(_ stream: RecordStream, routing: RoutingStart) {
    self.stream = stream
    router = RowRouter(routing.ofEmbedded)
  }

  /// Starts the next file of a group.
  func beginFile() { rowCount = 0 }

  /// Takes the row of a record whose line was accepted.
  ///
  /// - Returns: its size in bytes.
  func take(_ record: EmbeddedRecord, sourceFileID: Int64, lineNumber: Int) -> Int {
    let place = record.row.finishRow(
      &record.decoder.line, sourceFileID: sourceFileID, lineNumber: lineNumber)
    let copy = batch.appendNew(place, of: record.row)
    let orderKey = record.row.orderKey
    if stream.isPartitionedByMonth { batch.note(timeOf: orderKey) }
    router.take(copy, of: &batch, orderKey: orderKey)
    rowCount += 1
    return record.row.count
  }

  /// Closes the batch and returns it; the next rows go to a new one.
  func closeBatch(lines: Int, bytes: Int) -> Batch {
    router.resolvePending(&batch)
    let next = batch.next()
    return Batch(exchange(&batch, with: next), position: (lines, bytes))
  }

  /// Empties the batch but keeps its memory; for benchmarks.
  func discardBatch() {
    router.resolvePending(&batch)
    batch.removeAll()
  }
}
