extension RowBuffer {
  /// Writes the columns that every row ends with.
  ///
  /// - Parameter start: where the row begins, which has all columns of its stream by now.
  func finishRow(
    _ line: DecodedLine, startingAt start: Int, sourceFileID: Int64, lineNumber: Int
  ) {
    let digest = line.rules.rowDigestKey.map { key in
      let own = bytes[(start + MemoryLayout<Int16>.size)...]
      return RowDigest(of: UnsafeRawBufferPointer(rebasing: own), key: key)
    }
    boolean(line.isTextRepaired || line.extra.isRepaired)
    if line.extra.finish() {
      line.extra.bytes.withUnsafeBufferPointer { extra in
        text(extra.baseAddress.map { ByteSlice(start: $0, count: extra.count) })
      }
    } else {
      null()
    }
    bigint(sourceFileID)
    bigint(Int64(lineNumber))
    uuid(digest)
    endRow()
  }

  /// The key columns of a row: all of them as COPY fields, and the first one's value.
  func key(
    ofRowAt start: Int, columnCount: Int
  ) -> (all: UnsafeRawBufferPointer, first: UnsafeRawBufferPointer) {
    let fields = start + MemoryLayout<Int16>.size
    var end = fields
    var first = fields..<fields
    for column in 0..<columnCount {
      let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: end, as: Int32.self)))
      let value = end + MemoryLayout<Int32>.size
      end = value + max(0, length)
      if column == 0 { first = value..<end }
    }
    return (
      UnsafeRawBufferPointer(rebasing: bytes[fields..<end]),
      UnsafeRawBufferPointer(rebasing: bytes[first])
    )
  }
}

extension Batch {
  /// Notes the month of a row's time, given in PostgreSQL's binary form.
  func note(timeOf value: UnsafeRawBufferPointer) {
    let microseconds = Int64(bigEndian: value.loadUnaligned(as: Int64.self))
    // Neighbours tend to lie in one month.
    let day = microseconds / 86_400_000_000
    if day == lastDay { return }
    lastDay = day
    months.insert(monthsSinceEpoch(microseconds / 1000 + TimeRule.earliestPossible))
  }
}
