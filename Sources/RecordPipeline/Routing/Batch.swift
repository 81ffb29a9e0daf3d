/// What a stretch of lines became: rows and rejects, bounded in size, sent on as a whole.
package final class Batch: @unchecked Sendable {
  /// Rows that are certainly new.
  package let newRows: RowBuffer
  /// Rows that may be known already.
  package let possiblyKnownRows = KeyedRows()
  package internal(set) var rejects: [RejectedLine] = []
  private(set) var rejectBytes = 0
  /// The months of the rows' first key column, since January 1970; empty when the stream's table
  /// is not partitioned.
  package internal(set) var months: Set<Int> = []
  /// Of the last row's time, in days since 2000; its month has been noted.
  var lastDay: Int64 = -1
  /// How many lines and decoded bytes of the file have been read by the end of this batch.
  package internal(set) var position = (lines: 0, bytes: 0)

  /// Rows are sent when they have grown to this; large enough that a COPY's fixed cost vanishes,
  /// small enough that a few of them fit into the memory budget.
  static let targetBytes = 2 * 1024 * 1024

  package init() {
    newRows = RowBuffer(capacity: Self.targetBytes + 64 * 1024)
  }

  /// Moves some of the last new rows to those that may be known already.
  ///
  /// - Parameters:
  ///   - rows: which of those in `places`, in order.
  ///   - places: where the last new rows are, in order.
  func moveToPossiblyKnown(_ rows: [Int], of places: [RowPlace]) {
    for row in rows { possiblyKnownRows.append(places[row], of: newRows) }
    newRows.remove(rows, of: places)
  }

  func add(_ reject: RejectedLine) {
    rejects.append(reject)
    rejectBytes += reject.raw.count
  }

  package var isFull: Bool {
    newRows.count + possiblyKnownRows.count + rejectBytes >= Self.targetBytes
      || rejects.count >= 10_000
  }

  package var isEmpty: Bool {
    newRows.rowCount == 0 && possiblyKnownRows.rowCount == 0 && rejects.isEmpty
  }
}
