/// Where a row lies in its buffer, and where in it the parts are by which it is known.
package struct RowPlace: Sendable {
  /// Of the row's first byte.
  private(set) var start: Int
  /// Behind the last key column.
  var keyEnd = 0
  /// Of the field of its digest, which is the last one.
  var digestStart = 0

  init(start: Int) { self.start = start }

  /// The same row so many bytes further on.
  func moved(by distance: Int) -> RowPlace {
    var place = self
    place.start += distance
    place.keyEnd += distance
    place.digestStart += distance
    return place
  }

  /// Behind the number of columns.
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

  /// The number of the file that a row is from: the third last column, before two of a fixed size.
  func sourceFileID(of row: RowPlace) -> Int64 {
    let start = row.digestStart - 12 - MemoryLayout<Int64>.size
    return Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self))
  }
}
