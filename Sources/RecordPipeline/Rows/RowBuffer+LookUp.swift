extension RowBuffer {
  /// The parameters of a query that looks up all rows, in PostgreSQL's binary format.
  ///
  /// There is one array for each key column, and one for the digests. If the first key column is a
  /// time, two more parameters follow: the smallest and the largest time.
  /// - Source: PostgreSQL 15, `array_recv`; an element has the same form as a field of COPY.
  package func lookUpParameters(for stream: RecordStream) -> [[UInt8]] {
    let (rows, columns) = (rows, stream.allColumns)
    let arrays = (Array(stream.keyColumns.indices) + [columns.count - 1]).map { column in
      // One dimension, NULLs allowed, the element type, the length, and 1 as the lower bound.
      let head = [1, 1, columns[column].type.rawValue, Int32(rows.count), 1]
      var array = head.flatMap { Self.bytes(of: $0) }
      for row in rows { array.append(contentsOf: row.fields(column..<column + 1)) }
      return array
    }
    guard stream.isPartitionedByMonth else { return arrays }
    // No time is NULL or before 2000, so none is negative, and unsigned numbers compare like the times.
    let times = rows.map { UInt64(bigEndian: $0.orderKey.loadUnaligned(as: UInt64.self)) }
    return arrays + [times.min(), times.max()].map { Self.bytes(of: $0 ?? 0) }
  }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

extension WrittenRow {
  /// The key columns, as COPY fields.
  package func key(of stream: RecordStream) -> UnsafeRawBufferPointer {
    fields(0..<stream.keyColumnCount)
  }
}
