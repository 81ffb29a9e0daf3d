/// One kind of record: where its lines go, and how a line becomes a row.
///
/// A stream is a value in a file of its own in `Streams/`, and a line in `StreamCatalog.swift`.
package struct RecordStream: Sendable {
  /// The name in `--stream`, in the ledger, and of the tables, such as `level_up`.
  package let name: String
  /// What a person calls its records, in the plural.
  package let recordNoun: String
  /// The table in schema `game` that readers use.
  package let table: String
  /// File or folder names that start with one of these, in lower case, hold this stream.
  package let fileNamePrefixes: [String]
  /// The columns of the natural key, in the order in which `natural_key` lists them.
  package let naturalKey: [String]
  /// The columns that `encode` writes, in order: those of the natural key first.
  package let columns: [Column]
  /// How many of the columns make the natural key.
  package let keyColumnCount: Int
  /// True when the target is partitioned by the month of the first key column: when that is a time.
  package let isPartitionedByMonth: Bool
  package let fields: FieldNames
  /// Writes a line's values in the order of `columns`.
  package let encode: @Sendable (inout DecodedLine, inout RowBuffer) throws(Rejection) -> Void

  /// Of all that is wrong with a line the part that is declared first is told.
  ///
  /// - Parameters:
  ///   - naturalKey: the columns of the key, in the order that the data contract names.
  ///   - key: what makes the natural key. Its first column grows with time: a row that has more in it
  ///     than all that are stored is known to be new.
  ///   - values: all else.
  init<Key: StreamPart, Values: StreamPart>(
    name: String, recordNoun: String, table: String, fileNamePrefixes: [String],
    naturalKey: [String], @StreamParts key: () -> Key, @StreamParts values: () -> Values
  ) {
    self.name = name
    self.recordNoun = recordNoun
    self.table = table
    self.fileNamePrefixes = fileNamePrefixes
    self.naturalKey = naturalKey
    var declaration = StreamDeclaration()
    let key = key().declare(in: &declaration)
    keyColumnCount = declaration.columns.count
    declaration.markOptionalKeys()
    precondition(
      declaration.columns.map(\.name).sorted() == naturalKey.sorted(), "the natural key is the key")
    let values = values().declare(in: &declaration)
    columns = declaration.columns
    isPartitionedByMonth = columns.first?.type == .timestamptz
    fields = declaration.names
    encode = { line, row throws(Rejection) in
      try key.write(&line, to: &row)
      row.markKey()
      try values.write(&line, to: &row)
    }
  }

  /// True when `--observed-at` is the time of lines that have none of their own.
  package var isObserved: Bool { fields.field(of: ObservedTime.self) != nil }

  /// The columns that end every row, whatever its stream.
  package static let commonColumns = [
    Column("text_repaired", .boolean, .remark),
    Column("extra", .json, .remark, isPrivate: true),
    Column("source_file_id", .bigint, .remark), Column("line_number", .bigint, .remark),
    Column("row_digest", .uuid, .remark),
  ]

  /// The table that readers use, schema-qualified.
  package var targetTable: String { "game.\(table)" }
  /// The temporary table in which rows wait that may be known already, schema-qualified.
  package var stagingTable: String { "pg_temp.staging_\(name)" }
  package var allColumns: [Column] { columns + Self.commonColumns }
  package var keyColumns: ArraySlice<Column> { columns.prefix(keyColumnCount) }
  /// The column by which rows are known to be new.
  package var orderColumn: Column { columns[0] }
}
