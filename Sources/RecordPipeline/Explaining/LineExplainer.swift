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
    var encoder = RecordEncoder(
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
    var decoder = LineDecoder(names: stream.fields, rules: rules)
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
      let judging = Judging(&decoder.line, of: stream, verdict: rejection)
      return LineExplanation(
        verdict: verdict, fields: judging.fields, extra: judging.extra, masked: masked)
    }
  }
}

extension LineDecoder {
  /// Decodes a line; false when it is no object within the limits.
  fileprivate mutating func decodes(_ line: InputLine) -> Bool {
    do throws(Rejection) { try decode(line.bytes) } catch { return false }
    return true
  }
}

/// What became of each field of a line.
private struct Judging {
  private let names: FieldNames
  /// What the line says of each field, before any of it is replaced.
  private let given: [[(name: String, source: String)]]
  /// What is wrong with fields, by their places among the descriptions.
  private var problems: [Int: [Rejection]] = [:]
  /// By column, what is not NULL; empty when there is no row.
  private var values: [String: String] = [:]

  /// - Parameter verdict: why the line itself was refused; its masked copy may say it differently.
  init(_ line: inout DecodedLine, of stream: RecordStream, verdict: Rejection?) {
    names = stream.fields
    given = names.descriptions.map { line.given($0.field) }
    judge(&line, as: stream)
    if let verdict { prefer(verdict) }
  }

  var extra: String? { values["extra"] }
  var fields: [LineExplanation.Field] { names.descriptions.indices.flatMap(explained) }

  // MARK: - What is wrong

  /// Encodes the line until it becomes a row, and replaces each field at fault by one that passes.
  private mutating func judge(_ line: inout DecodedLine, as stream: RecordStream) {
    var replaced: Set<Int> = []
    while true {
      var row = RowBuffer()
      row.beginRow(columnCount: stream.allColumns.count)
      do throws(Rejection) {
        try stream.encode(&line, &row)
        let place = row.finishRow(&line, sourceFileID: 0, lineNumber: 1)
        let texts = row.texts(of: place, columns: stream.allColumns)
        for (column, text) in zip(stream.allColumns, texts) { values[column.name] = text }
        return
      } catch {
        guard let name = error.field, let index = names.description(spelled: name) else { return }
        let isUnjudged = error.code.dependsOnOtherField && refusedJudge(of: index) != nil
        if !isUnjudged { problems[index, default: []].append(error) }
        // Each spelling is judged by itself, unless it is their disagreement that is wrong.
        let description = names.descriptions[index]
        let isOneOfMany = Set(line.given(description.field).map(\.name)).count > 1
        if isOneOfMany, error.code != .ambiguousField {
          line.remove(spelling: name)
        } else if replaced.insert(index).inserted {
          line.replace(description.field, with: description.kind.sample)
        } else {
          return
        }
      }
    }
  }

  /// Puts the verdict on the line in place of what its masked copy says, which may be good or differ.
  private mutating func prefer(_ verdict: Rejection) {
    guard let name = verdict.field, let index = names.description(spelled: name) else { return }
    if let said = problems[index]?.firstIndex(where: { $0.field == name }) {
      problems[index]?[said] = verdict
    } else {
      problems[index, default: []].insert(verdict, at: 0)
    }
  }

  /// The place of a field that decides how another is judged, and is wrong itself.
  private func refusedJudge(of index: Int) -> Int? {
    names.descriptions[index].judgedBy.lazy.compactMap { judge in
      names.descriptions.firstIndex { $0.field == judge }
    }.first { problems[$0] != nil }
  }

  // MARK: - In words

  /// A field by each of its spellings on the line; once when it is not there and should be, or when
  /// something stands in for it.
  private func explained(_ index: Int) -> [LineExplanation.Field] {
    let description = names.descriptions[index]
    let found = problems[index] ?? []
    let otherwise: LineExplanation.Result =
      refusedJudge(of: index).map { .notJudged(names.ownName(of: names.descriptions[$0])) }
      ?? .becomes(becomes(description.columns))
    func field(_ name: String, _ source: String?, _ problem: Rejection?) -> LineExplanation.Field {
      .init(
        name: name, source: source, rule: description.kind.summary,
        result: problem.map { .refused($0.code, $0.reason) } ?? otherwise)
    }
    if !given[index].isEmpty {
      return given[index].map { name, source in
        let own = found.first { $0.field == name }
        return field(name, source, own ?? found.first { $0.code == .ambiguousField })
      }
    }
    let value = description.columns.first.flatMap { values[$0.name] } ?? ""
    guard description.kind.isMandatory || (description.kind.hasStandIn && !value.isEmpty) else {
      return []
    }
    return [field(names.ownName(of: description), nil, found.first)]
  }

  /// The first column, and of the others those that say something; a secret is not shown.
  private func becomes(_ columns: [Column]) -> [String] {
    if columns.isEmpty { return ["kept in extra"] }
    return columns.filter { $0.role != .secret }.enumerated().compactMap { index, column in
      let value = values[column.name]
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
