/// The outcome of one line, and of each of its fields.
package struct LineExplanation: Sendable {
  /// One field, by one of its spellings.
  package struct Field: Sendable {
    /// The spelling in the line; the field's first spelling when it is absent.
    package let name: String
    /// The JSON as written, but a secret as its digest; nil when the field is absent.
    package let source: String?
    package let rule: String
    package let result: Result
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
  package let embeddedTable: String?
  /// Known fields, in the stream's order; empty when the line is not one object within the limits.
  package let fields: [Field]
  /// The JSON object of the members without a column; nil when there are none.
  package let extra: String?
  /// The line as a reject stores it; empty for a row.
  package let masked: [UInt8]

  init(
    verdict: Verdict, embeddedTable: String? = nil, fields: [Field] = [], extra: String? = nil,
    masked: [UInt8] = []
  ) {
    self.verdict = verdict
    self.embeddedTable = embeddedTable
    self.fields = fields
    self.extra = extra
    self.masked = masked
  }
}

/// The results of the members of an object within a field, such as the receipt of an event.
enum MemberResults {
  /// The entries of the members, named like `data.price`.
  ///
  /// - Parameters:
  ///   - line: a line that was encoded as an event.
  ///   - rejection: the problem of a member; nil when there is none.
  static func fields(
    of line: inout DecodedLine, rejection: Rejection?
  ) -> [LineExplanation.Field] {
    let outer = EventReader.nameOfData
    let rejection = rejection.map { $0.inside(outer) }
    let fields: [LineExplanation.Field]
    if let record = line.embedded {
      fields = FieldResults(&record.decoder.line, of: .receipt, rejection: rejection).fields
    } else if let reader = line.companion as? EventReader {
      fields = members(of: reader, rejection)
    } else {
      fields = []
    }
    return fields.map { $0.inside(outer) }
  }

  private static func members(
    of reader: EventReader, _ rejection: Rejection?
  ) -> [LineExplanation.Field] {
    var fields = reader.occurrences.map { member in
      let result: LineExplanation.Result =
        switch rejection {
        case nil: .becomes(["\(member.column) = \(member.source)"])
        case let rejection? where rejection.field == member.name:
          .refused(rejection.code, rejection.reason)
        case let rejection?: .notChecked(rejection.field ?? "")
        }
      return LineExplanation.Field(
        name: member.name, source: member.source, rule: member.rule, result: result)
    }
    if let rejection, let field = rejection.field, !fields.contains(where: { $0.name == field }) {
      fields.append(
        LineExplanation.Field(
          name: field, source: field == reader.nameOfPush ? reader.sourceOfPush : nil,
          rule: EventData.summary,
          result: .refused(rejection.code, rejection.reason)))
    }
    return fields
  }
}

extension Rejection {
  /// The rejection with the name of the field as the object within `outer` has it.
  fileprivate func inside(_ outer: String) -> Rejection {
    guard let field, field.hasPrefix("\(outer).") else { return self }
    return Rejection(code, field: String(field.dropFirst(outer.count + 1)), reason)
  }
}

extension LineExplanation.Field {
  /// The entry of a member of the object in the field `outer`.
  fileprivate func inside(_ outer: String) -> Self {
    var result = result
    if case .notChecked(let field) = result { result = .notChecked("\(outer).\(field)") }
    return Self(name: "\(outer).\(name)", source: source, rule: rule, result: result)
  }
}

extension RowBuffer {
  /// The values of a row in readable form; nil for NULL.
  ///
  /// Times are in RFC 3339 and UTC, digests in hexadecimal.
  func texts(of row: RowPlace, columns: [Column]) -> [String?] {
    var position = row.keyStart
    return columns.map { column in
      let length = Int(
        Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)))
      position += MemoryLayout<Int32>.size
      guard length >= 0 else { return nil }
      defer { position += length }
      return text(UnsafeRawBufferPointer(rebasing: bytes[position..<position + length]), column)
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
