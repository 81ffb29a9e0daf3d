import RecordPipeline
import Testing

/// The replay of stored rejects: each has the outcome of its original line, although it was masked.
struct ReplayParityTests {
  private static let count = 400
  private static let unwrapping: [String?] = [nil, "log"]

  private func lines(
    _ stream: RecordStream, unwrap: String?, _ change: (inout MutatedLines) -> Void = { _ in }
  ) throws -> [UInt8] {
    var lines = try MutatedLines(stream, seed: unwrap == nil ? 1 : 2)
    change(&lines)
    return (0..<Self.count).flatMap { _ in
      (unwrap == nil ? lines.next() : lines.nextWrapped()) + [0x0A]
    }
  }

  private func rules(unwrap: String?) -> NormalizationRules {
    var rules = standardRules
    rules.unwrapField = unwrap
    return rules
  }

  /// Decodes stored lines like a replay; nil for a line that is refused again.
  private func replay(
    _ rejects: [RejectedLine], as stream: RecordStream, rules: NormalizationRules
  ) throws -> [String?] {
    var encoder = RecordEncoder(
      Pipeline(stream: stream, rules: rules, sourceFileID: 7),
      routing: RoutingStart(largestKnownKey: nil, memory: 0, seed: 1))
    return try rejects.map { reject in
      guard
        case .row = try InputLine.with(
          bytes: reject.raw, number: reject.lineNumber, byteOffset: reject.byteOffset,
          { try encoder.encode($0) })
      else { return nil }
      let batch = encoder.closeBatch()
      let bytes = Array(batch.newRows.bytes) + Array(batch.possiblyKnownRows.bytes)
      return try CopyRow.rows(bytes, columns: stream.allColumns).first?.description ?? ""
    }
  }

  private func isWhole(_ reject: RejectedLine) -> Bool {
    reject.raw.count < Limits.rejectedLineBytes && reject.rejection.code != .lineTooLong
      && (reject.rejection.field == nil || reject.raw.last == UInt8(ascii: "}"))
  }

  @Test(arguments: StreamCatalog.all.map(\.name), unwrapping)
  func `a replayed reject is refused again`(name: String, unwrap: String?) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    let rules = rules(unwrap: unwrap)
    let input = try lines(stream, unwrap: unwrap)
    let reading = try Reading(ChunkedSource(input), as: stream, rules: rules)
    let rejects = reading.rejects.filter(isWhole)
    // The mutated lines must include both rejects and rows.
    #expect(rejects.count > Self.count / 10 && reading.rows.count > Self.count / 20)
    for (reject, row) in zip(rejects, try replay(rejects, as: stream, rules: rules)) {
      #expect(row == nil, "\(reject.rejection): \(escaped(reject.raw))")
    }
  }

  @Test(arguments: StreamCatalog.all.map(\.name), unwrapping)
  func `under other rules a reject has the same outcome as its original line`(
    name: String, unwrap: String?
  ) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    let input = try lines(stream, unwrap: unwrap) { $0.hidesSecretsInTexts = false }
    var strict = rules(unwrap: unwrap)
    strict.timeUnit = .seconds
    let rejects = try Reading(ChunkedSource(input), as: stream, rules: strict).rejects
      .filter(isWhole)
    let rules = rules(unwrap: unwrap)
    let original = try Reading(ChunkedSource(input), as: stream, rules: rules)
    let rows = Dictionary(
      uniqueKeysWithValues: original.rows.map { (Int($0["line_number"] ?? "") ?? 0, $0) })
    var accepted = 0
    for (reject, row) in zip(rejects, try replay(rejects, as: stream, rules: rules)) {
      #expect(row == rows[reject.lineNumber]?.description, "\(escaped(reject.raw))")
      if row != nil { accepted += 1 }
    }
    #expect(accepted > (stream.name == "game_user" ? 0 : 15))
  }

  @Test(arguments: StreamCatalog.all.map(\.name), unwrapping)
  func `no secret of a mutated line is kept`(name: String, unwrap: String?) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    let input = try lines(stream, unwrap: unwrap) { $0.changesBytes = false }
    let reading = try Reading(ChunkedSource(input), as: stream, rules: rules(unwrap: unwrap))
    for reject in reading.rejects {
      #expect(!escaped(reject.raw).contains("SECRET"), "\(escaped(reject.raw))")
      #expect(!reject.rejection.reason.contains("SECRET"))
    }
    for row in reading.rows {
      #expect(!(row["extra"] ?? "").contains("SECRET"), "\(row.description)")
    }
  }
}
