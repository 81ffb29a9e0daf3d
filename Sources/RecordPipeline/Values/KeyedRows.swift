/// The offsets of a row in its buffer, and of its key and its digest.
///
/// Each batch can have tens of thousands of places, so they are stored in 32 bits. A buffer is far
/// smaller than 4 GiB: it has at most two batches, each with the rest of one long line.
package struct RowPlace: Sendable {
  private var storedStart: UInt32
  private var storedKeyEnd: UInt32 = 0
  private var storedDigestStart: UInt32 = 0

  init(start: Int) { storedStart = UInt32(start) }

  /// The row's first byte.
  private(set) var start: Int {
    get { Int(storedStart) }
    set { storedStart = UInt32(newValue) }
  }
  /// The end of the last key column.
  var keyEnd: Int {
    get { Int(storedKeyEnd) }
    set { storedKeyEnd = UInt32(newValue) }
  }
  /// The start of the digest, the last field.
  var digestStart: Int {
    get { Int(storedDigestStart) }
    set { storedDigestStart = UInt32(newValue) }
  }

  /// The place of the row when all its offsets change by `distance` bytes.
  func moved(by distance: Int) -> RowPlace {
    var place = self
    place.start += distance
    place.keyEnd += distance
    place.digestStart += distance
    return place
  }

  /// The start of the first key column, after the column count.
  var keyStart: Int { start + MemoryLayout<Int16>.size }
}

extension RowBuffer {
  /// The key columns of a row, as COPY fields.
  func key(of row: RowPlace) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[row.keyStart..<row.keyEnd])
  }

  /// The digest of a row, as a COPY field.
  func digest(of row: RowPlace) -> UnsafeRawBufferPointer {
    let length = Int32(
      bigEndian: bytes.loadUnaligned(fromByteOffset: row.digestStart, as: Int32.self))
    let end = row.digestStart + MemoryLayout<Int32>.size + max(0, Int(length))
    return UnsafeRawBufferPointer(rebasing: bytes[row.digestStart..<end])
  }

  /// A whole row.
  func bytes(of row: RowPlace) -> UnsafeRawBufferPointer {
    let end = row.digestStart + digest(of: row).count
    return UnsafeRawBufferPointer(rebasing: bytes[row.start..<end])
  }

  /// The id of the file that a row is from.
  ///
  /// It is found from the end of the row: before the digest is the line number, with 4 bytes of
  /// length and 8 of value, and before that the id.
  func sourceFileID(of row: RowPlace) -> Int64 {
    let start = row.digestStart - 12 - MemoryLayout<Int64>.size
    return Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self))
  }
}

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
