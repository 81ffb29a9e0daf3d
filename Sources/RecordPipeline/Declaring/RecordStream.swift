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
  /// In the order in which the stream declares them.
  let descriptions: [FieldDescription]
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
    descriptions = declaration.descriptions
    encode = { line, row throws(Rejection) in
      try key.write(&line, to: &row)
      row.markKey()
      try values.write(&line, to: &row)
    }
  }

  /// The field of a kind that a stream has once; nil when it has none.
  func field(of kind: any ValueKind.Type) -> Spellings? {
    descriptions.first { $0.kind == kind }?.field
  }

  /// The table that readers use, schema-qualified.
  package var targetTable: String { "game.\(table)" }
  /// The temporary table in which rows wait that may be known already, schema-qualified.
  package var stagingTable: String { "pg_temp.staging_\(name)" }
  package var allColumns: [Column] { columns + Self.commonColumns }
  package var keyColumns: ArraySlice<Column> { columns.prefix(keyColumnCount) }
  /// The column by which rows are known to be new.
  package var orderColumn: Column { columns[0] }
}
