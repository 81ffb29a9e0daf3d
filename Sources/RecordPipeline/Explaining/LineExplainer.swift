/// Explains what becomes of a line, field by field.
///
/// A load stops at the first problem of a line. To report every problem, the explainer runs the
/// same code, replaces the field at fault by a valid value, and repeats this until the line becomes
/// a row.
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
    var embeddedTable: String?
    let verdict: LineExplanation.Verdict
    switch try encoder.encode(line) {
    // Without a database there are no erased users.
    case .row, .suppressed:
      verdict = .row
      if encoder.embeddedRowCount > 0 { embeddedTable = stream.embedded?.targetTable }
    case .blank: return LineExplanation(verdict: .blank)
    case .rejected(let found):
      rejection = found
      verdict = .rejected(found)
    }
    let masked = rejection.map { encoder.reject(line, $0).raw } ?? []
    var decoder = LineDecoder(names: stream.fields, rules: rules)
    guard !line.isTooLong, decoder.decodes(line) else {
      return LineExplanation(verdict: verdict, masked: masked)
    }
    let results = FieldResults(&decoder.line, of: stream, rejection: rejection)
    return LineExplanation(
      verdict: verdict, embeddedTable: embeddedTable, fields: results.fields,
      extra: results.extra, masked: masked)
  }
}

extension LineDecoder {
  /// Decodes a line; false when it is not one object within the limits.
  fileprivate mutating func decodes(_ line: InputLine) -> Bool {
    do throws(Rejection) { try decode(line.bytes) } catch { return false }
    return true
  }
}

/// The result of each field of a line.
struct FieldResults {
  private let stream: RecordStream
  /// The spellings of each field on the line with their JSON, as they were before any replacement.
  private let occurrences: [[(name: String, source: String)]]
  /// The problems of each field, by the index of its description.
  private var problems: [Int: [Rejection]] = [:]
  /// Values by column, without NULLs; empty when the line never becomes a row.
  private var values: [String: String] = [:]
  /// The results of the members of an object within a field; nil until the line was encoded.
  private var members: [LineExplanation.Field]?
  private let original: Rejection?

  /// - Parameter rejection: the reason why the line was refused.
  init(_ line: inout DecodedLine, of stream: RecordStream, rejection: Rejection?) {
    self.stream = stream
    original = rejection
    occurrences = stream.descriptions.map { line.occurrences(of: $0.field) }
    encodeUntilValid(&line)
  }

  var extra: String? { values["extra"] }
  var fields: [LineExplanation.Field] {
    stream.descriptions.indices.flatMap(explained) + (members ?? [])
  }

  // MARK: - Problems

  /// Encodes the line until it becomes a row, and replaces each field at fault by a valid value.
  private mutating func encodeUntilValid(_ line: inout DecodedLine) {
    var replaced: Set<Int> = []
    while true {
      var row = RowBuffer()
      row.beginRow(columnCount: stream.allColumns.count)
      do throws(Rejection) {
        try stream.encode(&line, &row)
        let place = row.finishRow(&line, sourceFileID: 0, lineNumber: 1)
        let texts = row.texts(of: place, columns: stream.allColumns)
        for (column, text) in zip(stream.allColumns, texts) { values[column.name] = text }
        if members == nil { members = MemberResults.fields(of: &line, rejection: nil) }
        return
      } catch {
        if members == nil, error.field?.contains(".") ?? false, stream.embeddedStreamName != nil {
          members = MemberResults.fields(of: &line, rejection: original ?? error)
          line.lacksData = true
          continue
        }
        guard let name = error.field, let index = stream.description(spelled: name) else { return }
        let isUnchecked = error.code.dependsOnOtherField && refusedDependency(of: index) != nil
        if !isUnchecked { problems[index, default: []].append(error) }
        // Each spelling is checked by itself, unless the problem is that the spellings disagree.
        let description = stream.descriptions[index]
        let isOneOfMany = Set(line.occurrences(of: description.field).map(\.name)).count > 1
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

  /// The index of a refused field whose value the check of this field needs; nil without one.
  private func refusedDependency(of index: Int) -> Int? {
    stream.descriptions[index].dependencies.lazy.compactMap { dependency in
      stream.descriptions.firstIndex { $0.field == dependency }
    }.first { problems[$0] != nil }
  }

  // MARK: - Texts

  /// The entries of a field: one for each spelling on the line.
  ///
  /// An absent field has one entry if it is mandatory or has a default that is not empty, else
  /// none.
  private func explained(_ index: Int) -> [LineExplanation.Field] {
    let description = stream.descriptions[index]
    let found = problems[index] ?? []
    let otherwise: LineExplanation.Result =
      refusedDependency(of: index).map { .notChecked(stream.ownName(of: stream.descriptions[$0])) }
      ?? .becomes(becomes(description))
    func field(_ name: String, _ source: String?, _ problem: Rejection?) -> LineExplanation.Field {
      .init(
        name: name, source: source, rule: description.kind.summary,
        result: problem.map { .refused($0.code, $0.reason) } ?? otherwise)
    }
    if !occurrences[index].isEmpty {
      return occurrences[index].map { name, source in
        let own = found.first { $0.field == name }
        return field(name, source, own ?? found.first { $0.code == .ambiguousField })
      }
    }
    let value = description.columns.first.flatMap { values[$0.name] } ?? ""
    guard
      description.kind.isMandatory || !found.isEmpty
        || (description.kind.hasDefault && !value.isEmpty)
    else {
      return []
    }
    return [field(stream.ownName(of: description), nil, found.first)]
  }

  /// The value of the first column, and of each further column that is neither NULL nor false.
  ///
  /// Secret columns are left out.
  private func becomes(_ description: FieldDescription) -> [String] {
    if description.columns.isEmpty {
      return [description.kind.isKeptInExtra ? "kept in extra" : "not stored"]
    }
    return description.columns.filter { $0.role != .secret }.enumerated().compactMap {
      index, column in
      let value = values[column.name]
      guard index == 0 || (value != nil && value != "false") else { return nil }
      return "\(column.name) = \(value ?? "NULL")"
    }
  }
}

extension RecordStream {
  /// The index of the field that has the name as one of its spellings.
  fileprivate func description(spelled name: String) -> Int? {
    descriptions.firstIndex { description in
      fields.names.indices.contains { description.field.has(slot: $0) && fields.names[$0] == name }
    }
  }

  fileprivate func ownName(of description: FieldDescription) -> String {
    fields.names[description.field.firstSlot]
  }
}

extension RejectCode {
  /// True when the value of another field decides whether a value has this problem.
  fileprivate var dependsOnOtherField: Bool {
    switch self {
    case .currencyNotValidAtTime, .priceTooPrecise, .priceOutOfRange: true
    default: false
    }
  }
}
