/// A change of one option under which the refused lines of a file become rows, found by trial.
///
/// A trial encodes sampled lines with the loader's own code, so a load with the option accepts such lines.
struct Correction {
  /// The arguments to add or replace on the command line, or to remove: `no --unwrap`.
  let options: String
  private let cause: String
  private let stream: RecordStream
  private let rules: NormalizationRules

  var sentence: String { "\(cause): \(options)" }

  /// The correction under which most of the sample become rows, and at least three quarters.
  ///
  /// Among several, it is the one with the fewest unknown fields.
  static func find(
    for sample: RejectSample, stream: RecordStream, rules: NormalizationRules
  ) -> Correction? {
    let unknownCount = Trial(sample, stream: stream, rules: rules).unknownCount
    let trials = candidates(for: sample, stream: stream, rules: rules).map { correction in
      (correction, Trial(sample, stream: correction.stream, rules: correction.rules))
    }
    return trials.filter { correction, trial in
      // A stream that knows fewer fields of the lines than the given stream is not theirs.
      trial.goodCount > 0 && trial.goodCount * 4 >= sample.lines.count * 3
        && (correction.stream.name == stream.name || trial.unknownCount <= unknownCount)
    }.min { ($1.1.goodCount, $0.1.unknownCount) < ($0.1.goodCount, $1.1.unknownCount) }?.0
  }

  private static func candidates(
    for sample: RejectSample, stream: RecordStream, rules: NormalizationRules
  ) -> [Correction] {
    func with(_ options: String, _ cause: String, _ change: (inout NormalizationRules) -> Void)
      -> Correction
    {
      var rules = rules
      rules.rowDigestKey = nil
      change(&rules)
      return Correction(options: options, cause: cause, stream: stream, rules: rules)
    }
    let units = TimeUnit.allCases.filter { $0 != rules.timeUnit }.map { unit in
      with("--time-unit \(unit.rawValue)", "all times look like \(unit)") { $0.timeUnit = unit }
    }
    let wrapped = (sample.lines.first.map { Members(of: $0).wrapping } ?? [])
      .filter { $0 != rules.unwrapField && !isSecretFieldName($0) }.prefix(8).map { field in
        with("--unwrap \(quoted(field))", "the records look wrapped in the field \(field)") {
          $0.unwrapField = field
        }
      }
    let unwrapped =
      rules.unwrapField == nil
      ? [] : [with("no --unwrap", "the records look unwrapped") { $0.unwrapField = nil }]
    let streams = StreamCatalog.all.filter { $0.name != stream.name }.map { other in
      Correction(
        options: "--stream \(other.name)", cause: "the lines look like \(other.recordNoun)",
        stream: other, rules: with("", "") { _ in }.rules)
    }
    return units + wrapped + unwrapped + streams
  }

  /// A field's name, quoted for a shell.
  private static func quoted(_ field: String) -> String {
    field.wholeMatch(of: /[A-Za-z0-9_\-]+/) != nil
      ? field : "'" + field.replacing("'", with: #"'\''"#) + "'"
  }
}

/// The result of encoding a sample under some rules.
private struct Trial {
  private(set) var goodCount = 0
  /// The number of unknown fields, summed over all lines.
  let unknownCount: Int

  init(_ sample: RejectSample, stream: RecordStream, rules: NormalizationRules) {
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
        func begins(_ text: some Sequence<UInt8>) -> Bool {
          text.first { !ByteSlice.isWhiteSpace($0) } == UInt8(ascii: "{")
        }
        switch member.value.kind {
        case .object, .string:
          if begins(member.value.text.buffer) { wrapping.append(member.key.text) }
        case .array:
          if begins(member.value.text.buffer.dropFirst()) { arrays.append(member.key.text) }
        default: break
        }
      }
    }
  }
}
