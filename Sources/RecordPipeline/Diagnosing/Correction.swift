/// Options under which the refused lines of a file would be good, found by trying them.
///
/// The lines are read by the very code that loads them, so the command with these options loads
/// what the sample stands for.
struct Correction {
  /// nil: the unit that was declared.
  var timeUnit: TimeUnit?
  /// nil: as declared; `.some(nil)`: no field.
  var unwrapField: String??
  /// nil: the stream that was declared.
  var stream: RecordStream?

  private var changeCount: Int {
    (timeUnit == nil ? 0 : 1) + (unwrapField == nil ? 0 : 1) + (stream == nil ? 0 : 1)
  }

  /// The fewest changes under which at least three quarters of the sample are good.
  ///
  /// Of several, the one that leaves the fewest fields without a column.
  static func find(
    for sample: RejectSample, stream: RecordStream, rules: NormalizationRules
  ) -> Correction? {
    guard !sample.lines.isEmpty else { return nil }
    let unwrapFields = UnwrapCandidates.fields(of: sample.lines[0], rules: rules)
    let declared = Trial(sample, stream: stream, rules: rules)
    var best: (correction: Correction, trial: Trial)?
    for correction in candidates(stream: stream, rules: rules, unwrapFields: unwrapFields) {
      if let best, best.correction.changeCount < correction.changeCount { break }
      let trial = Trial(
        sample, stream: correction.stream ?? stream, rules: correction.applied(to: rules))
      guard trial.goodCount * 4 >= sample.lines.count * 3 else { continue }
      // A stream that knows less of a line than the declared one is not what the line is.
      if correction.stream != nil, correction.unwrapField == nil,
        trial.unknownCount > declared.unknownCount
      {
        continue
      }
      if let best, best.trial.isAtLeastAsGood(as: trial) { continue }
      best = (correction, trial)
    }
    return best?.correction
  }

  private func applied(to rules: NormalizationRules) -> NormalizationRules {
    var rules = rules
    if let timeUnit { rules.timeUnit = timeUnit }
    if let unwrapField { rules.unwrapField = unwrapField }
    return rules
  }

  /// All but the declared options, those with the fewest changes first.
  private static func candidates(
    stream: RecordStream, rules: NormalizationRules, unwrapFields: [String]
  ) -> [Correction] {
    let units = [nil] + TimeUnit.allCases.filter { $0 != rules.timeUnit }.map(Optional.some)
    var fields: [String??] = [nil] + unwrapFields.map { .some(.some($0)) }
    if rules.unwrapField != nil { fields.append(.some(nil)) }
    let streams = [nil] + StreamCatalog.all.filter { $0.name != stream.name }.map(Optional.some)
    let all = units.flatMap { unit in
      fields.flatMap { field in
        streams.map { Correction(timeUnit: unit, unwrapField: field, stream: $0) }
      }
    }
    // By the number of changes, else in the order made: the sort is stable.
    return (1...3).flatMap { count in all.filter { $0.changeCount == count } }
  }

  // MARK: - In words

  /// The arguments to add, or to use instead of those that were given.
  var options: String {
    var options: [String] = []
    if let timeUnit { options.append("--time-unit \(timeUnit.rawValue)") }
    if case .some(.some(let field)) = unwrapField {
      options.append("--unwrap \(Self.quoted(field))")
    }
    if case .some(.none) = unwrapField { options.append("no --unwrap") }
    if let stream { options.append("--stream \(stream.name)") }
    return options.joined(separator: " ")
  }

  var sentence: String {
    var causes: [String] = []
    if let timeUnit { causes.append("all times look like \(timeUnit.noun)") }
    if case .some(.some(let field)) = unwrapField {
      causes.append("the records look wrapped in the field \(field)")
    }
    if case .some(.none) = unwrapField { causes.append("the records look unwrapped") }
    if let stream { causes.append("the lines look like \(stream.recordNoun)") }
    return "\(causes.joined(separator: " and ")): \(options)"
  }

  /// A field's name as a shell takes it.
  private static func quoted(_ field: String) -> String {
    let isPlain = field.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        || (byte < 0x80 && Unicode.Scalar(byte).properties.isAlphabetic)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return isPlain ? field : "'" + field.replacing("'", with: #"'\''"#) + "'"
  }
}

extension TimeUnit {
  fileprivate var noun: String {
    switch self {
    case .seconds: "seconds"
    case .milliseconds: "milliseconds"
    case .microseconds: "microseconds"
    }
  }
}

/// What becomes of a sample under some rules.
private struct Trial {
  private(set) var goodCount = 0
  /// Members without a column, over all lines.
  let unknownCount: Int

  init(_ sample: RejectSample, stream: RecordStream, rules: NormalizationRules) {
    var rules = rules
    rules.rowDigestKey = nil
    var encoder = RecordEncoder(
      stream: stream, rules: rules, sourceFileID: 0,
      routing: RoutingStart(largestKnownKey: nil, memory: 0, seed: 0))
    for (index, bytes) in sample.lines.enumerated() {
      let line = StoredLine(bytes: bytes, number: index + 1, byteOffset: 0)
      // Without memory for a line there is no guess at it.
      let outcome = try? line.withLine { try encoder.encode($0) }
      if case .row = outcome { goodCount += 1 }
    }
    unknownCount = encoder.unknownFields.map(\.lineCount).reduce(0, +)
  }

  func isAtLeastAsGood(as other: Trial) -> Bool {
    (-goodCount, unknownCount) <= (-other.goodCount, other.unknownCount)
  }
}

/// The fields of a line that may hold its record.
private enum UnwrapCandidates {
  /// More than these are not tried.
  private static let limit = 8

  static func fields(of bytes: [UInt8], rules: NormalizationRules) -> [String] {
    var fields: [String] = []
    let stored = StoredLine(bytes: bytes, number: 1, byteOffset: 0)
    stored.withLine { line in
      do throws(Rejection) {
        try ObjectParser().forEachMember(of: line.bytes, maxDepth: rules.limits.nesting) {
          member throws(Rejection) in
          guard fields.count < limit, !member.isKeyEscaped, mayHoldRecord(member.value) else {
            return
          }
          let name = member.key.text
          if name != rules.unwrapField, !isSecretFieldName(name), !fields.contains(name) {
            fields.append(name)
          }
        }
      } catch {
        // A line that is no object has no field to unwrap.
        fields = []
      }
    }
    return fields
  }

  private static func mayHoldRecord(_ value: RawValue) -> Bool {
    switch value.kind {
    case .object: true
    case .string:
      value.text.buffer.first { !ByteSlice.isWhiteSpace($0) } == UInt8(ascii: "{")
    case .null, .true, .false, .number, .array: false
    }
  }
}
