/// Explains lines of a stream: by the very code that loads them, run until nothing is left to
/// complain of.
///
/// `load` stops at the first thing that is wrong with a line. Here the field at fault is replaced
/// by one that passes, and the line is read again, so that every field gets its say.
package struct LineExplainer {
  private let stream: RecordStream
  private let rules: NormalizationRules

  package init(stream: RecordStream, rules: NormalizationRules) {
    self.stream = stream
    self.rules = rules
  }

  package func explain(_ line: InputLine) throws(ReadError) -> LineExplanation {
    let encoder = RecordEncoder(
      stream: stream, rules: rules, sourceFileID: 0,
      routing: RoutingStart(largestKnownKey: nil, memory: 0, seed: 0))
    var rejection: Rejection?
    let verdict: LineExplanation.Verdict
    switch try encoder.encode(line) {
    // Nobody is erased where there is no database.
    case .row, .suppressed: verdict = .row
    case .blank: return LineExplanation(verdict: .blank, fields: [], extra: nil, masked: [])
    case .rejected(let why):
      rejection = why
      verdict = .rejected(why)
    }
    let decoder = LineDecoder(names: stream.fields, rules: rules)
    guard !line.isTooLong, decoder.decodes(line) else {
      let masked = rejection.map { encoder.reject(line, $0).raw } ?? []
      return LineExplanation(verdict: verdict, fields: [], extra: nil, masked: masked)
    }
    // The masked line has the fate of the line, and nothing in it needs to be hidden.
    let masked = line.maskedForReplay(rules)
    let copy = StoredLine(bytes: masked, number: line.number, byteOffset: line.byteOffset)
    return copy.withLine { copy in
      guard decoder.decodes(copy) else {
        return LineExplanation(verdict: verdict, fields: [], extra: nil, masked: masked)
      }
      let judging = Judging(decoder.line, of: stream, verdict: rejection)
      return LineExplanation(
        verdict: verdict, fields: judging.fields, extra: judging.extra, masked: masked)
    }
  }
}

extension LineDecoder {
  /// Decodes a line; false when it is no object within the limits.
  fileprivate func decodes(_ line: InputLine) -> Bool {
    do throws(Rejection) { try decode(line.bytes) } catch { return false }
    return true
  }
}

/// A line's fields with what became of each.
private struct Judging {
  private(set) var fields: [LineExplanation.Field] = []
  let extra: String?

  /// - Parameter verdict: why the line itself was refused; its masked copy may say it differently.
  init(_ line: DecodedLine, of stream: RecordStream, verdict: Rejection?) {
    let descriptions = stream.fields.descriptions
    // What the line says, before any of it is replaced.
    let given = descriptions.map { line.given($0.field) }
    var problems: [Int: [Rejection]] = [:]
    var replaced: Set<Int> = []
    let row = RowBuffer()

    var place: RowPlace?
    while true {
      row.removeAll()
      row.beginRow(columnCount: stream.allColumns.count)
      do throws(Rejection) {
        try stream.encode(line, row)
        place = row.finishRow(line, sourceFileID: 0, lineNumber: 1)
        break
      } catch {
        guard let name = error.field, let index = stream.fields.description(spelled: name) else {
          break
        }
        let isUnjudged =
          error.code.dependsOnOtherField
          && Self.judges(of: index, descriptions).contains { problems[$0] != nil }
        if !isUnjudged { problems[index, default: []].append(error) }
        // Each spelling is judged by itself, unless it is their disagreement that is wrong.
        let field = descriptions[index].field
        let isOneOfMany = Set(line.given(field).map(\.name)).count > 1
        if isOneOfMany, error.code != .ambiguousField {
          line.remove(spelling: name)
        } else if replaced.insert(index).inserted {
          line.replace(field, with: descriptions[index].kind.sample)
        } else {
          break
        }
      }
    }
    if let verdict, let name = verdict.field, let index = stream.fields.description(spelled: name) {
      // The masked copy may be good where the line was not, or say otherwise why.
      if let said = problems[index]?.firstIndex(where: { $0.field == name }) {
        problems[index]?[said] = verdict
      } else {
        problems[index, default: []].insert(verdict, at: 0)
      }
    }

    let columns = stream.allColumns
    let values = place.map { row.texts(of: $0, columns: columns) } ?? []
    let byName = Dictionary(
      zip(columns.map(\.name), values).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    extra = byName["extra"] ?? nil

    for (index, description) in descriptions.enumerated() {
      let judge = Self.judges(of: index, descriptions).first { problems[$0] != nil }
      let otherwise: LineExplanation.Result =
        judge.map { .notJudged(stream.fields.ownName(of: descriptions[$0])) }
        ?? .becomes(Self.becomes(description.columns, byName))
      let found = problems[index] ?? []
      for (name, source) in given[index] {
        let problem =
          found.first { $0.field == name }
          ?? found.first { $0.code == .ambiguousField }
        fields.append(
          .init(
            name: name, source: source, rule: description.kind.summary,
            result: problem.map { .refused($0.code, $0.reason) } ?? otherwise))
      }
      guard given[index].isEmpty else { continue }
      // What is not there is told when it should be, or when something stands in for it.
      let value = description.columns.first.flatMap { byName[$0.name] ?? nil } ?? ""
      let isStoodIn = description.kind.hasStandIn && !value.isEmpty
      guard description.kind.isMandatory || isStoodIn else { continue }
      fields.append(
        .init(
          name: stream.fields.ownName(of: description), source: nil,
          rule: description.kind.summary,
          result: found.first.map { .refused($0.code, $0.reason) } ?? otherwise))
    }
  }

  /// The fields that decide how a field is judged.
  private static func judges(of index: Int, _ descriptions: [FieldDescription]) -> [Int] {
    descriptions[index].judgedBy.compactMap { judge in
      descriptions.firstIndex { $0.field.slots == judge.slots }
    }
  }

  /// The first column, and of the others those that say something.
  private static func becomes(_ columns: [Column], _ values: [String: String?]) -> [String] {
    if columns.isEmpty { return ["kept in extra"] }
    return columns.filter { $0.role != .secret }.enumerated().compactMap { index, column in
      let value = values[column.name] ?? nil
      guard index == 0 || (value != nil && value != "false") else { return nil }
      return "\(column.name) = \(value ?? "NULL")"
    }
  }
}

extension FieldNames {
  /// The place of the field that has a name among its spellings.
  fileprivate func description(spelled name: String) -> Int? {
    descriptions.firstIndex { description in
      names.indices.contains { description.field.has(slot: $0) && names[$0] == name }
    }
  }

  fileprivate func ownName(of description: FieldDescription) -> String {
    names[description.field.firstSlot]
  }
}

extension RejectCode {
  /// True when another field's value decides whether a value is wrong in this way.
  fileprivate var dependsOnOtherField: Bool {
    switch self {
    case .currencyNotValidAtTime, .priceTooPrecise, .priceOutOfRange: true
    default: false
    }
  }
}
