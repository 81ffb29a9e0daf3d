/// A guess why no line of a file is valid: another file format, or wrong options.
package struct FileDiagnosis: Sendable, Equatable {
  /// The format of the file or the kind of mistake; a closed list for reports.
  package enum Kind: String, Sendable, CaseIterable {
    case archive, binary, html, xml, csv, tsv, array
    case wideText = "utf16"
    case prettyPrinted = "pretty_printed"
    case otherOptions = "other_options"
    case nanoseconds
    /// Neither a known format nor a known mistake.
    case unknown
  }

  package let kind: Kind
  /// The guess and the remedy, as a clause of a message; it contains no value of a line.
  package let guess: String
  /// The options with which the file would load; nil when none are known.
  package let options: String?

  /// The remedy for a file that was loaded although it ends in the middle of a line.
  package static let truncation =
    "looks truncated: its last line has no line feed and is not complete JSON; get the whole file, undo "
    + "this one, and load the whole one"

  init(kind: Kind, guess: String, options: String? = nil) {
    self.kind = kind
    self.guess = guess
    self.options = options
  }

  /// - Parameters:
  ///   - sample: refused lines of a file without a valid line.
  ///   - rules: the rules that refused them.
  package init(_ sample: RejectSample, stream: RecordStream, rules: NormalizationRules) {
    if let form = sample.form {
      self = form
    } else if let correction = Correction.find(for: sample, stream: stream, rules: rules) {
      self.init(
        kind: .otherOptions, guess: correction.sentence, options: correction.options)
    } else if let field = sample.lines.first.flatMap({ Members(of: $0).arrays.first }),
      field.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
    {
      self.init(
        kind: .array,
        guess:
          "the records look like an array in the field \(field); write one object a line: jq -c "
          + "'.\(field)[]', with the user of the request where the records have none")
    } else {
      self.init(mostFrequentIn: sample)
    }
  }

  /// The diagnosis of last resort: the most frequent reject code and field.
  private init(mostFrequentIn sample: RejectSample) {
    let causes = Dictionary(grouping: sample.rejections, by: Self.cause)
    let frequent = causes.min { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    guard let (cause, rejections) = frequent else {
      self.init(kind: .unknown, guess: "no line was refused")
      return
    }
    let (count, total, first) = (rejections.count, sample.rejections.count, rejections[0])
    if first.code == .timeInNanoseconds, count == total {
      self.init(
        kind: .nanoseconds,
        guess: "all times look like nanoseconds, which no --time-unit reads; deliver milliseconds")
      return
    }
    let which =
      count < total
      ? "\(count) of the first \(total)" : total < RejectSample.size ? "all" : "the first \(total)"
    // Times that are too new may be right, and a clock wrong, which only the reason says.
    let reason = first.code == .timeOutOfRange ? ": \(first.reason)" : ""
    self.init(kind: .unknown, guess: "\(which) are refused with \(cause)\(reason)")
  }

  private static func cause(_ rejection: Rejection) -> String {
    rejection.code.rawValue + (rejection.field.map { " (\($0))" } ?? "")
  }

  /// The message for a file without a valid line.
  package func message(rejected: Int, lines: Int) -> String {
    "not one line is good (\(rejected) of \(lines) refused): \(guess)"
  }
}

extension RejectCode {
  /// True when the line's bytes are at fault, so that the file may have another format.
  fileprivate var isOfBytes: Bool {
    [.malformedJSON, .invalidUTF8, .truncatedLine, .notAnObject, .lineTooLong].contains(self)
  }
}

/// A sample of a file's refused lines for a diagnosis: their counts by code, and the first few of
/// them.
///
/// Its memory is bounded.
package struct RejectSample: Sendable {
  package private(set) var countsByCode: [RejectCode: Int] = [:]
  /// The first refused line; nil when no line was refused.
  private(set) var first: RejectedLine?
  /// The complete lines among the first refused ones, masked like rejects.
  ///
  /// A masked line loads like its original.
  private(set) var lines: [[UInt8]] = []
  /// The rejections of the first refused lines, complete or not.
  private(set) var rejections: [Rejection] = []

  /// The number of sampled lines.
  ///
  /// A few suffice for a diagnosis, and each takes up to 64 KiB.
  static let size = 16

  /// The format of the file by its first line, when that is none of JSON; nil: it has no known form.
  var form: FileDiagnosis? {
    first.flatMap { $0.rejection.code.isOfBytes ? FileSignature.guess($0.raw) : nil }
  }

  /// The clauses about a file that ends in the middle of a line: what is wrong, and the remedy.
  ///
  /// The form of a file without a good line explains its end, too; it has its own remedy.
  package func explain(_ line: CutLine, goodCount: Int) -> (sentence: String, remedy: String) {
    guard goodCount == 0, let form else { return (line.sentence, ". \(line.remedy)") }
    return (form.guess, "")
  }

  /// True when the file ends in the middle of a line.
  package var looksTruncated: Bool { countsByCode[.truncatedLine] != nil }

  package init() {}

  package mutating func note(_ rejects: [RejectedLine]) {
    for reject in rejects {
      countsByCode[reject.rejection.code, default: 0] += 1
      guard rejections.count < Self.size else { continue }
      if first == nil { first = reject }
      rejections.append(reject.rejection)
      if reject.rejection.code != .lineTooLong, reject.raw.count < Limits.rejectedLineBytes {
        lines.append(reject.raw)
      }
    }
  }
}

extension CutLine {
  /// A clause to print after the path.
  var sentence: String {
    "looks truncated: its last line has \(byteCount) \(byteCount == 1 ? "byte" : "bytes"), no line feed, and "
      + (beginsLikeObject ? "is the beginning of an object" : "does not begin like an object")
  }

  var remedy: String {
    (beginsLikeObject
      ? "Get the whole file and load it"
      : "Get the whole file and load it; if the last line is no record, head -n -1 gives the file without it")
      + ". --max-rejects unlimited loads the other lines"
  }
}
