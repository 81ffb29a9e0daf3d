import RecordPipeline

/// The invariants of the pipeline for any bytes of a file.
///
/// The fuzz target and the tests share them. A hash of the input picks some of the settings below,
/// so that the same input is always read in the same way.
package struct PipelineInvariants {
  let stream: RecordStream
  let rules: NormalizationRules

  /// The standard rules, and rules with small limits and another time unit.
  static let settings: [NormalizationRules] = {
    var small = standard
    small.limits.lineBytes = 400
    small.limits.nesting = 4
    small.limits.identifierBytes = 32
    small.limits.textBytes = 48
    small.timeUnit = .seconds
    small.appID = "app"
    var micro = standard
    micro.limits.nesting = 1
    micro.limits.textBytes = 512
    micro.timeUnit = .microseconds
    micro.observedAt = micro.startOfRun
    return [standard, small, micro]
  }()

  /// The start of the run is 2026-11-21.
  private static let standard = NormalizationRules(startOfRun: 1_795_219_200_000)

  /// Checks one input for the stream and the settings that its hash picks.
  package static func check(_ input: [UInt8]) throws {
    var pick = Int(truncatingIfNeeded: hash(input) >> 1)
    let stream = StreamCatalog.all[pick % StreamCatalog.all.count]
    pick /= StreamCatalog.all.count
    // The production rules most of the time.
    let rules = settings[pick % 8 == 0 ? 1 : pick % 8 == 1 ? 2 : 0]
    try PipelineInvariants(stream: stream, rules: rules).check(input, pick: pick / 8)
  }

  /// Checks one input as the fuzz target does, then for every stream, under all settings and with
  /// several secrets planted.
  package static func checkThoroughly(_ input: [UInt8]) throws {
    try check(input)
    for stream in StreamCatalog.all {
      for rules in settings {
        let invariants = PipelineInvariants(stream: stream, rules: rules)
        for pick in 0..<8 { try invariants.check(input, pick: pick * 7919) }
      }
    }
  }

  func check(_ input: [UInt8], pick: Int) throws {
    let outcome = try PipelineOutcome(of: input, as: stream, rules: rules)
    try check(outcome, of: input)

    let again = try PipelineOutcome(of: input, as: stream, rules: rules, chunk: 1 + pick % 61)
    if let difference = again.difference(from: outcome) {
      throw Violation("\(stream.name): read in pieces, \(difference) differ")
    }

    try checkReplay(outcome.rejects)
    // A reject is also a line.
    let rejected = Array(outcome.rejects.map(\.raw).joined(separator: [0x0A]))
    if !rejected.isEmpty {
      try check(PipelineOutcome(of: rejected, as: stream, rules: rules), of: rejected)
    }

    if let planted = PlantedSecret(in: input, pick: pick) {
      let outcome = try PipelineOutcome(of: planted.input, as: stream, rules: rules)
      try check(outcome, of: planted.input)
      try planted.check(outcome)
    }
  }

  /// A stored reject is refused again: masking never makes a line valid.
  private func checkReplay(_ rejects: [RejectedLine]) throws {
    var encoder = RecordEncoder(
      Pipeline(stream: stream, rules: rules, sourceFileID: 7),
      routing: RoutingStart(largestKnownKey: nil, memory: 0, seed: 1))
    for reject in rejects
    where reject.raw.count < Limits.rejectedLineBytes && reject.rejection.code != .lineTooLong {
      if case .row = try InputLine.with(bytes: reject.raw, { try encoder.encode($0) }) {
        throw Violation("\(stream.name): line \(reject.lineNumber) becomes a row when replayed")
      }
    }
  }

  // MARK: - One outcome

  private func check(_ outcome: PipelineOutcome, of input: [UInt8]) throws {
    let lines = InputLines(input).lines
    let totals = outcome.totals
    try Violation.unless(
      totals.lineCount == lines.count, "\(totals.lineCount) lines, not \(lines.count)")
    try Violation.unless(
      totals.byteCount == input.count, "\(totals.byteCount) bytes, not \(input.count)")
    try Violation.unless(
      totals.rowCount == outcome.rowCount && totals.rejectedCount == outcome.rejects.count,
      "\(totals) with \(outcome.rowCount) rows and \(outcome.rejects.count) rejects")

    let copy = CopyRowCheck(columns: stream.allColumns, rules: rules)
    let new = try copy.rows(outcome.newRows)
    let possiblyKnown = try copy.rows(outcome.possiblyKnownRows)
    try Violation.unless(
      new.count + possiblyKnown.count == outcome.rowCount,
      "\(new.count) and \(possiblyKnown.count) rows, not \(outcome.rowCount)")

    try checkEmbeddedRows(of: outcome, lineNumbers: Set((new + possiblyKnown).map(\.lineNumber)))
    var codes = [RejectCode?](repeating: nil, count: lines.count + 1)
    var seen = Set<Int>()
    for row in new + possiblyKnown {
      try Violation.unless(
        seen.insert(row.lineNumber).inserted && (1...lines.count).contains(row.lineNumber),
        "a row of line \(row.lineNumber), which has another outcome too or is none")
    }
    for reject in outcome.rejects {
      try Violation.unless(
        seen.insert(reject.lineNumber).inserted && (1...lines.count).contains(reject.lineNumber),
        "a reject of line \(reject.lineNumber), which has another outcome too or is none")
      // JSON within a field has limits of its own.
      if reject.rejection.field == nil { codes[reject.lineNumber] = reject.rejection.code }
      try check(reject, of: lines[reject.lineNumber - 1])
    }
    for (index, line) in lines.enumerated() {
      try checkVerdict(
        codes[index + 1], on: line, number: index + 1, hasOutcome: seen.contains(index + 1))
    }
  }

  /// A record within a line has a row only if the line has one.
  private func checkEmbeddedRows(
    of outcome: PipelineOutcome, lineNumbers: Set<Int>
  ) throws(Violation) {
    try Violation.unless(
      outcome.totals.embeddedRowCount == outcome.embeddedRowCount,
      "\(outcome.totals) with \(outcome.embeddedRowCount) rows of records within lines")
    guard let embedded = stream.embedded else {
      return try Violation.unless(outcome.embeddedRowCount == 0, "\(stream.name) embeds no stream")
    }
    let copy = CopyRowCheck(columns: embedded.allColumns, rules: rules)
    let numbers = try copy.rows(outcome.embeddedRows).map(\.lineNumber)
    try Violation.unless(
      numbers.count == outcome.embeddedRowCount && Set(numbers).count == numbers.count
        && lineNumbers.isSuperset(of: numbers),
      "records within lines \(numbers), with rows of lines \(lineNumbers.sorted())")
  }

  private func check(_ reject: RejectedLine, of line: InputLines.Line) throws(Violation) {
    let place = "the reject of line \(reject.lineNumber)"
    try Violation.unless(
      reject.raw.count <= Limits.rejectedLineBytes, "\(place) keeps \(reject.raw.count) bytes")
    try Violation.unless(!reject.raw.contains(0x0A), "\(place) keeps a line break")
    try Violation.unless(
      reject.byteOffset == line.byteOffset && reject.rawByteCount == line.bytes.count,
      "\(place) has offset \(reject.byteOffset) and \(reject.rawByteCount) bytes, "
        + "not \(line.byteOffset) and \(line.bytes.count)")
    // A JSON object stays one, so that it can be corrected and replayed, unless it is cut before the name of a token.
    if reject.raw.count < Limits.rejectedLineBytes,
      !Self.lineCodes.contains(reject.rejection.code)
    {
      if case .object = JSONOracle.verdict(on: reject.raw[...]) { return }
      try Violation.unless(
        reject.raw.last != UInt8(ascii: "}") && Self.mayNameToken(line.bytes),
        "\(place) was JSON, and its masked bytes are not")
    }
  }

  private static func mayNameToken(_ bytes: some Collection<UInt8>) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    return text.contains("token") || text.contains("\\u")
  }

  private static let lineCodes: Set<RejectCode> = [
    .malformedJSON, .invalidUTF8, .truncatedLine, .notAnObject, .lineTooLong, .nestingTooDeep,
  ]

  /// Compares the decoder's verdict on a line with the judge's.
  private func checkVerdict(
    _ code: RejectCode?, on line: InputLines.Line, number: Int, hasOutcome: Bool
  ) throws(Violation) {
    let isRight: Bool
    let verdict = JSONOracle.verdict(on: line.bytes)
    if line.bytes.count > rules.limits.lineBytes {
      isRight = code == .lineTooLong
    } else if line.isBlank {
      isRight = !hasOutcome
    } else {
      switch verdict {
      case .object(let levels) where levels <= rules.limits.nesting:
        isRight = hasOutcome && (code.map { !Self.lineCodes.contains($0) } ?? true)
      case .otherValue(let levels) where levels <= rules.limits.nesting:
        isRight = code == .notAnObject
      case .object, .otherValue: isRight = code == .nestingTooDeep
      case .malformed where !line.hasLineFeed, .notUTF8 where !line.hasLineFeed:
        isRight = code == .truncatedLine || code == .nestingTooDeep
      // Either of two defects may be named, but valid UTF-8 must not be reported as invalid.
      case .malformed: isRight = code == .malformedJSON || code == .nestingTooDeep
      case .notUTF8:
        isRight = code == .invalidUTF8 || code == .malformedJSON || code == .nestingTooDeep
      }
    }
    try Violation.unless(
      isRight, "line \(number) is \(verdict), and was \(code?.rawValue ?? "not rejected")")
  }

  /// FNV-1a, 64 bits.
  static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
