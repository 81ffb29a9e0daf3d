internal import Postgres
internal import RecordPipeline

/// Looks up by key and digest which rows the target table has.
///
/// Nearly every row that may be known is either stored with the same digest or not stored at all.
/// Only the other rows have to be staged and compared value by value.
struct KnownRows {
  enum Status {
    /// A row with this key and digest is stored, which the file of this number brought.
    case duplicate(of: Int64)
    /// No row with this key is stored.
    case new
    /// A row with this key and another or no digest is stored.
    case toBeCompared
  }

  private let connection: Connection
  private let stream: RecordStream
  private let lookup: String

  init(connection: Connection, stream: RecordStream) {
    (self.connection, self.stream) = (connection, stream)
    lookup = Self.lookup(in: stream)
  }

  /// - Returns: the status of each row, in the order of the rows.
  func statuses(of rows: borrowing RowBuffer) throws -> [Status] {
    let answer = try connection.query(
      lookup, rows.lookUpParameters(for: stream).map { .bytes($0) }, binaryResult: true)
    let numbers = integers(try answer.bytes(row: 0, of: "numbers") ?? [])
    let met = integers(try answer.bytes(row: 0, of: "met_files") ?? [])
    var statuses = [Status?](repeating: nil, count: rows.rowCount)
    for (number, file) in zip(numbers, met) where statuses.indices.contains(Int(number) - 1) {
      statuses[Int(number) - 1] =
        switch file {
        case Self.noRow: .new
        case Self.otherRow: .toBeCompared
        default: .duplicate(of: file)
        }
    }
    let found = statuses.compactMap(\.self)
    guard found.count == rows.rowCount else {
      throw LoadError(
        .defect, "the lookup of \(rows.rowCount) rows answered for \(found.count)")
    }
    return found
  }

  /// In place of the number of a file, which is positive.
  private static let noRow: Int64 = -1
  private static let otherRow: Int64 = 0

  /// The statement that returns the numbers of the rows, from 1, and for each of them the file of the
  /// stored row with the same digest.
  ///
  /// Arrays, because groups by file would be sorted, and a row for each would be large. `offset 0` is
  /// an optimization fence: each row costs one probe of the key's index, where the planner might
  /// otherwise hash the whole target table. The time range lets the planner prune partitions once and
  /// not for each row.
  private static func lookup(in stream: RecordStream) -> String {
    let keys = stream.keyColumns
    let columns = keys + stream.allColumns.suffix(1)
    let arrays = columns.enumerated().map { "$\($0 + 1)::\($1.type)[]" }
    var conditions = keys.map { column in
      let isSame = "t.\(column.name) = s.\(column.name)"
      guard column.isOptionalKey else { return isSame }
      return "(\(isSame) or t.\(column.name) is null and s.\(column.name) is null)"
    }
    if stream.isPartitionedByMonth {
      conditions.append(
        "t.\(stream.orderColumn.name) between $\(columns.count + 1)::timestamptz "
          + "and $\(columns.count + 2)::timestamptz")
    }
    return """
      select array_agg(s.number) as numbers, array_agg(coalesce(t.met_file, \(noRow))) as met_files
      from unnest(\(arrays.joined(separator: ", "))) with ordinality
        s (\(columns.map(\.name).joined(separator: ", ")), number)
      left join lateral (
        select case when t.row_digest = s.row_digest then t.source_file_id else \(otherRow) end
          as met_file
        from \(stream.targetTable) t
        where \(conditions.joined(separator: " and ")) offset 0) t on true
      """
  }
}

/// Decodes a `bigint[]` without NULLs from PostgreSQL's binary format; empty bytes give no elements.
private func integers(_ bytes: [UInt8]) -> [Int64] {
  bytes.withUnsafeBytes { bytes in
    stride(from: 24, to: bytes.count, by: 12).map { place in
      Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self))
    }
  }
}
