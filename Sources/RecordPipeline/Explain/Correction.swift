/// A change of one option, and the number of sampled lines that it makes good.
///
/// The sample is encoded with the loader's own code, so a load with the option accepts such lines.
struct Correction {
  /// The arguments to add or replace on the command line, or to remove: `no --unwrap`.
  let options: String
  private let cause: String
  private let isOfOtherStream: Bool
  private var goodCount = 0
  /// The number of unknown fields, summed over all lines.
  private let unknownCount: Int

  var sentence: String { "\(cause): \(options)" }

  /// The correction under which most of the sample become rows, and at least three quarters.
  ///
  /// Among several, it is the one with the fewest unknown fields.
  static func find(
    for sample: RejectSample, stream: RecordStream, rules: NormalizationRules
  ) -> Correction? {
    func with(
      _ options: String, _ cause: String, stream other: RecordStream? = nil,
      _ change: (inout NormalizationRules) -> Void = { _ in }
    ) -> Correction {
      var rules = rules
      rules.rowDigestKey = nil
      change(&rules)
      return Correction(
        options, cause, of: sample, stream: other ?? stream, rules: rules,
        isOfOtherStream: other != nil)
    }
    var corrections = TimeUnit.allCases.filter { $0 != rules.timeUnit }.map { unit in
      with("--time-unit \(unit.rawValue)", "all times look like \(unit)") { $0.timeUnit = unit }
    }
    let fields = sample.lines.first.map { Members(of: $0).wrapping } ?? []
    corrections += fields.filter { $0 != rules.unwrapField && !isSecretFieldName($0) }.prefix(8)
      .map { field in
        with("--unwrap \(quoted(field))", "the records look wrapped in the field \(field)") {
          $0.unwrapField = field
        }
      }
    if rules.unwrapField != nil {
      corrections.append(with("no --unwrap", "the records look unwrapped") { $0.unwrapField = nil })
    }
    corrections += StreamCatalog.all.filter { $0.name != stream.name }.map {
      with("--stream \($0.name)", "the lines look like \($0.recordNoun)", stream: $0)
    }
    // A stream that knows fewer fields of the lines than the given stream is not theirs.
    let unknownCount = with("", "").unknownCount
    return corrections.filter { correction in
      correction.goodCount > 0 && correction.goodCount * 4 >= sample.lines.count * 3
        && (!correction.isOfOtherStream || correction.unknownCount <= unknownCount)
    }.min { ($1.goodCount, $0.unknownCount) < ($0.goodCount, $1.unknownCount) }
  }

  private init(
    _ options: String, _ cause: String, of sample: RejectSample, stream: RecordStream,
    rules: NormalizationRules, isOfOtherStream: Bool
  ) {
    (self.options, self.cause, self.isOfOtherStream) = (options, cause, isOfOtherStream)
    var encoder = RecordEncoder(
      stream: stream, rules: rules, sourceFileID: 0,
      routing: RoutingStart(largestKnownKey: nil, memory: 0, seed: 0))
    for (index, bytes) in sample.lines.enumerated() {
      // A line for which there is no memory counts as bad.
      let outcome = try? InputLine.with(bytes: bytes, number: index + 1) { try encoder.encode($0) }
      if case .row = outcome { goodCount += 1 }
    }
    unknownCount = encoder.totals.unknownFields.map(\.lineCount).reduce(0, +)
  }

  /// A field's name, quoted for a shell.
  private static func quoted(_ field: String) -> String {
    field.wholeMatch(of: /[A-Za-z0-9_\-]+/) != nil
      ? field : "'" + field.replacing("'", with: #"'\''"#) + "'"
  }
}

/// The members of a line that may hold its record, or its records; none when it is not an object.
struct Members {
  /// Names of members with an object or the beginning of one in a text: candidates for `--unwrap`.
  private(set) var wrapping: [String] = []
  /// Names of members with an array of objects.
  private(set) var arrays: [String] = []

  init(of line: [UInt8]) {
    InputLine.with(bytes: line) { line in
      try? ObjectParser().forEachMember(of: line.bytes, maxDepth: Limits.anyNesting) {
        member throws(Rejection) in
        let isArray = member.value.kind == .array
        let text = member.value.text.buffer.dropFirst(isArray ? 1 : 0)
        guard text.first(where: { !ByteSlice.isWhiteSpace($0) }) == UInt8(ascii: "{") else {
          return
        }
        if isArray { arrays.append(member.key.text) } else { wrapping.append(member.key.text) }
      }
    }
  }
}
