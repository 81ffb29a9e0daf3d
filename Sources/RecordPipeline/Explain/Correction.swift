/// Options under which the refused lines of a file become rows, found by trial.
///
/// A trial encodes sampled lines with the loader's own code, so a load with these options accepts
/// such lines.
struct Correction {
  /// nil when the given unit stays.
  var timeUnit: TimeUnit?
  /// nil when the given `--unwrap` stays; `.some(nil)` when the option must be left out.
  var unwrapField: String??
  /// nil when the given stream stays.
  var stream: RecordStream?

  private var changeCount: Int {
    (timeUnit == nil ? 0 : 1) + (unwrapField == nil ? 0 : 1) + (stream == nil ? 0 : 1)
  }

  /// The correction with the fewest changes under which at least three quarters of the sample become rows.
  ///
  /// Among several, it is the one with the most rows, and then the one with the fewest unknown
  /// fields.
  static func find(
    for sample: RejectSample, stream: RecordStream, rules: NormalizationRules
  ) -> Correction? {
    guard !sample.lines.isEmpty else { return nil }
    let unwrapFields = WrappingFields.wrapping(of: sample.lines[0], rules: rules)
    let declared = Trial(sample, stream: stream, rules: rules)
    var best: (correction: Correction, trial: Trial)?
    for correction in candidates(stream: stream, rules: rules, unwrapFields: unwrapFields) {
      if let best, best.correction.changeCount < correction.changeCount { break }
      let trial = Trial(
        sample, stream: correction.stream ?? stream, rules: correction.applied(to: rules))
      guard trial.goodCount * 4 >= sample.lines.count * 3 else { continue }
      // A stream that knows fewer fields of the lines than the given stream is not theirs.
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

  /// All combinations of options except the given one, ordered by the number of changes.
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
    // Combinations with the same number of changes keep their order.
    return (1...3).flatMap { count in all.filter { $0.changeCount == count } }
  }

  // MARK: - Texts

  /// The arguments to add or replace on the command line, or to remove: `no --unwrap`.
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

  /// A field's name, quoted for a shell.
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

/// The result of encoding a sample under some rules.
private struct Trial {
  private(set) var goodCount = 0
  /// The number of unknown fields, summed over all lines.
  let unknownCount: Int

  init(_ sample: RejectSample, stream: RecordStream, rules: NormalizationRules) {
    var rules = rules
    rules.rowDigestKey = nil
    var encoder = RecordEncoder(
      stream: stream, rules: rules, sourceFileID: 0,
      routing: RoutingStart(largestKnownKey: nil, memory: 0, seed: 0))
    for (index, bytes) in sample.lines.enumerated() {
      let line = StoredLine(bytes: bytes, number: index + 1, byteOffset: 0)
      // A line for which there is no memory counts as bad.
      let outcome = try? line.withLine { try encoder.encode($0) }
      if case .row = outcome { goodCount += 1 }
    }
    unknownCount = encoder.unknownFields.map(\.lineCount).reduce(0, +)
  }

  func isAtLeastAsGood(as other: Trial) -> Bool {
    (-goodCount, unknownCount) <= (-other.goodCount, other.unknownCount)
  }
}

/// The fields of a line that may hold its record, or its records.
enum WrappingFields {
  private static let limit = 8

  /// Candidates for `--unwrap`.
  static func wrapping(of bytes: [UInt8], rules: NormalizationRules) -> [String] {
    fields(of: bytes, rules: rules, where: mayHoldRecord)
  }

  /// The first field with an array that begins with an object; nil: there is none.
  static func array(of bytes: [UInt8], rules: NormalizationRules) -> String? {
    fields(of: bytes, rules: rules) { value in
      value.kind == .array
        && value.text.buffer.dropFirst().first { !ByteSlice.isWhiteSpace($0) } == UInt8(ascii: "{")
    }.first { $0.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil }
  }

  private static func fields(
    of bytes: [UInt8], rules: NormalizationRules, where holds: (RawValue) -> Bool
  ) -> [String] {
    var fields: [String] = []
    let stored = StoredLine(bytes: bytes, number: 1, byteOffset: 0)
    stored.withLine { line in
      do throws(Rejection) {
        try ObjectParser().forEachMember(of: line.bytes, maxDepth: rules.limits.nesting) {
          member throws(Rejection) in
          guard fields.count < limit, !member.isKeyEscaped, holds(member.value) else {
            return
          }
          let name = member.key.text
          if name != rules.unwrapField, !isSecretFieldName(name), !fields.contains(name) {
            fields.append(name)
          }
        }
      } catch {
        // A line that is not an object has no fields.
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
