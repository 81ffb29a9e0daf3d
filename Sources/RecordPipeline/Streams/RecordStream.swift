/// A kind of record: its names, its key, and its fields with their columns.
///
/// Each is a table in a file of its own, and an entry of `StreamCatalog`.
package struct RecordStream: Sendable {
  /// The name in `--stream`, in the ledger and in the names of tables, such as `level_up`.
  package let name: String
  /// The plural noun for its records in messages.
  package let recordNoun: String
  /// The name of the table in schema `game`.
  package let table: String
  /// The prefixes, in lower case, of words in file and folder names that select this stream.
  package let fileNamePrefixes: [String]
  /// The columns of a line's values, in order; those of the natural key come first.
  package let columns: [Column]
  /// The columns of a row: those of the values, and the common ones.
  package let allColumns: [Column]
  package let keyColumnCount: Int
  /// The name of the stream whose records lie within lines of this one; nil when none do.
  package let embeddedStreamName: String?
  /// The fields in the order of their columns; those of the natural key come first.
  package let fields: FieldTable

  /// Declares a stream; a line with several problems is refused for that of the field declared first.
  ///
  /// - Parameters:
  ///   - key: the fields of the natural key. The values of the first column should grow with time: a row above
  ///     all stored ones is certainly new.
  ///   - values: all other fields.
  init(
    name: String, recordNoun: String, table: String, fileNamePrefixes: [String],
    key: [Field], values: [Field], embedding embeddedStreamName: String? = nil
  ) {
    self.name = name
    self.recordNoun = recordNoun
    self.table = table
    self.fileNamePrefixes = fileNamePrefixes
    self.embeddedStreamName = embeddedStreamName
    keyColumnCount = key.map(\.kind.columns.count).reduce(0, +)
    columns = (key + values).enumerated().flatMap { index, field in
      let (columns, names) = (field.kind.columns, field.columnNames.words)
      precondition(columns.count == names.count, "a name for each column of \(field.kind)")
      return zip(columns, names).map { column, name in
        var column = column
        column.name = name.text
        column.isOptionalKey = index < key.count && !field.isMandatory && !field.kind.hasDefault
        return column
      }
    }
    allColumns = columns + Self.commonColumns
    fields = FieldTable(key + values)
  }

  /// The first key column.
  package var orderColumn: Column { columns[0] }
  /// True when the first key column is a time; then the table is partitioned by its month.
  package var isPartitionedByMonth: Bool { orderColumn.type == .timestamptz }
  /// The stream whose records lie within lines of this one; nil when none do.
  package var embedded: RecordStream? { embeddedStreamName.flatMap(StreamCatalog.stream(named:)) }
  /// The column with the time of a row's event: the first one that is a time.
  package var timeColumn: String? { columns.first { $0.type == .timestamptz }?.name }
  /// The column that tells where the time of an observation is from.
  package var timeSourceColumn: String? { isObserved ? "observed_at_source" : nil }
  /// False when its rows belong to no user.
  package var hasUser: Bool { columns.contains { $0.name == "user_id" } }
  /// True when `--observed-at` gives the time of lines without one.
  package var isObserved: Bool { fields.field(.observation) != nil }
  /// The target table, schema-qualified.
  package var targetTable: String { "game.\(table)" }
  /// The temporary staging table for rows that the merge has to compare, schema-qualified.
  package var stagingTable: String { "pg_temp.staging_\(name)" }
  package var keyColumns: ArraySlice<Column> { columns.prefix(keyColumnCount) }

  /// The last columns of every row, in all streams.
  package static let commonColumns = [
    Column(.boolean, .remark, name: "text_repaired"),
    Column(.json, .remark, isPrivate: true, name: "extra"),
    Column(.bigint, .remark, name: "source_file_id"),
    Column(.bigint, .remark, name: "line_number"),
    Column(.uuid, .remark, name: "row_digest"),
  ]
}

package enum StreamCatalog {
  package static let all: [RecordStream] = [.receipt, .levelUp, .gameUser, .item, .event]

  package static func stream(named name: String) -> RecordStream? {
    all.first { $0.name == name }
  }
}

extension DecodedLine {
  /// Writes a line's values as the columns of a row of its stream.
  mutating func write(_ stream: RecordStream, to row: inout RowBuffer) {
    for field in stream.fields.fields { write(field, to: &row) }
  }

  /// Writes the common columns and ends the row; its digest covers the columns that the merge compares.
  mutating func finish(_ row: inout RowBuffer, _ sourceFileID: Int64, lineNumber: Int) {
    let digest = rules.rowDigestKey.map { RowDigest(of: row.lastRow.columns, key: $0) }
    row.boolean(isTextRepaired || extra.isRepaired)
    extra.withObject { row.text($0) }
    row.bigint(sourceFileID)
    row.bigint(Int64(lineNumber))
    row.uuid(digest)
    row.endRow()
  }
}
