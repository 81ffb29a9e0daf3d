internal import Postgres
internal import RecordPipeline

/// Looks up by key and digest which rows the target table has.
///
/// Nearly every row that may be known is either stored with the same digest or not stored at all.
/// Only the other rows have to be staged and compared value by value.
struct KnownRows {
  enum Status {
    /// A row with this key and digest is stored.
    case duplicate
    /// No row with this key is stored.
    case new
    /// A row with this key and another or no digest is stored.
    case toBeCompared
  }

  private let connection: Connection
  private let stream: RecordStream
  private let lookup: String

  init(connection: Connection, stream: RecordStream) {
    self.connection = connection
    self.stream = stream
    lookup = Self.lookup(in: stream)
  }

  /// - Returns: the status of each row, in the order of the rows.
  func statuses(of rows: borrowing KeyedRows) throws -> [Status] {
    let answer = try connection.query(
      lookup, rows.parameters(for: stream).map { .bytes($0) }, binaryResult: true)
    var statuses = [Status](repeating: .duplicate, count: rows.rowCount)
    for (column, status) in [("new_rows", Status.new), ("known_keys", .toBeCompared)] {
      for number in integerArray(try answer.bytes(row: 0, of: column) ?? []) {
        guard statuses.indices.contains(number - 1) else {
          throw LoadError(
            .defect, "the lookup of \(rows.rowCount) rows answered for row \(number)", endsRun: true
          )
        }
        statuses[number - 1] = status
      }
    }
    return statuses
  }

  /// The statement that returns two arrays of row numbers, from 1: of the rows that are not stored,
  /// and of the rows that are stored with another digest or none.
  ///
  /// `offset 0` is an optimization fence: each row costs one probe of the key's index, where the
  /// planner might otherwise hash the whole target table. The time range lets the planner prune
  /// partitions once and not for each row.
  private static func lookup(in stream: RecordStream) -> String {
    let keys = stream.keyColumns
    let columns = keys + stream.allColumns.suffix(1)
    let arrays = columns.enumerated().map { "$\($0 + 1)::\($1.type.rawValue)[]" }
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
      select array_agg(s.number::integer) filter (where t.is_stored is null) as new_rows,
        array_agg(s.number::integer) filter (where t.is_stored) as known_keys
      from unnest(\(arrays.joined(separator: ", "))) with ordinality
        s (\(columns.map(\.name).joined(separator: ", ")), number)
      left join lateral (
        select true as is_stored, t.row_digest from \(stream.targetTable) t
        where \(conditions.joined(separator: " and ")) offset 0) t on true
      where t.is_stored is null or t.row_digest is distinct from s.row_digest
      """
  }
}

/// Decodes an `integer[]` without NULLs from PostgreSQL's binary format; empty bytes give no
/// elements.
private func integerArray(_ bytes: [UInt8]) -> [Int] {
  bytes.withUnsafeBytes { bytes in
    stride(from: 24, to: bytes.count, by: 8).map { place in
      Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)))
    }
  }
}
