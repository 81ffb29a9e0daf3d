/// The batch in progress: the rows and rejects since the last batch was closed.
struct OpenBatch: ~Copyable {
  /// New rows; some of the last ones may still move to `possiblyKnownRows`.
  var newRows: RowBuffer
  /// Rows that the database or this file may already have.
  var possiblyKnownRows = KeyedRows()
  private(set) var rejects: [RejectedLine] = []
  private var rejectBytes = 0
  private(set) var months: Set<Int> = []
  /// The day of the last row's time, in days since 2000, whose month is in `months`.
  private var lastDay: Int64 = -1

  /// The size at which the batch is sent.
  private let targetBytes: Int

  /// Large enough to make the fixed cost of a COPY negligible, and small enough to fit a few batches into the
  /// memory budget.
  static let mostBytes = 2 * 1024 * 1024
  /// The size of a file's first batch; it is small so that the server starts early.
  static let firstBytes = 256 * 1024

  init(targetBytes: Int = mostBytes) {
    self.targetBytes = targetBytes
    newRows = RowBuffer(capacity: targetBytes + 64 * 1024)
  }

  /// An empty batch for the next lines, twice as large up to `mostBytes`.
  func next() -> OpenBatch { OpenBatch(targetBytes: min(2 * targetBytes, Self.mostBytes)) }

  var isFull: Bool {
    newRows.count + possiblyKnownRows.count + rejectBytes >= targetBytes
      || rejects.count >= 10_000
  }

  mutating func add(_ reject: RejectedLine) {
    rejects.append(reject)
    rejectBytes += reject.raw.count
  }

  /// Adds the month of a row's time, which is in PostgreSQL's binary format.
  mutating func note(timeOf value: UnsafeRawBufferPointer) {
    let microseconds = Int64(bigEndian: value.loadUnaligned(as: Int64.self))
    // Successive rows mostly have the same day.
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

  /// Removes the rows and rejects, and keeps their memory.
  mutating func removeAll() {
    newRows.removeAll()
    possiblyKnownRows.removeAll()
    rejects.removeAll(keepingCapacity: true)
    rejectBytes = 0
  }
}

/// The rows and rejects of successive lines, bounded in size and sent together.
package final class Batch: Sendable {
  /// Rows that are certainly new.
  package let newRows: RowBuffer
  /// Rows that the database or this file may already have.
  package let possiblyKnownRows: KeyedRows
  package let rejects: [RejectedLine]
  /// The months of the rows' first key column, counted from January 1970; empty when the stream's table is
  /// not partitioned.
  package let months: Set<Int>
  /// How many lines and decoded bytes of the file were read by the end of this batch.
  package let position: (lines: Int, bytes: Int)

  init(_ open: consuming OpenBatch, position: (lines: Int, bytes: Int)) {
    rejects = open.rejects
    months = open.months
    self.position = position
    newRows = open.newRows
    possiblyKnownRows = open.possiblyKnownRows
  }

  package var isEmpty: Bool {
    newRows.rowCount == 0 && possiblyKnownRows.rowCount == 0 && rejects.isEmpty
  }
}
