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
