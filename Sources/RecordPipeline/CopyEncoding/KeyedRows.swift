/// The rows of a buffer one by one, with what tells whether each is known: its key and its digest.
package struct KeyedRows {
  /// For each key column, and last for the digest, all rows' values as an array in PostgreSQL's
  /// binary format.
  ///
  /// - Source: PostgreSQL 15, `array_recv`; an element is written as a field of COPY is.
  package private(set) var arrays: [[UInt8]] = []
  /// The smallest and the largest time of the first key column, in PostgreSQL's binary format; empty
  /// when rows are not told apart by time first.
  package private(set) var timeRange: [[UInt8]] = []
  private var starts: [Int] = []
  private var keys: [Range<Int>] = []
  /// The files of the rows; empty when they were not asked for.
  private var sourceFileIDs: [Int64] = []
  private let rows: RowBuffer

  /// - Parameter readsFiles: whether `sourceFileID(of:)` will be asked.
  package init(_ rows: RowBuffer, of stream: RecordStream, readsFiles: Bool = false) {
    self.rows = rows
    let columns = stream.allColumns
    let fileColumn = readsFiles ? stream.sourceFileColumn : nil
    let bytes = rows.bytes
    arrays = (stream.keyColumns + columns.suffix(1)).map { column in
      Self.arrayHeader(elements: rows.rowCount, type: column.type)
    }
    starts.reserveCapacity(rows.rowCount + 1)
    keys.reserveCapacity(rows.rowCount)
    var place = 0
    while place < bytes.count {
      starts.append(place)
      place += MemoryLayout<Int16>.size
      let key = place
      for column in columns.indices {
        let length = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self))
        let end = place + MemoryLayout<Int32>.size + max(0, Int(length))
        if column < stream.keyColumnCount {
          arrays[column].append(contentsOf: bytes[place..<end])
        } else if column == columns.count - 1 {
          arrays[stream.keyColumnCount].append(contentsOf: bytes[place..<end])
        } else if column == fileColumn {
          let value = bytes.loadUnaligned(fromByteOffset: place + 4, as: Int64.self)
          sourceFileIDs.append(Int64(bigEndian: value))
        }
        place = end
        if column == stream.keyColumnCount - 1 { keys.append(key..<end) }
      }
    }
    starts.append(place)
    if stream.isPartitionedByMonth { timeRange = Self.range(ofTimes: arrays[0]) }
  }

  /// - Parameter times: an array of `timestamptz`, none of them before 2000 or NULL.
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

  package var count: Int { keys.count }

  /// The number of the file that a row is from.
  package func sourceFileID(of row: Int) -> Int64 { sourceFileIDs[row] }

  /// The key columns of a row, as COPY fields.
  package func key(of row: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: rows.bytes[keys[row]])
  }

  /// Adds a row to another buffer.
  package func copy(_ row: Int, to other: RowBuffer) {
    other.appendRow(UnsafeRawBufferPointer(rebasing: rows.bytes[starts[row]..<starts[row + 1]]))
  }

  /// One dimension, elements that may be NULL, their type, their number, and 1 as the first's index.
  private static func arrayHeader(elements: Int, type: Column.ColumnType) -> [UInt8] {
    let numbers: [Int32] = [1, 1, type.oid, Int32(elements), 1]
    return numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
  }
}

extension Column.ColumnType {
  /// The number of the type in every PostgreSQL.
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
