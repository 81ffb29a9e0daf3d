internal import Postgres
internal import RecordPipeline

/// Asks the server which rows it knows, by their keys and digests alone.
///
/// That spares the way through staging to all but the rows that must be compared value by value:
/// nearly every row that may be known is either stored as it is, or not there at all.
struct KnownRows {
  enum Verdict: UInt8 {
    /// A row with this key is stored, and says the same.
    case duplicate = 0x64  // "d"
    /// No row with this key is stored.
    case new = 0x6E  // "n"
    /// A row with this key is stored; whether it says the same is not known.
    case toBeCompared = 0x63  // "c"
  }

  private let connection: Connection
  private let question: String

  init(connection: Connection, stream: RecordStream) {
    self.connection = connection
    question = Self.question(for: stream)
  }

  /// - Returns: a verdict for each row, in their order.
  func verdicts(for rows: KeyedRows) throws -> [Verdict] {
    let answer = try connection.query(question, rows.arrays.map { .bytes($0) })
      .bytes(row: 0, column: 0)
    let verdicts = answer?.compactMap(Verdict.init) ?? []
    guard verdicts.count == rows.count else {
      throw LoadError(
        .defect, "the server judged \(verdicts.count) of \(rows.count) rows", endsRun: true)
    }
    return verdicts
  }

  /// A statement that answers with one letter a row.
  ///
  /// "offset 0" keeps the look-up what it is, one probe of the key's index a row:
  /// left alone, the planner may hash the whole target for every question.
  private static func question(for stream: RecordStream) -> String {
    let keys = stream.keyColumns
    let columns = keys + stream.allColumns.suffix(1)
    let arrays = columns.enumerated().map { "$\($0 + 1)::\($1.type.rawValue)[]" }
    let sameKey = keys.map { column in
      let isSame = "t.\(column.name) = s.\(column.name)"
      guard column.isOptionalKey else { return isSame }
      return "(\(isSame) or t.\(column.name) is null and s.\(column.name) is null)"
    }
    return """
      select string_agg(
        case when t.is_stored is null then 'n' when t.row_digest = s.row_digest then 'd' else 'c' end,
        '' order by s.number)
      from unnest(\(arrays.joined(separator: ", "))) with ordinality
        s (\(columns.map(\.name).joined(separator: ", ")), number)
      left join lateral (
        select true as is_stored, t.row_digest from \(stream.targetTable) t
        where \(sameKey.joined(separator: " and ")) offset 0) t on true
      """
  }
}
