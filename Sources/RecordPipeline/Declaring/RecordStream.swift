/// A kind of record: its names, its columns, and the function that encodes a line as a row.
///
/// Each stream is a value in its own file in `Streams/`, and an entry in `StreamCatalog.swift`.
package struct RecordStream: Sendable {
  /// The name in `--stream`, in the ledger and in the names of tables, such as `level_up`.
  package let name: String
  /// The plural noun for its records in messages.
  package let recordNoun: String
  /// The name of the table in schema `game`.
  package let table: String
  /// The prefixes, in lower case, of words in file and folder names that select this stream.
  package let fileNamePrefixes: [String]
  /// The columns of the natural key, in the order of `natural_key` in the registry.
  package let naturalKey: [String]
  /// The columns that `encode` writes, in order; those of the natural key come first.
  package let columns: [Column]
  package let keyColumnCount: Int
  /// True when the first key column is a time; then the table is partitioned by its month.
  package let isPartitionedByMonth: Bool
  /// False when its rows belong to no user.
  package let hasUser: Bool
  package let fields: FieldNames
  /// The name of the stream whose records lie within lines of this one; nil when none do.
  package let embeddedStreamName: String?
  /// Reads the owner of the record within a line; nil when no stream is embedded.
  let embeddedOwner: EmbeddedOwner.Reader?
  /// The fields, in the order of declaration.
  let descriptions: [FieldDescription]
  /// The members of an object within a field, with their columns; empty for most streams.
  let members: [FieldDescription]
  /// Writes a line's values in the order of `columns`.
  package let encode: @Sendable (inout DecodedLine, inout RowBuffer) throws(Rejection) -> Void

  /// Declares a stream.
  ///
  /// A line with several problems is refused for the one in the part that is declared first.
  ///
  /// - Parameters:
  ///   - naturalKey: the columns of the key, in the order of the data contract.
  ///   - key: the parts of the natural key. The values of the first column should grow with time,
  ///     because a row is certainly new only if its value is above all stored ones.
  ///   - values: all other parts.
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
    hasUser = columns.contains { $0.name == "user_id" }
    fields = declaration.names
    descriptions = declaration.descriptions
    members = declaration.members
    embeddedStreamName = declaration.embeddedStreamName
    embeddedOwner = declaration.embeddedOwner
    encode = { line, row throws(Rejection) in
      try key.write(&line, to: &row)
      row.markKey()
      try values.write(&line, to: &row)
    }
  }

  /// The first field of a kind; nil when the stream has none.
  func field(of kind: any ValueKind.Type) -> FieldSlots? {
    descriptions.first { $0.kind == kind }?.field
  }

  /// The fields, each with its first column, or its first spelling when it has none of its own.
  var namedFields: [(name: String, slots: FieldSlots)] {
    var seen: Set<String> = []
    return descriptions.map { description in
      let column = description.columns.first.flatMap {
        seen.insert($0.name).inserted ? $0.name : nil
      }
      return (column ?? fields.names[description.field.firstSlot], description.field)
    }
  }

  /// The target table, schema-qualified.
  package var targetTable: String { "game.\(table)" }
  /// The temporary staging table for rows that the merge has to compare, schema-qualified.
  package var stagingTable: String { "pg_temp.staging_\(name)" }
  package var allColumns: [Column] { columns + Self.commonColumns }
  package var keyColumns: ArraySlice<Column> { columns.prefix(keyColumnCount) }
  /// The first key column.
  ///
  /// A row with a value above all stored ones is certainly new.
  package var orderColumn: Column { columns[0] }
}

extension RecordStream {
  /// The last columns of every row, in all streams.
  package static let commonColumns = [
    Column("text_repaired", .boolean, .remark),
    Column("extra", .json, .remark, isPrivate: true),
    Column("source_file_id", .bigint, .remark), Column("line_number", .bigint, .remark),
    Column("row_digest", .uuid, .remark),
  ]
}

extension RowBuffer {
  /// Writes the common columns and ends the row.
  ///
  /// The digest covers the stream's own columns, because the merge compares only these.
  mutating func finishRow(
    _ line: inout DecodedLine, sourceFileID: Int64, lineNumber: Int
  ) -> RowPlace {
    let digest = line.rules.rowDigestKey.map { RowDigest(of: openRow, key: $0) }
    boolean(line.isTextRepaired || line.extra.isRepaired)
    line.extra.withObject { text($0) }
    bigint(sourceFileID)
    bigint(Int64(lineNumber))
    markDigest()
    uuid(digest)
    return endRow()
  }
}
