/// The batch in progress: the rows and rejects since the last batch was closed.
struct OpenBatch: ~Copyable {
  /// New rows.
  ///
  /// The last ones may be pending in the router, and may still move to `possiblyKnownRows`.
  var newRows: RowBuffer
  /// Rows that the database or this file may already have.
  var possiblyKnownRows = KeyedRows()
  private(set) var rejects: [RejectedLine] = []
  /// The bytes of the rejects, and of the rows of an embedded stream.
  private var otherBytes = 0
  private(set) var months: Set<Int> = []
  /// The day of the last row's time, in days since 2000; its month is already in `months`.
  private var lastDay: Int64 = -1

  /// The size at which the batch is full, in bytes.
  private let targetBytes: Int

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

  /// True when the batch must be sent.
  ///
  /// The number of rejects is limited, too, because a short reject takes more memory than its
  /// bytes.
  var isFull: Bool {
    newRows.count + possiblyKnownRows.count + otherBytes >= targetBytes
      || rejects.count >= 10_000
  }

  mutating func add(_ reject: RejectedLine) {
    rejects.append(reject)
    otherBytes += reject.raw.count
  }

  /// Counts the bytes of a row of an embedded stream, whose batch is closed together with this one.
  mutating func note(embeddedBytes: Int) { otherBytes += embeddedBytes }

  /// Appends a copy of a row in another buffer to the new rows.
  ///
  /// - Returns: the place of the copy.
  mutating func appendNew(_ row: RowPlace, of other: borrowing RowBuffer) -> RowPlace {
    let place = row.moved(by: newRows.count - row.start)
    newRows.appendRow(other.bytes(of: row))
    return place
  }

  /// Adds the month of a row's time, which is in PostgreSQL's binary format.
  mutating func note(timeOf value: UnsafeRawBufferPointer) {
    let microseconds = Int64(bigEndian: value.loadUnaligned(as: Int64.self))
    // Consecutive rows mostly have the same day, and need no calendar arithmetic.
    let day = microseconds / 86_400_000_000
    if day == lastDay { return }
    lastDay = day
    months.insert(monthsSinceEpoch(microseconds / 1000 + TimeRule.earliestPossible))
  }

  /// Moves some of the last new rows to `possiblyKnownRows`.
  ///
  /// - Parameters:
  ///   - rows: ascending indexes into `places`.
  ///   - places: the places of the last new rows, in order.
  mutating func moveToPossiblyKnown(_ rows: [Int], of places: [RowPlace]) {
    for row in rows { possiblyKnownRows.append(places[row], of: newRows) }
    newRows.remove(rows, of: places)
  }

  /// Removes the rows and rejects, but keeps their memory allocated.
  mutating func removeAll() {
    newRows.removeAll()
    possiblyKnownRows.removeAll()
    rejects.removeAll(keepingCapacity: true)
    otherBytes = 0
  }
}

/// The rows and rejects of consecutive lines, limited in size and sent together.
package final class Batch: Sendable {
  /// Rows that are certainly new.
  package let newRows: RowBuffer
  /// Rows that the database or this file may already have.
  package let possiblyKnownRows: KeyedRows
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
