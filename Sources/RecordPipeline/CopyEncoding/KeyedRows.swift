/// Rows that may be known already, each with what tells whether it is: its key and its digest.
package struct KeyedRows: ~Copyable, Sendable {
  private(set) var rows = RowBuffer()
  private(set) var places: [RowPlace] = []

  package init() {}

  /// In bytes.
  package var count: Int { rows.count }
  package var rowCount: Int { places.count }
  package var bytes: UnsafeRawBufferPointer { rows.bytes }

  /// Adds a row of a buffer.
  mutating func append(_ row: RowPlace, of other: borrowing RowBuffer) {
    places.append(row.moved(by: rows.count - row.start))
    rows.appendRow(other.bytes(of: row))
  }

  /// Adds all rows of others behind these.
  package mutating func append(contentsOf other: borrowing KeyedRows) {
    let shift = rows.count
    for place in other.places { places.append(place.moved(by: shift)) }
    rows.append(contentsOf: other.rows)
  }

  package mutating func removeAll() {
    rows.removeAll()
    places.removeAll(keepingCapacity: true)
  }

  /// The key columns of a row, as COPY fields.
  package func key(of row: Int) -> UnsafeRawBufferPointer { rows.key(of: places[row]) }

  /// The number of the file that a row is from.
  package func sourceFileID(of row: Int) -> Int64 { rows.sourceFileID(of: places[row]) }

  /// Adds a row to another buffer.
  package func copy(_ row: Int, to other: inout RowBuffer) {
    other.appendRow(rows.bytes(of: places[row]))
  }
}
