/// Rows that the database may already have, with the offsets of their keys and digests for the
/// look-up.
package struct KeyedRows: ~Copyable, Sendable {
  private(set) var rows = RowBuffer()
  private(set) var places: [RowPlace] = []

  package init() {}

  /// In bytes.
  package var count: Int { rows.count }
  package var rowCount: Int { places.count }
  package var bytes: UnsafeRawBufferPointer { rows.bytes }

  /// Appends a copy of a row in another buffer.
  mutating func append(_ row: RowPlace, of other: borrowing RowBuffer) {
    places.append(row.moved(by: rows.count - row.start))
    rows.appendRow(other.bytes(of: row))
  }

  /// Appends copies of all rows of another value.
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

  /// The id of the file that a row is from.
  package func sourceFileID(of row: Int) -> Int64 { rows.sourceFileID(of: places[row]) }

  /// A whole row.
  package func bytes(of row: Int) -> UnsafeRawBufferPointer { rows.bytes(of: places[row]) }

  /// Appends a copy of a row to a buffer.
  package func copy(_ row: Int, to other: inout RowBuffer) {
    other.appendRow(bytes(of: row))
  }
}
