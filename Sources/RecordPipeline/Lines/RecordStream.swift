/// A kind of record: its names, its key, and its fields with their columns.
///
/// Each is a table in a file of its own, and an entry of `StreamCatalog`.
package struct RecordStream: @unchecked Sendable {
  // `@unchecked Sendable` is safe, because the memory of the names does not change once it is written. It is never
  // freed: a stream lives as long as the process.

  /// The name in `--stream`, in the ledger and in the names of tables, such as `level_up`.
  package let name: String
  /// The plural noun for its records in messages.
  package let recordNoun: String
  /// The name of the table in schema `game`.
  package let table: String
  /// The prefixes, in lower case, of words in file and folder names that select this stream.
  package let fileNamePrefixes: [String]
  /// The columns of a line's values, in order; those of the natural key come first.
  package private(set) var columns: [Column] = []
  /// The columns of a row: those of the values, and the common ones.
  package private(set) var allColumns: [Column] = []
  package let keyColumnCount: Int
  /// The name of the stream whose records lie within lines of this one; nil when none do.
  package let embeddedStreamName: String?
  /// The fields in the order of their columns; those of the natural key come first.
  package private(set) var fields: [Field] = []
  /// The names of the fields in all their spellings, by their slots.
  package private(set) var names: [String] = []
  private let nameBytes = UnsafeMutablePointer<ByteSlice>.allocate(capacity: 64)
  /// The slots of the names that stand in the line itself, and of those in the data of an event.
  private(set) var (inLine, inData) = (UInt64(0), UInt64(0))

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
    for (index, var field) in (key + values).enumerated() {
      field.firstColumn = UInt8(columns.count)
      let columnNames = field.columnNames.words
      precondition(
        field.columns.count == columnNames.count, "a name for each column of \(field.kind)")
      for (var column, name) in zip(field.kind.columns, columnNames) {
        column.name = name.text
        column.isOptionalKey = index < key.count && !field.isMandatory && !field.kind.hasDefault
        columns.append(column)
      }
      let spellings = field.spellings.words
      if field.kind == .anyOf {
        field.slots = slots(ofFields: spellings.map(\.text))
      } else {
        for spelling in spellings { field.slots |= 1 << UInt64(add(spelling)) }
      }
      if field.isInData { inData |= field.slots } else { inLine |= field.slots }
      fields.append(field)
    }
    allColumns = columns + Self.commonColumns
  }

  private mutating func add(_ name: ByteSlice) -> Int {
    precondition(names.count < 64, "slots are the bits of a 64-bit word")
    precondition(!names.contains(name.text), "a name belongs to one field")
    (nameBytes + names.count).initialize(to: name)
    names.append(name.text)
    return names.count - 1
  }

  /// The first key column.
  package var orderColumn: Column { columns[0] }
  /// True when the first key column is a time; then the table is partitioned by its month.
  package var isPartitionedByMonth: Bool { orderColumn.type == .timestamptz }
  /// The column with the time of a row's event: the first one that is a time.
  package var timeColumn: String? { columns.first { $0.type == .timestamptz }?.name }
  /// The column that tells where the time of an observation is from.
  package var timeSourceColumn: String? { isObserved ? "observed_at_source" : nil }
  /// False when its rows belong to no user.
  package var hasUser: Bool { columns.contains { $0.name == "user_id" } }
  /// True when `--observed-at` gives the time of lines without one.
  package var isObserved: Bool { field(.observation) != nil }
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

  /// The slots of the fields with these first spellings.
  func slots(ofFields names: [String]) -> UInt64 {
    fields.filter { $0.slots != 0 && names.contains(self.names[$0.firstSlot]) }
      .reduce(0) { $0 | $1.slots }
  }

  func slots(of field: Field) -> [Int] {
    names.indices.filter { field.slots & (1 << UInt64($0)) != 0 }
  }

  /// The first field of a kind; nil when there is none.
  func field(_ kind: Field.Kind) -> Field? { fields.first { $0.kind == kind } }

  /// The first field of a kind, which the stream has.
  subscript(kind: Field.Kind) -> Field {
    guard let field = field(kind) else { preconditionFailure("no field is \(kind)") }
    return field
  }

  /// True when a slot has a name.
  ///
  /// The first and the last eight bytes decide about most names without a call.
  @inline(__always)
  func has(_ name: ByteSlice, in slot: Int) -> Bool {
    let known = nameBytes[slot]
    guard known.count == name.count else { return false }
    guard name.count >= 8 else { return known == name }
    let last = name.count - 8
    return known.word(at: 0) == name.word(at: 0) && known.word(at: last) == name.word(at: last)
      && (name.count <= 16 || known == name)
  }

  /// The slot of a name among some slots; nil for a name that is none of theirs.
  ///
  /// A call would copy the stream out of the line.
  @inline(__always)
  func slot(of name: ByteSlice, among slots: UInt64) -> Int? {
    var rest = slots
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      if has(name, in: slot) { return slot }
      rest &= rest - 1
    }
    return nil
  }
}

extension ByteSlice {
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt64 {
    UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
