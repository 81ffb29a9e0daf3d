internal import Postgres
internal import RecordPipeline

/// Asks the server which rows it knows, by their keys and digests alone.
///
/// That spares the way through staging to all but the rows that must be compared value by value:
/// nearly every row that may be known is either stored as it is, or not there at all.
struct KnownRows {
  enum Verdict {
    /// A row with this key is stored, and says the same.
    case duplicate
    /// No row with this key is stored.
    case new
    /// A row with this key is stored; whether it says the same is not known.
    case toBeCompared
  }

  private let connection: Connection
  private let stream: RecordStream
  private let question: String

  init(connection: Connection, stream: RecordStream) {
    self.connection = connection
    self.stream = stream
    question = Self.question(for: stream)
  }

  /// - Returns: a verdict for each row, in their order.
  func verdicts(for rows: borrowing KeyedRows) throws -> [Verdict] {
    let answer = try connection.query(
      question, rows.parameters(for: stream).map { .bytes($0) }, binaryResult: true)
    var verdicts = [Verdict](repeating: .duplicate, count: rows.rowCount)
    for (column, verdict) in [Verdict.new, .toBeCompared].enumerated() {
      for number in integers(ofArray: answer.bytes(row: 0, column: column) ?? []) {
        guard verdicts.indices.contains(number - 1) else {
          throw LoadError(
            .defect, "the server judged row \(number) of \(rows.rowCount)", endsRun: true)
        }
        verdicts[number - 1] = verdict
      }
    }
    return verdicts
  }

  /// A statement that answers with the numbers, from 1, of the rows that are not stored, and of
  /// those that are stored otherwise.
  ///
  /// "offset 0" keeps the look-up what it is, one probe of the key's index a row: left alone, the
  /// planner may hash the whole target for every question. The range of time lets it see which
  /// months are meant; otherwise they would be sought anew for each row.
  private static func question(for stream: RecordStream) -> String {
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
      select array_agg(s.number::integer) filter (where t.is_stored is null),
        array_agg(s.number::integer) filter (where t.is_stored)
      from unnest(\(arrays.joined(separator: ", "))) with ordinality
        s (\(columns.map(\.name).joined(separator: ", ")), number)
      left join lateral (
        select true as is_stored, t.row_digest from \(stream.targetTable) t
        where \(conditions.joined(separator: " and ")) offset 0) t on true
      where t.is_stored is null or t.row_digest is distinct from s.row_digest
      """
  }
}

/// The elements of an `integer[]` without NULLs, in PostgreSQL's binary format; none for no array.
private func integers(ofArray bytes: [UInt8]) -> [Int] {
  bytes.withUnsafeBytes { bytes in
    stride(from: 24, to: bytes.count, by: 8).map { place in
      Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)))
    }
  }
}
