/// The batch in progress: the rows and rejects since the last batch was closed.
struct OpenBatch: ~Copyable {
  /// New rows.
  ///
  /// The last ones may be pending in the router, and may still move to `possiblyKnownRows`.
  var newRows: RowBuffer
  /// Rows that the database or this file may already have.
  var possiblyKnownRows = RowBuffer()
  private(set) var rejects: [RejectedLine] = []
  var months: Set<Int> = []
  private var rejectBytes = 0
  /// The size at which the batch is full, in bytes.
  let targetBytes: Int

  /// The largest `targetBytes`.
  ///
  /// It is large enough to make the fixed cost of a COPY negligible, and small enough for four
  /// batches in the memory budget of a job.
  static let maxBytes = 2 * 1024 * 1024
  /// The `targetBytes` of a file's first batch; it is small, so that the server starts early.
  static let firstBytes = 256 * 1024

  init(targetBytes: Int = maxBytes) {
    self.targetBytes = targetBytes
    newRows = RowBuffer(capacity: targetBytes + 64 * 1024)
  }

  /// An empty batch for the next lines, with twice the size, up to `maxBytes`.
  func next() -> OpenBatch { OpenBatch(targetBytes: min(2 * targetBytes, Self.maxBytes)) }

  /// The bytes of all rows and rejects.
  var byteCount: Int { newRows.count + possiblyKnownRows.count + rejectBytes }

  mutating func add(_ reject: RejectedLine) {
    rejects.append(reject)
    rejectBytes += reject.raw.count
  }
}

/// The rows and rejects of consecutive lines, limited in size and sent together.
package final class Batch: Sendable {
  /// Rows that are certainly new.
  package let newRows: RowBuffer
  /// Rows that the database or this file may already have.
  package let possiblyKnownRows: RowBuffer
  package let rejects: [RejectedLine]
  /// The months of the rows' first key column, counted from January 1970; empty when the stream's table is
  /// not partitioned.
  package let months: Set<Int>
  /// The number of lines and decoded bytes of the file that had been read when this batch was
  /// closed.
  package let position: (lines: Int, bytes: Int)
  /// The rows of the stream whose records lie within the lines; nil without such a stream.
  package let embedded: Batch?

  init(
    _ open: consuming OpenBatch, position: (lines: Int, bytes: Int), embedded: Batch? = nil
  ) {
    rejects = open.rejects
    months = open.months
    self.position = position
    self.embedded = embedded
    newRows = open.newRows
    possiblyKnownRows = open.possiblyKnownRows
  }

  package var isEmpty: Bool {
    newRows.rowCount == 0 && possiblyKnownRows.rowCount == 0 && rejects.isEmpty
      && embedded?.isEmpty ?? true
  }
}
