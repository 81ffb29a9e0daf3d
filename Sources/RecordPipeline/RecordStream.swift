/// One kind of record: where its lines go, and how a line becomes a row.
///
/// A stream is a value in a file of its own in `Streams/`, and a line in `StreamCatalog.swift`.
package struct RecordStream: Sendable {
  /// The name in `--stream`, in the ledger, and of the tables, such as `level_up`.
  package let name: String
  /// What a person calls its records, in the plural.
  package let recordNoun: String
  /// The table that readers use, schema-qualified.
  package let targetTable: String
  /// The temporary table in which rows wait that may be known already, schema-qualified.
  package var stagingTable: String { "pg_temp.staging_\(name)" }
  /// File or folder names that start with one of these, in lower case, hold this stream.
  package let fileNamePrefixes: [String]
  /// The columns that `encode` writes, in order: those of the natural key first.
  package let columns: [Column]
  /// How many of the columns make the natural key.
  ///
  /// The first of them grows with time, so a row whose first column is above all that is stored is
  /// known to be new.
  package let keyColumnCount: Int
  /// True when the target is partitioned by the month of the first key column.
  package let isPartitionedByMonth: Bool
  package let fields: FieldNames
  /// Writes a line's values in the order of `columns`.
  package let encode: @Sendable (DecodedLine, RowBuffer) throws(Rejection) -> Void

  /// The columns that end every row, whatever its stream.
  package static let commonColumns = [
    Column("text_repaired", .boolean), Column("extra", .json),
    Column("source_file_id", .bigint), Column("line_number", .bigint),
    Column("row_digest", .uuid),
  ]

  package var allColumns: [Column] { columns + Self.commonColumns }
  /// Where among them the number of a row's file is.
  var sourceFileColumn: Int? { allColumns.firstIndex { $0.name == "source_file_id" } }
  package var keyColumns: ArraySlice<Column> { columns.prefix(keyColumnCount) }
  /// The column by which rows are known to be new.
  package var orderColumn: Column { columns[0] }
}

/// A column of a stream's tables.
package struct Column: Sendable, Equatable {
  /// The types that rows are written in, named as PostgreSQL prints them.
  package enum ColumnType: String, Sendable {
    case text, bigint, integer, boolean, bytea, json, uuid
    case timestamptz = "timestamp with time zone"
  }

  package let name: String
  package let type: ColumnType
  /// True for a key column that may be NULL; two rows without it have the same key, if the other
  /// columns agree.
  package let isOptionalKey: Bool

  init(_ name: String, _ type: ColumnType, isOptionalKey: Bool = false) {
    self.name = name
    self.type = type
    self.isOptionalKey = isOptionalKey
  }
}
