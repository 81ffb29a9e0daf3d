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
  package var options: String?

  /// The remedy for a file that was loaded although it ends in the middle of a line.
  package static let truncation =
    "looks truncated: its last line has no line feed and is not complete JSON; get the whole file, undo "
    + "this one, and load the whole one"
}

extension FileDiagnosis {
  /// - Parameters:
  ///   - sample: refused lines of a file without a valid line.
  ///   - rules: the rules that refused them.
  package init(_ sample: RejectSample, stream: RecordStream, rules: NormalizationRules) {
    let causes = Dictionary(grouping: sample.lines.map(\.rejection)) { rejection in
      rejection.code.rawValue + (rejection.field.map { " (\($0))" } ?? "")
    }
    let frequent = causes.min { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    guard let (cause, rejections) = frequent, let line = sample.lines.first?.raw else {
      self.init(kind: .unknown, guess: "no line was refused")
      return
    }
    let (count, total, first) = (rejections.count, sample.lines.count, rejections[0])
    // A few lines may have other faults.
    let isUsual = count * 4 >= total * 3
    if let known = sample.form ?? (isUsual ? Self.mistake(first, line, stream, rules) : nil) {
      self = known
      return
    }
    let which =
      count < total
      ? "\(count) of the first \(total)" : total < RejectSample.size ? "all" : "the first \(total)"
    // Times that are too new may be right, and a clock wrong, which only the reason says.
    let reason = first.code == .timeOutOfRange ? ": \(first.reason)" : ""
    self.init(kind: .unknown, guess: "\(which) are refused with \(cause)\(reason)")
  }

  /// The mistake that explains the usual fault of the lines; nil: none is known.
  ///
  /// - Parameter line: the first line, which shows where the records are, or of which stream.
  private static func mistake(
    _ rejection: Rejection, _ line: [UInt8], _ stream: RecordStream, _ rules: NormalizationRules
  ) -> FileDiagnosis? {
    func other(_ cause: String, _ options: String) -> FileDiagnosis {
      FileDiagnosis(kind: .otherOptions, guess: "\(cause): \(options)", options: options)
    }
    switch rejection.code {
    case .timeInSeconds: return other("all times look like seconds", "--time-unit s")
    case .timeInMicroseconds: return other("all times look like microseconds", "--time-unit us")
    case .timeInNanoseconds:
      return FileDiagnosis(
        kind: .nanoseconds,
        guess: "all times look like nanoseconds, which no --time-unit reads; deliver milliseconds")
    case .timeOutOfRange where rules.timeUnit != .milliseconds:
      return other("no time fits --time-unit \(rules.timeUnit.rawValue)", "--time-unit ms")
    case .missingField: break
    default: return nil
    }
    let members = members(of: line)
    let names = Set(members.map(\.name))
    if let field = rules.unwrapField, stream.isFit(for: names) {
      return rejection.field == field ? other("the records look unwrapped", "no --unwrap") : nil
    }
    let wrapped = members.first {
      guard let object = $0.objects, !$0.isArray, !isSecretFieldName($0.name) else { return false }
      return stream.isFit(for: names.union(RecordPipeline.members(of: object).map(\.name)))
    }
    if let field = wrapped?.name {
      return other(
        "the records look wrapped in the field \(field)", "--unwrap \(shellQuoted(field))")
    }
    // A stream that knows fewer fields of the line than the given stream is not its stream.
    func known(_ stream: RecordStream) -> Int {
      let fields = stream.fields.filter { !$0.isInData && $0.kind != .anyOf }
      return fields.flatMap(\.spellings.words).count { names.contains($0.text) }
    }
    let fit = StreamCatalog.all.filter {
      $0.name != stream.name && $0.isFit(for: names) && known($0) >= known(stream)
    }.max { known($0) < known($1) }
    if let fit { return other("the lines look like \(fit.recordNoun)", "--stream \(fit.name)") }
    guard let field = members.first(where: { $0.isArray && $0.objects != nil })?.name,
      field.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
    else { return nil }
    return FileDiagnosis(
      kind: .array,
      guess: "the records look like an array in the field \(field); write one object a line: jq -c "
        + "'.\(field)[]', with the user of the request where the records have none")
  }

  private static func shellQuoted(_ field: String) -> String {
    field.wholeMatch(of: /[A-Za-z0-9_\-]+/) != nil
      ? field : "'" + field.replacing("'", with: #"'\''"#) + "'"
  }
}

/// A member of a line; `objects` is an object, also one that a string holds, or the objects of an array, and nil for any
/// other value.
private typealias Member = (name: String, isArray: Bool, objects: [UInt8]?)

/// The members of a line; none when it is no object.
private func members(of line: [UInt8]) -> [Member] {
  InputLine.with(bytes: line) { line in
    var arena = TextArena()
    var members: [Member] = []
    try? ObjectParser().forEachMember(of: line.bytes, maxDepth: Limits.anyNesting) {
      member throws(Rejection) in
      let isArray = member.value.kind == .array
      let value = arena.json(in: member.value).map { Array($0.buffer) } ?? []
      let text = Array(value.dropFirst(isArray ? 1 : 0))
      let holdsObject = text.first { !ByteSlice.isWhiteSpace($0) } == UInt8(ascii: "{")
      members.append((member.key.text, isArray, holdsObject ? text : nil))
    }
    return members
  }
}

extension RecordStream {
  /// True when an object with members of these names can be a record of the stream.
  fileprivate func isFit(for names: Set<String>) -> Bool {
    fields.allSatisfy {
      !$0.isMandatory || $0.isInData
        || !names.isDisjoint(with: slots(of: $0).map { self.names[$0] })
    }
  }
}

/// A sample of a file's refused lines for a diagnosis: their counts by code, and the first few.
package struct RejectSample: Sendable {
  /// By the text of the code.
  package private(set) var countsByCode: [String: Int] = [:]
  /// The first refused lines, masked like all rejects.
  private(set) var lines: [RejectedLine] = []

  /// The most lines of a sample, of which a few suffice for a diagnosis.
  static let size = 16

  /// The format of the file by its first line, when the bytes of that are at fault; nil: it has no known form.
  var form: FileDiagnosis? {
    let codes: [RejectCode] = [
      .malformedJSON, .invalidUTF8, .truncatedLine, .notAnObject, .lineTooLong,
    ]
    guard let line = lines.first, codes.contains(line.rejection.code) else { return nil }
    return FileDiagnosis(formOf: line.raw)
  }

  /// The clauses about a file that ends in the middle of a line: what is wrong, to print after the path, and the
  /// remedy.
  ///
  /// The form of a file without a good line explains its end, too; it has its own remedy.
  package func explain(_ line: CutLine, goodCount: Int) -> (sentence: String, remedy: String) {
    if goodCount == 0, let form { return (form.guess, "") }
    let (appearance, otherRemedy) =
      line.beginsLikeObject
      ? ("is the beginning of an object", "")
      : (
        "does not begin like an object",
        "; if the last line is no record, head -n -1 gives the file without it"
      )
    return (
      "looks truncated: its last line has \(line.byteCount) \(line.byteCount == 1 ? "byte" : "bytes"), no line feed, "
        + "and \(appearance)",
      ". Get the whole file and load it\(otherRemedy). --max-rejects unlimited loads the other lines"
    )
  }

  /// True when the file ends in the middle of a line.
  package var looksTruncated: Bool { countsByCode[RejectCode.truncatedLine.rawValue] != nil }

  package init() {}

  package mutating func note(_ rejects: [RejectedLine]) {
    for reject in rejects { countsByCode[reject.rejection.code.rawValue, default: 0] += 1 }
    lines += rejects.prefix(Self.size - lines.count)
  }
}
