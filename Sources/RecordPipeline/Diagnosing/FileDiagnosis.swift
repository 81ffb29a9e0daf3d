/// A guess at why a file has not one good line: it is of another kind, or was read with wrong options.
package struct FileDiagnosis: Sendable, Equatable {
  /// What the file looks like: a closed list for reports.
  package enum Kind: String, Sendable, CaseIterable {
    case archive, binary, html, xml, csv, tsv, array
    case wideText = "utf16"
    case prettyPrinted = "pretty_printed"
    case otherOptions = "other_options"
    case nanoseconds
    /// Nothing that is known here.
    case unknown
  }

  package let kind: Kind
  /// A clause that says what the file looks like, and what to do; holds no value of a line.
  package let guess: String
  /// The options that load it; nil where no option does.
  package let options: String?

  init(kind: Kind, guess: String, options: String? = nil) {
    self.kind = kind
    self.guess = guess
    self.options = options
  }

  /// - Parameters:
  ///   - sample: the refused lines of a file that has no good one.
  ///   - rules: those that refused them.
  package init(_ sample: RejectSample, stream: RecordStream, rules: NormalizationRules) {
    let signature = sample.first.flatMap { first in
      first.rejection.code.isOfBytes ? FileSignature.guess(first.raw) : nil
    }
    if let signature {
      self = signature
    } else if let correction = Correction.find(for: sample, stream: stream, rules: rules) {
      self.init(
        kind: .otherOptions, guess: correction.sentence, options: correction.options)
    } else {
      self.init(mostFrequentIn: sample)
    }
  }

  /// The most frequent cause, where nothing better is known.
  private init(mostFrequentIn sample: RejectSample) {
    var counts: [String: Int] = [:]
    for rejection in sample.rejections { counts[Self.cause(rejection), default: 0] += 1 }
    let ranked = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    guard let (cause, count) = ranked.first else {
      self.init(kind: .unknown, guess: "no line was refused")
      return
    }
    if cause.hasPrefix(RejectCode.timeInNanoseconds.rawValue), count == sample.rejections.count {
      self.init(
        kind: .nanoseconds,
        guess: "all times look like nanoseconds, which no --time-unit reads; deliver milliseconds")
      return
    }
    let total = sample.rejections.count
    let which =
      count < total
      ? "\(count) of the first \(total)" : total < RejectSample.size ? "all" : "the first \(total)"
    self.init(kind: .unknown, guess: "\(which) are refused with \(cause)")
  }

  private static func cause(_ rejection: Rejection) -> String {
    rejection.code.rawValue + (rejection.field.map { " (\($0))" } ?? "")
  }

  /// The message about a file without one good line.
  package func message(rejected: Int, lines: Int) -> String {
    "not one line is good (\(rejected) of \(lines) refused): \(guess)"
  }
}

extension RejectCode {
  /// True when the line is no JSON object, so that it may be of another format.
  fileprivate var isOfBytes: Bool {
    switch self {
    case .malformedJSON, .invalidUTF8, .notAnObject, .lineTooLong: true
    default: false
    }
  }
}
