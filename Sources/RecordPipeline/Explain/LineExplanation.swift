/// The outcome of one line, and of each of its fields.
package struct LineExplanation: Sendable {
  /// One field, by one of its spellings.
  package struct Field: Sendable {
    /// The spelling in the line, such as `data.price`; the field's first spelling when it is absent.
    package let name: String
    /// The JSON as written, but a secret as its digest; nil when the field is absent.
    package let source: String?
    package let result: Result
  }

  package enum Result: Sendable, Equatable {
    /// `column = value` for the first column, and for each further one that is neither NULL nor false.
    case becomes([String])
    case refused(RejectCode, String)
    /// Not checked, because the check needs the field with this name, which was refused.
    case notChecked(String)
  }

  /// Where the line is refused, the first of its problems, which `load` records.
  package let outcome: LineOutcome
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
    outcome = try encoder.encode(line, to: &row)
    let event = encoder.event?.content == .receipt ? encoder.event : nil
    if case .rejected = outcome {
      masked = TokenMasking.keptLine(line.bytes, limits: rules.limits)
    } else if event != nil {
      embeddedTable = stream.embedded?.targetTable
    }
    guard encoder.isDecoded else { return }
    let problems = encoder.decoded.problems
    encoder.decoded.finish(&row, 0, lineNumber: line.number)
    let texts = row.texts(of: stream.allColumns)
    extra = zip(stream.allColumns, texts).first { $0.0.name == "extra" }?.1
    fields = encoder.decoded.results(problems, stream.columns, texts)
    guard let event else { return }
    let columns = RecordStream.receipt.columns
    event.receipt.finish(&event.receiptRow, 0, lineNumber: line.number)
    fields += event.receipt.results(
      problems, columns, event.receiptRow.texts(of: columns), within: "\(EventEncoder.nameOfData).")
  }
}

extension DecodedLine {
  /// An entry for each value of a field, and for an absent field that is mandatory or has a default that is not empty.
  ///
  /// - Parameters:
  ///   - problems: of the whole line, of which this one may be a part.
  ///   - texts: the values of the columns; nil for NULL.
  ///   - outer: the name of the field that holds this object, with a point; empty for the line itself.
  fileprivate func results(
    _ problems: [Rejection], _ columns: [Column], _ texts: [String?], within outer: String = ""
  ) -> [LineExplanation.Field] {
    var entries: [LineExplanation.Field] = []
    for field in stream.fields where field.slots != 0 && field.kind != .anyOf {
      let names = stream.slots(of: field).map { outer + path($0) }
      let own = problems.filter { $0.field.map(names.contains) ?? false }
      // A value beside a refused one of its field is not taken.
      let judge = own.first?.field ?? refusedJudge(of: field).map { outer + path($0.firstSlot) }
      let otherwise =
        judge.map(LineExplanation.Result.notChecked) ?? .becomes(values(of: field, columns, texts))
      var given = occurrences(of: field.slots).map { ($0, Optional($1)) }
      let hasValue = field.kind.hasDefault && texts[field.columns.lowerBound] ?? "" != ""
      if given.isEmpty, !own.isEmpty || !field.isInData && (field.isMandatory || hasValue) {
        given = [(field.firstSlot, nil)]
      }
      for (slot, value) in given {
        let name = outer + path(slot)
        let problem = own.first { $0.field == name } ?? own.first { $0.code == .ambiguousField }
        entries.append(
          .init(
            name: name, source: value?.source(named: stream.names[slot]),
            result: problem.map { .refused($0.code, $0.reason) } ?? otherwise))
      }
    }
    // The members of an object come after the fields beside it.
    return (0...2).flatMap { depth in
      entries.filter { $0.name.count { $0 == "." } == depth }
    }
  }

  /// The refused field whose value the check of a field needs; nil without one.
  private func refusedJudge(of field: Field) -> Field? {
    let judge: Field? =
      switch field.kind {
      case .currency: timeField
      case .price: stream.field(.currency)
      case .eventData: stream.field(.eventCategory)
      default: nil
      }
    return judge.flatMap { isRefused($0.slots) ? $0 : nil }
  }

  /// The value of the first column, and of each further column that is neither NULL nor false.
  ///
  /// Secret columns are left out.
  private func values(of field: Field, _ columns: [Column], _ texts: [String?]) -> [String] {
    switch field.kind {
    case .checkedTime: return ["kept in extra"]
    case .unstoredUser: return ["not stored"]
    case .purchaseType: return ["decides is_sandbox and is_promotion"]
    default: break
    }
    let source = field.kind == .observation ? stream.field(.observationSource)?.columns : nil
    return [field.columns, source ?? 0..<0].joined().enumerated().compactMap { index, column in
      guard columns[column].role != .secret, index == 0 || ![nil, "false"].contains(texts[column])
      else { return nil }
      return "\(columns[column].name) = \(texts[column] ?? "NULL")"
    }
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
      if field.first == 0xFF { return nil }
      let value = UnsafeRawBufferPointer(rebasing: field[4...])
      var number: Int64 { value.reduce(0) { $0 << 8 | Int64($1) } }
      return switch column.type {
      case .text, .json: String(decoding: value, as: UTF8.self)
      case .boolean: value.first == 1 ? "true" : "false"
      case .integer: String(Int32(truncatingIfNeeded: number))
      case .bigint: String(number)
      case .timestamptz: instant(number / 1000 + TimeRule.earliestPossible)
      case .bytea, .uuid:
        value.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
      }
    }
  }
}
