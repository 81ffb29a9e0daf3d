/// Rows and rejects of the lines since the last batch was closed.
struct OpenBatch: ~Copyable {
  /// Rows that are new; of the last ones that is not settled.
  var newRows: RowBuffer
  /// Rows that may be known already.
  var possiblyKnownRows = KeyedRows()
  private(set) var rejects: [RejectedLine] = []
  private var rejectBytes = 0
  private(set) var months: Set<Int> = []
  /// Of the last row's time, in days since 2000; its month has been noted.
  private var lastDay: Int64 = -1

  /// Rows are sent when they have grown to this.
  private let targetBytes: Int

  /// Large enough that a COPY's fixed cost vanishes, small enough that a few batches fit into the
  /// memory budget.
  static let mostBytes = 2 * 1024 * 1024
  /// Of the first batch of a file that has many: the server is at work soon, while the next one is made.
  static let firstBytes = 256 * 1024

  init(targetBytes: Int = mostBytes) {
    self.targetBytes = targetBytes
    newRows = RowBuffer(capacity: targetBytes + 64 * 1024)
  }

  /// An empty one for the lines that follow, twice as large unless that is too large.
  func next() -> OpenBatch { OpenBatch(targetBytes: min(2 * targetBytes, Self.mostBytes)) }

  var isFull: Bool {
    newRows.count + possiblyKnownRows.count + rejectBytes >= targetBytes
      || rejects.count >= 10_000
  }

  mutating func add(_ reject: RejectedLine) {
    rejects.append(reject)
    rejectBytes += reject.raw.count
  }

  /// Notes the month of a row's time, given in PostgreSQL's binary form.
  mutating func note(timeOf value: UnsafeRawBufferPointer) {
    let microseconds = Int64(bigEndian: value.loadUnaligned(as: Int64.self))
    // Neighbours tend to lie in one month.
    let day = microseconds / 86_400_000_000
    if day == lastDay { return }
    lastDay = day
    months.insert(monthsSinceEpoch(microseconds / 1000 + TimeRule.earliestPossible))
  }

  /// Moves some of the last new rows to those that may be known already.
  ///
  /// - Parameters:
  ///   - rows: which of those in `places`, in order.
  ///   - places: where the last new rows are, in order.
  mutating func moveToPossiblyKnown(_ rows: [Int], of places: [RowPlace]) {
    for row in rows { possiblyKnownRows.append(places[row], of: newRows) }
    newRows.remove(rows, of: places)
  }

  /// Forgets the rows and rejects, and keeps their memory.
  mutating func removeAll() {
    newRows.removeAll()
    possiblyKnownRows.removeAll()
    rejects.removeAll(keepingCapacity: true)
    rejectBytes = 0
  }
}

/// What a stretch of lines became: rows and rejects, bounded in size, sent on as a whole.
package final class Batch: Sendable {
  /// Rows that are certainly new.
  package let newRows: RowBuffer
  /// Rows that may be known already.
  package let possiblyKnownRows: KeyedRows
  package let rejects: [RejectedLine]
  /// The months of the rows' first key column, since January 1970; empty when the stream's table
  /// is not partitioned.
  package let months: Set<Int>
  /// How many lines and decoded bytes of the file have been read by the end of this batch.
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
