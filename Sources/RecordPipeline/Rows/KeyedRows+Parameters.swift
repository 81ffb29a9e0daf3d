extension KeyedRows {
  /// The parameters of a query that looks up all rows, in PostgreSQL's binary format.
  ///
  /// There is one array for each key column, and one for the digests. If the first key column is a
  /// time, two more parameters follow: the smallest and the largest time.
  /// - Source: PostgreSQL 15, `array_recv`; an element has the same form as a field of COPY.
  package func parameters(for stream: RecordStream) -> [[UInt8]] {
    let columns = stream.keyColumns + stream.allColumns.suffix(1)
    var arrays = columns.map { Self.arrayHeader(elements: rowCount, type: $0.type) }
    for place in places {
      let key = rows.key(of: place)
      var start = 0
      for column in 0..<stream.keyColumnCount {
        let length = Int32(bigEndian: key.loadUnaligned(fromByteOffset: start, as: Int32.self))
        let end = start + MemoryLayout<Int32>.size + max(0, Int(length))
        arrays[column].append(contentsOf: key[start..<end])
        start = end
      }
      arrays[stream.keyColumnCount].append(contentsOf: rows.digest(of: place))
    }
    return stream.isPartitionedByMonth ? arrays + Self.range(ofTimes: arrays[0]) : arrays
  }

  /// The smallest and the largest time.
  ///
  /// - Parameter times: an array of `timestamptz`. None is NULL or before 2000, so none is
  ///   negative, and unsigned numbers compare like the times.
  private static func range(ofTimes times: [UInt8]) -> [[UInt8]] {
    times.withUnsafeBytes { times in
      var range = (smallest: UInt64.max, largest: UInt64.min)
      for place in stride(from: arrayHeaderSize + 4, to: times.count, by: 12) {
        let time = UInt64(bigEndian: times.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        range = (min(range.smallest, time), max(range.largest, time))
      }
      return [range.smallest, range.largest].map { time in
        withUnsafeBytes(of: time.bigEndian) { Array($0) }
      }
    }
  }

  private static let arrayHeaderSize = 5 * MemoryLayout<Int32>.size

  /// The header of an array: one dimension, NULLs allowed, the element type, the length, and 1 as the lower
  /// bound.
  private static func arrayHeader(elements: Int, type: Column.ColumnType) -> [UInt8] {
    let numbers: [Int32] = [1, 1, type.oid, Int32(elements), 1]
    return numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
  }
}

extension Column.ColumnType {
  /// The OID of the type, which is the same in every PostgreSQL.
  ///
  /// - Source: PostgreSQL 15, `pg_type.dat`.
  fileprivate var oid: Int32 {
    switch self {
    case .text: 25
    case .bigint: 20
    case .integer: 23
    case .boolean: 16
    case .bytea: 17
    case .json: 114
    case .uuid: 2950
    case .timestamptz: 1184
    }
  }
}
