/// A declared field of a stream, for look-ups by kind and for explanations.
struct FieldDescription: Sendable {
  let field: FieldSlots
  let kind: any ValueKind.Type
  /// The columns that store its value; empty when `extra` keeps it.
  fileprivate(set) var columns: [Column]
  /// The fields whose values the check of this field needs.
  let dependencies: [FieldSlots]
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
    dependingOn dependencies: [FieldSlots] = [], orElse fallback: String? = nil
  ) -> FieldSlots {
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
  func field(of kind: any ValueKind.Type) -> FieldSlots? {
    descriptions.first { $0.kind == kind }?.field
  }

  /// The columns of fields, in the order of the fields.
  func columns(of fields: [FieldSlots]) -> [Column] {
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

/// A field of a stream: the vendor's spellings, the kind of its values, and the columns for them.
struct Field<Kind: ValueKind> {
  let spellings: [String]
  let columns: [Column]

  /// - Parameters:
  ///   - spellings: all names that lines use. Messages about an absent field use the first one.
  ///   - columnNames: one name for each of the kind's columns.
  init(_ spellings: String..., into columnNames: String...) {
    precondition(columnNames.count == Kind.columns.count, "a name for each column of \(Kind.self)")
    self.spellings = spellings
    columns = zip(columnNames, Kind.columns).map { $1.named($0) }
  }
}

extension Field: StreamPart where Kind: IndependentKind {
  func declare(in stream: inout StreamDeclaration) -> Writer {
    stream.columns += columns
    return Writer(field: stream.addNames(of: self))
  }

  struct Writer: PartWriter {
    let field: FieldSlots

    @inline(__always)
    func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection) {
      let value =
        Kind.isMandatory
        ? try line.required(field, Kind.normalize) : try line.value(field, Kind.normalize)
      Kind.write(value, of: &line, to: &row)
    }
  }
}

/// The owner of the record within a line.
enum EmbeddedOwner {
  typealias Reader = @Sendable (inout DecodedLine) -> EmbeddedOwner

  /// The line has no such record, or the record names no user of its own.
  case none
  /// The record, or its user, cannot be read.
  case unreadable
  /// `app` is nil when the record gives two different applications or an invalid one.
  case owner(user: [UInt8], app: [UInt8]?)
}

/// A part of a stream's declaration: a field, or several fields that are checked together.
protocol StreamPart {
  associatedtype Writer: PartWriter
  /// Declares the part's fields and columns; the columns in the order in which the writer writes
  /// them.
  func declare(in stream: inout StreamDeclaration) -> Writer
}

/// Writes the columns of a part of a stream.
///
/// It holds only the slots of its fields. The writers of a stream form one generic type, so that
/// the compiler specializes them to one function.
protocol PartWriter: Sendable {
  /// Writes the value of each column of the part.
  func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection)
}

/// Two parts in sequence.
struct PartPair<First: StreamPart, Second: StreamPart>: StreamPart {
  let first: First
  let second: Second

  func declare(in stream: inout StreamDeclaration) -> Writer {
    Writer(first: first.declare(in: &stream), second: second.declare(in: &stream))
  }

  struct Writer: PartWriter {
    let first: First.Writer
    let second: Second.Writer

    @inline(__always)
    func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection) {
      try first.write(&line, to: &row)
      try second.write(&line, to: &row)
    }
  }
}

/// Builds parts from a list in braces.
@resultBuilder
enum StreamParts {
  static func buildPartialBlock<Part>(first: Part) -> Part { first }

  static func buildPartialBlock<First, Second>(
    accumulated: First, next: Second
  ) -> PartPair<First, Second> { PartPair(first: accumulated, second: next) }
}
