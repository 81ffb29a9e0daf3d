/// A field that a stream has declared, for explanations.
struct FieldDescription: Sendable {
  let field: Spellings
  let kind: any ValueKind.Type
  /// The columns that its value ends in; none when it is kept in `extra`.
  fileprivate(set) var columns: [Column]
  /// Fields whose values decide how this one is judged.
  let dependencies: [Spellings]
}

/// What the parts of a stream declare, one after the other.
struct StreamDeclaration {
  private(set) var names = FieldNames()
  private(set) var descriptions: [FieldDescription] = []
  /// In the order in which the parts write them.
  var columns: [Column] = []

  /// Makes a field known by all its spellings.
  ///
  /// - Parameters:
  ///   - columns: those that its value ends in; nil: its own.
  ///   - dependencies: fields whose values decide how this one is checked.
  mutating func addNames<Kind>(
    of field: Field<Kind>, endingIn columns: [Column]? = nil,
    dependingOn dependencies: [Spellings] = []
  ) -> Spellings {
    let columns = columns ?? field.columns
    let spellings = names.add(
      field.spellings, isKeptInExtra: columns.isEmpty, isInEnvelope: Kind.isInEnvelope)
    descriptions.append(
      FieldDescription(
        field: spellings, kind: Kind.self, columns: columns, dependencies: dependencies))
    return spellings
  }

  /// Adds a column in which something more of a field's value ends.
  mutating func add(_ column: Column, to kind: any ValueKind.Type) {
    columns.append(column)
    for index in descriptions.indices where descriptions[index].kind == kind {
      descriptions[index].columns.append(column)
    }
  }

  /// Tells which columns so far may be NULL, of a stream that has declared its key.
  mutating func markOptionalKeys() {
    let optional = descriptions.filter { !$0.kind.isMandatory && !$0.kind.hasDefault }
      .flatMap(\.columns)
    for index in columns.indices {
      columns[index].isOptionalKey = optional.contains(columns[index])
    }
  }
}
