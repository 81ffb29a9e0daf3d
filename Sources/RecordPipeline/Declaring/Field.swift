/// A field of a stream: one meaning, under one or more vendor spellings, and the columns that its
/// value ends in.
struct Field<Kind: ValueKind> {
  let spellings: [String]
  let columns: [Column]

  /// - Parameters:
  ///   - spellings: all names that lines use; the first one is used by messages.
  ///   - columnNames: one for each of the kind's columns.
  init(_ spellings: String..., into columnNames: String...) {
    precondition(columnNames.count == Kind.columns.count, "a name for each column of \(Kind.self)")
    self.spellings = spellings
    columns = zip(columnNames, Kind.columns).map { $1.named($0) }
  }
}

extension Field: StreamPart where Kind: LoneKind {
  func declare(in stream: inout StreamDeclaration) -> Writer {
    stream.columns += columns
    return Writer(field: stream.addNames(of: self))
  }

  struct Writer: PartWriter {
    let field: Spellings

    @inline(__always)
    func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection) {
      let value =
        Kind.isMandatory
        ? try line.required(field, Kind.normalize) : try line.value(field, Kind.normalize)
      Kind.write(value, of: &line, to: &row)
    }
  }
}

/// What the parts of a stream declare, one after the other.
struct StreamDeclaration {
  private(set) var names = FieldNames()
  /// In the order in which the parts write them.
  var columns: [Column] = []

  /// Makes a field known by all its spellings.
  ///
  /// - Parameters:
  ///   - columns: those that its value ends in; nil: its own.
  ///   - judges: fields whose values decide how this one is judged.
  mutating func addNames<Kind>(
    of field: Field<Kind>, endingIn columns: [Column]? = nil, judgedBy judges: [Spellings] = []
  ) -> Spellings {
    names.add(field.spellings, as: Kind.self, into: columns ?? field.columns, judgedBy: judges)
  }

  /// Adds a column in which something more of a field's value ends.
  mutating func add(_ column: Column, to kind: any ValueKind.Type) {
    columns.append(column)
    names.add(column, to: kind)
  }

  /// Tells which columns so far may be NULL, of a stream that has declared its key.
  mutating func markOptionalKeys() {
    let optional = names.descriptions.filter { !$0.kind.isMandatory && !$0.kind.hasStandIn }
      .flatMap(\.columns)
    for index in columns.indices {
      columns[index].isOptionalKey = optional.contains(columns[index])
    }
  }
}
