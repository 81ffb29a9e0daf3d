/// A declared field of a stream, for look-ups by kind and for explanations.
struct FieldDescription: Sendable {
  let field: Spellings
  let kind: any ValueKind.Type
  /// The columns that store its value; empty when `extra` keeps it.
  fileprivate(set) var columns: [Column]
  /// The fields whose values the check of this field needs.
  let dependencies: [Spellings]
}

/// Collects the declarations of the parts of a stream.
struct StreamDeclaration {
  private(set) var names = FieldNames()
  private(set) var descriptions: [FieldDescription] = []
  /// The columns, in the order in which the parts write them.
  var columns: [Column] = []
  /// The name of the stream whose records lie within lines.
  var embeddedStreamName: String?
  /// The members of an object within a field, with their columns.
  var members: [FieldDescription] = []
  /// Reads the owner of such a record.
  var embeddedOwner: EmbeddedOwner.Reader?

  /// Adds a field with all its spellings.
  ///
  /// - Parameters:
  ///   - columns: the columns that store its value; nil for the columns that the field declares.
  ///   - dependencies: the fields whose values the check of this field needs.
  ///   - fallback: a spelling that counts only where the line has none of the others.
  mutating func addNames<Kind>(
    of field: Field<Kind>, endingIn columns: [Column]? = nil,
    dependingOn dependencies: [Spellings] = [], orElse fallback: String? = nil
  ) -> Spellings {
    let columns = columns ?? field.columns
    var spellings = names.add(
      field.spellings, isKeptInExtra: columns.isEmpty && Kind.isKeptInExtra,
      isInEnvelope: Kind.isInEnvelope)
    if let fallback { names.addFallback(fallback, for: &spellings) }
    descriptions.append(
      FieldDescription(
        field: spellings, kind: Kind.self, columns: columns, dependencies: dependencies))
    return spellings
  }

  /// The first field of a kind; nil when no part has declared one.
  func field(of kind: any ValueKind.Type) -> Spellings? {
    descriptions.first { $0.kind == kind }?.field
  }

  /// The columns of fields, in the order of the fields.
  func columns(of fields: [Spellings]) -> [Column] {
    fields.flatMap { field in descriptions.filter { $0.field == field }.flatMap(\.columns) }
  }

  /// Adds a column for a further property of the fields of a kind.
  mutating func add(_ column: Column, to kind: any ValueKind.Type) {
    columns.append(column)
    for index in descriptions.indices where descriptions[index].kind == kind {
      descriptions[index].columns.append(column)
    }
  }

  /// Marks the key columns that may be NULL.
  ///
  /// Call it after the key's parts are declared and before the other parts are.
  mutating func markOptionalKeys() {
    let optional = descriptions.filter { !$0.kind.isMandatory && !$0.kind.hasDefault }
      .flatMap(\.columns)
    for index in columns.indices {
      columns[index].isOptionalKey = optional.contains(columns[index])
    }
  }
}
