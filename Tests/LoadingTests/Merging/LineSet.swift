import TestSupport
import Testing

/// Random lines, refused ones included; for most keys all lines agree.
struct LineSet {
  let rules: Oracle.Rules
  private var lines: [Oracle.Line] = []
  private var refused: [String] = []
  /// Keys with contradicting lines; the load order decides which of them is stored.
  private(set) var contradictedKeys: Set<[String?]> = []

  var rejectedCount: Int { refused.count }
  var keyCount: Int { Set(lines.map { key(of: $0) }).count }

  private static let groupCount = 12

  init(_ stream: String, using random: inout SplitMix) throws {
    let source = try #require(OracleLines.all[stream])
    rules = source.rules
    // The values of a key that all lines so far agree on.
    var agreed: [[String?]: [String: String]] = [:]
    let grouping: (field: String, column: String) =
      switch stream {
      case "receipt": ("paymentSeq", "payment_seq")
      // The user of an event is no part of its key.
      case "event": ("eventId", "event_id")
      default: ("userId", "user_id")
      }
    for number in 0..<30 * Self.groupCount {
      let group = number % Self.groupCount
      var line = source.line(using: &random)
      let member = "\"\(grouping.field)\":\""
      line.json = line.json.replacing(member, with: "\(member)\(group)-")
      line.values[grouping.column] = "\(group)-\(line.values[grouping.column] ?? "")"
      let key = key(of: line)
      let known = agreed[key] ?? [:]
      let comparable = comparable(line.values)
      if comparable.contains(where: { known[$0.key] != nil && known[$0.key] != $0.value }) {
        // A contradiction, allowed for every sixth group.
        guard group % 6 == 0 else { continue }
        contradictedKeys.insert(key)
      } else {
        agreed[key] = known.merging(comparable) { $1 }
      }
      lines.append(line)
      if number % 7 == 0 { lines.append(line) }
      if number % 40 == 0 { refused.append("{\"userId\":\"refused\",\"x\":\(number)}") }
    }
  }

  func key(of line: Oracle.Line) -> [String?] { rules.keys.map { line.values[$0] } }

  /// The values of compared columns.
  private func comparable(_ values: [String: String]) -> [String: String] {
    values.filter { column, value in
      rules.compared.contains(column) && !(value.isEmpty && rules.emptyIsAbsent.contains(column))
    }
  }

  /// All lines in a random order, split into files with different bytes.
  func files(_ count: Int, using random: inout SplitMix) -> [[String]] {
    var files = [[String]](repeating: [], count: count)
    for line in (lines.map(\.json) + refused).shuffled(using: &random) {
      files[Int.random(in: 0..<count, using: &random)].append(line)
    }
    // Files with the same bytes count as one file.
    return files.enumerated().map { $1 + [String(repeating: " ", count: $0 + 1)] }
  }

  /// The values of a row that no line can have contributed.
  ///
  /// A line that contradicts the row in any value contributes none, so the source of a value agrees
  /// with the whole row.
  func unexplained(_ row: [String: String?], ofKey key: [String?]) -> [String] {
    let stored = comparable(row.compactMapValues { $0 })
    let agreeing = lines.filter { line in
      self.key(of: line) == key
        && comparable(line.values).allSatisfy { stored[$0.key] == $0.value }
    }
    return stored.compactMap { column, value in
      agreeing.contains { $0.values[column] == value } ? nil : "\(key): \(column) \(value)"
    }
  }
}
