import Testing

/// Random lines, most of whose keys all lines agree about, with lines that are refused among them.
struct LineSet {
  let rules: Oracle.Rules
  private var lines: [Oracle.Line] = []
  private var refused: [String] = []
  /// Keys of which two lines have different values: which of them is stored is for the order to say.
  private(set) var contradictedKeys: Set<[String?]> = []

  var rejectedCount: Int { refused.count }
  var keyCount: Int { Set(lines.map { key(of: $0) }).count }

  private static let groupCount = 12

  init(_ stream: String, using random: inout SplitMix) throws {
    let source = try #require(OracleLines.all[stream])
    rules = source.rules
    // All values of a key that lines so far agree about.
    var agreed: [[String?]: [String: String]] = [:]
    let grouping =
      stream == "receipt"
      ? (field: "paymentSeq", column: "payment_seq") : (field: "userId", column: "user_id")
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
        // A contradiction: it is let in for every sixth group.
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

  /// Everything in an order of its own, split into files that all differ.
  func files(_ count: Int, using random: inout SplitMix) -> [[String]] {
    var files = [[String]](repeating: [], count: count)
    for line in (lines.map(\.json) + refused).shuffled(using: &random) {
      files[Int.random(in: 0..<count, using: &random)].append(line)
    }
    // Two files of the same bytes are one file.
    return files.enumerated().map { $1 + [String(repeating: " ", count: $0 + 1)] }
  }

  /// The values of a row that no line can have brought: a line that contradicts the row in any
  /// value brings none, so whoever brought a value agrees with all that is stored.
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
