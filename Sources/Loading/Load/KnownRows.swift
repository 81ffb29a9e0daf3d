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

  struct Answer {
    /// The status of each row, in the order of the rows.
    var statuses: [Status]
    /// By the number of a file: the files that brought the rows which its duplicates repeat.
    var met: [Int64: Set<Int64>] = [:]
  }

  private let connection: Connection
  private let stream: RecordStream
  private let sourceFileIDs: [Int64]
  private let lookup: String

  /// - Parameter sourceFileIDs: the files of the rows, at least one.
  init(connection: Connection, stream: RecordStream, sourceFileIDs: [Int64]) {
    self.connection = connection
    self.stream = stream
    self.sourceFileIDs = sourceFileIDs
    lookup = Self.lookup(in: stream)
  }

  func lookUp(_ rows: borrowing KeyedRows) throws -> Answer {
    let files =
      sourceFileIDs.count > 1 ? (0..<rows.rowCount).map { Int(rows.sourceFileID(of: $0)) } : []
    let groups = try connection.query(
      lookup, rows.parameters(for: stream).map { .bytes($0) } + [.integers(files)],
      binaryResult: true)
    var answer = Answer(statuses: [Status](repeating: .duplicate, count: rows.rowCount))
    for group in 0..<groups.rowCount {
      if let met = integer(try groups.bytes(row: group, of: "met_file")) {
        let file = integer(try groups.bytes(row: group, of: "file")) ?? sourceFileIDs[0]
        answer.met[file, default: []].insert(met)
      }
      let isStored = try groups.bytes(row: group, of: "is_stored") == [1]
      for number in integerArray(try groups.bytes(row: group, of: "numbers") ?? []) {
        guard answer.statuses.indices.contains(number - 1) else {
          throw LoadError(
            .defect, "the lookup of \(rows.rowCount) rows answered for row \(number)", endsRun: true
          )
        }
        answer.statuses[number - 1] = isStored ? .toBeCompared : .new
      }
    }
    return answer
  }

  /// The statement that groups the rows by their file, by the file of the stored row with the same
  /// digest, and by whether a row with their key is stored.
  ///
  /// A group has the numbers of its rows, from 1, unless they are duplicates. The last parameter has
  /// the file of each row; it is empty when all rows are of one file.
  ///
  /// `offset 0` is an optimization fence: each row costs one probe of the key's index, where the
  /// planner might otherwise hash the whole target table. The time range lets the planner prune
  /// partitions once and not for each row.
  private static func lookup(in stream: RecordStream) -> String {
    let keys = stream.keyColumns
    let columns = keys + stream.allColumns.suffix(1)
    let arrays = columns.enumerated().map { "$\($0 + 1)::\($1.type.rawValue)[]" }
    let files = columns.count + (stream.isPartitionedByMonth ? 3 : 1)
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
      select s.file, case when t.row_digest = s.row_digest then t.source_file_id end as met_file,
        t.source_file_id is not null as is_stored,
        array_agg(s.number::integer) filter (where (t.row_digest = s.row_digest) is not true)
          as numbers
      from unnest(\(arrays.joined(separator: ", ")), $\(files)::bigint[]) with ordinality
        s (\(columns.map(\.name).joined(separator: ", ")), file, number)
      left join lateral (
        select t.source_file_id, t.row_digest from \(stream.targetTable) t
        where \(conditions.joined(separator: " and ")) offset 0) t on true
      group by 1, 2, 3
      """
  }
}

/// Decodes a `bigint` from PostgreSQL's binary format; nil for NULL.
private func integer(_ bytes: [UInt8]?) -> Int64? {
  bytes?.withUnsafeBytes { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) }
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
