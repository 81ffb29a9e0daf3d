/// The outcome of one line, and of each of its fields.
package struct LineExplanation: Sendable {
  /// One field, by one of its spellings.
  package struct Field: Sendable {
    /// The spelling in the line, such as `data.price`; the field's first spelling when it is absent.
    package let name: String
    /// The JSON as written, but a secret as its digest; nil when the field is absent.
    package let source: String?
    package let result: Result

    fileprivate var isRefused: Bool {
      if case .refused = result { true } else { false }
    }
  }

  package enum Result: Sendable, Equatable {
    /// `column = value` for the first column, and for each further one that is neither NULL nor false.
    case becomes([String])
    case refused(RejectCode, String)
    /// Not checked, because the check needs the field with this name, which was refused.
    case notChecked(String)
  }

  package enum Verdict: Sendable, Equatable {
    case row, blank
    /// The first problem of the line, which is the one that `load` records.
    case rejected(Rejection)
  }

  package let verdict: Verdict
  /// The table that gets a row for the record within the line, such as `game.receipt`; nil when the
  /// line brings no second row.
  package private(set) var embeddedTable: String?
  /// Known fields, in the stream's order; empty when the line is not one object within the limits.
  package private(set) var fields: [Field] = []
  /// The JSON object of the members without a column; nil when there are none.
  package private(set) var extra: String?
  /// The line as a reject stores it; empty for a row.
  package private(set) var masked: [UInt8] = []

  /// Explains a line by the code that loads it.
  ///
  /// - Throws: `ReadError` when there is no memory for the line.
  package init(
    of line: InputLine, stream: RecordStream, rules: NormalizationRules
  ) throws(ReadError) {
    var encoder = LineEncoder(stream, rules: rules)
    var row = RowBuffer()
    switch try encoder.encode(line, to: &row) {
    case .blank:
      verdict = .blank
      return
    case .rejected(let rejection):
      verdict = .rejected(rejection)
      masked = TokenMasking.keptLine(line.bytes, limits: rules.limits)
    case .row, .suppressed:
      verdict = .row
      if encoder.event?.content == .receipt { embeddedTable = stream.embedded?.targetTable }
    }
    guard encoder.isDecoded else { return }
    encoder.decoded.finish(&row, 0, lineNumber: line.number)
    let texts = row.texts(of: stream.allColumns)
    extra = zip(stream.allColumns, texts).first { $0.0.name == "extra" }?.1
    let results = FieldResults(
      problems: encoder.decoded.problems, columns: stream.columns, texts: texts)
    fields = results.fields(of: encoder.decoded)
    guard let event = encoder.event else { return }
    fields += event.results(results)
  }
}

/// The results of the fields of a JSON object.
struct FieldResults {
  /// The problems of the whole line.
  let problems: [Rejection]
  let columns: [Column]
  /// The values of the columns; nil for NULL.
  let texts: [String?]
  /// The name of the field that holds the object, with a point; empty for the line itself.
  var prefix = ""
  /// The index of the first column of the object's fields.
  var firstColumn = 0
  /// True for an entry of an absent field if it is mandatory or has a default that is not empty.
  var showsAbsent = true

  /// The entries of the object's fields: one for each spelling on the line.
  func fields(of line: borrowing DecodedLine) -> [LineExplanation.Field] {
    var entries: [LineExplanation.Field] = []
    let names = line.table.names
    for field in line.table.fields where field.slots != 0 && field.kind != .anyOf {
      let spellings = line.table.spellings(of: field).map { prefix + $0 }
      let own = problems.filter { $0.field.map(spellings.contains) ?? false }
      // A value beside a refused one of its field is not taken.
      let otherwise =
        (own.first?.field ?? judge(of: field, in: line)).map(LineExplanation.Result.notChecked)
        ?? .becomes(values(of: field, in: line))
      var given = line.occurrences(of: field.slots).map { slot, value in
        (name: names[slot], source: Optional(value.source(named: names[slot])))
      }
      if given.isEmpty {
        let hasValue =
          field.kind.hasDefault && texts[firstColumn + field.columns.lowerBound] ?? "" != ""
        if !own.isEmpty || showsAbsent && (field.isMandatory || hasValue) {
          given = [(names[field.firstSlot], nil)]
        }
      }
      for (name, source) in given {
        let problem =
          own.first { $0.field == prefix + name } ?? own.first { $0.code == .ambiguousField }
        entries.append(
          .init(
            name: prefix + name, source: source,
            result: problem.map { .refused($0.code, $0.reason) } ?? otherwise))
      }
    }
    return entries
  }

  /// The name of the refused field whose value the check of a field needs; nil without one.
  private func judge(of field: Field, in line: borrowing DecodedLine) -> String? {
    let judge: Field? =
      switch field.kind {
      case .currency: line.timeField
      case .price: line.table.field(.currency)
      case .eventData: line.table.field(.eventCategory)
      default: nil
      }
    guard let judge, line.isRefused(judge.slots) else { return nil }
    return prefix + line.table.names[judge.firstSlot]
  }

  /// The value of the first column, and of each further column that is neither NULL nor false.
  ///
  /// Secret columns are left out.
  private func values(of field: Field, in line: borrowing DecodedLine) -> [String] {
    switch field.kind {
    case .checkedTime: return ["kept in extra"]
    case .unstoredUser: return ["not stored"]
    case .purchaseType: return ["decides is_sandbox and is_promotion"]
    default: break
    }
    let source = field.kind == .observation ? line.table.field(.observationSource)?.columns : nil
    return [field.columns, source ?? 0..<0].joined().enumerated().compactMap { index, column in
      let column = firstColumn + column
      guard columns[column].role != .secret, index == 0 || ![nil, "false"].contains(texts[column])
      else { return nil }
      return "\(columns[column].name) = \(texts[column] ?? "NULL")"
    }
  }
}

extension EventEncoder {
  /// The results of the members of the data, and of the receipt or the push message within it.
  fileprivate func results(_ message: FieldResults) -> [LineExplanation.Field] {
    var results = message
    results.prefix = "\(Self.nameOfData)."
    if content == .receipt {
      let columns = RecordStream.receipt.columns
      receipt.finish(&receiptRow, 0, lineNumber: 1)
      return FieldResults(
        problems: message.problems, columns: columns, texts: receiptRow.texts(of: columns),
        prefix: results.prefix
      ).fields(of: receipt)
    }
    guard hasMembers else { return [] }
    results.firstColumn = message.columns.firstIndex { $0.name == "code" } ?? 0
    results.showsAbsent = false
    let members = results.fields(of: data)
    guard content == .push else { return members }
    results.prefix = "\(Self.nameOfMessage)."
    return members.filter { $0.name != Self.nameOfMessage || $0.isRefused }
      + results.fields(of: push)
  }
}

extension RawValue {
  /// The JSON as written, with digests in place of tokens.
  fileprivate func source(named name: String) -> String {
    // The text of a value that the program supplies has no quotes around it.
    let source = kind == .string ? "\"\(text.text)\"" : text.text
    let head = "\"\(name)\":"
    return Array((head + source).utf8).withSlice { member in
      switch TokenMasking.kept(member) {
      case .unchanged: source
      case .masked(let masked):
        String(decoding: masked.dropFirst(head.utf8.count), as: UTF8.self)
      case .nothing:
        String(
          decoding: Secrets.quotedDigest(of: member.slice(head.utf8.count..<member.count)),
          as: UTF8.self)
      }
    }
  }
}

extension RowBuffer {
  /// The values of the only row in readable form; nil for NULL.
  ///
  /// Times are in RFC 3339 and UTC, digests in hexadecimal.
  func texts(of columns: [Column]) -> [String?] {
    let row = rows[0]
    return columns.enumerated().map { index, column in
      let field = row.fields(index..<index + 1)
      let isNull = field.first == 0xFF
      return isNull ? nil : text(UnsafeRawBufferPointer(rebasing: field[4...]), column)
    }
  }

  private func text(_ value: UnsafeRawBufferPointer, _ column: Column) -> String {
    switch column.type {
    case .text, .json:
      String(decoding: value, as: UTF8.self)
    case .boolean:
      value.first == 1 ? "true" : "false"
    case .integer:
      String(Int32(bigEndian: value.loadUnaligned(as: Int32.self)))
    case .bigint:
      String(Int64(bigEndian: value.loadUnaligned(as: Int64.self)))
    case .timestamptz:
      instant(
        Int64(bigEndian: value.loadUnaligned(as: Int64.self)) / 1000 + TimeRule.earliestPossible)
    case .bytea, .uuid:
      value.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
  }
}
