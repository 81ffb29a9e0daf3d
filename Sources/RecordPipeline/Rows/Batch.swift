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
  /// The lines and decoded bytes of the file that had been read when this batch was closed.
  package let position: (lines: Int, bytes: Int)
  /// The rows of the stream whose records lie within the lines; nil without such a stream.
  package let embedded: Batch?

  /// The largest size of a batch: the fixed cost of a COPY is negligible, and a job has memory for four.
  static let maxBytes = 2 * 1024 * 1024
  /// The size of a file's first batch, which lets the server start early.
  static let firstBytes = 256 * 1024

  init(
    newRows: consuming RowBuffer, possiblyKnownRows: consuming RowBuffer, rejects: [RejectedLine],
    months: Set<Int>, position: (lines: Int, bytes: Int), embedded: Batch?
  ) {
    self.newRows = newRows
    self.possiblyKnownRows = possiblyKnownRows
    self.rejects = rejects
    self.months = months
    self.position = position
    self.embedded = embedded
  }

  package var isEmpty: Bool {
    newRows.rowCount == 0 && possiblyKnownRows.rowCount == 0 && rejects.isEmpty
      && embedded?.isEmpty ?? true
  }
}
