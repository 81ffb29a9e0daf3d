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
