/// The outcomes of docs/data-contract.md, computed one row at a time and independently of the
/// loader.
struct Oracle {
  /// The roles of a stream's columns.
  struct Rules {
    /// In the order of `natural_key`.
    var keys: [String]
    var compared: [String]
    /// Follower columns, taken from the line that fills their leader.
    var followers: [String: [String]] = [:]
    /// Columns in which the empty text means no value.
    var emptyIsAbsent: Set<String> = []
  }

  /// A line after normalizing: columns without an entry are NULL.
  struct Line {
    var json: String
    var values: [String: String]
  }

  enum Outcome { case inserted, filled, duplicate, conflict }

  let rules: Rules
  /// By natural key.
  private(set) var rows: [[String?]: [String: String]] = [:]
  /// By natural key: the compared values of the line refused last.
  private var refused: [[String?]: [String: String]] = [:]
  /// Field, kept, refused, file, line.
  private(set) var conflicts: [[String]] = []
  /// Field, file, line.
  private(set) var fills: [[String]] = []

  init(_ rules: Rules) { self.rules = rules }

  private func value(_ column: String, of values: [String: String]) -> String? {
    guard let value = values[column] else { return nil }
    return value.isEmpty && rules.emptyIsAbsent.contains(column) ? nil : value
  }

  mutating func take(_ line: Line, file: Int, number: Int) -> Outcome {
    let key = rules.keys.map { line.values[$0] }
    guard var row = rows[key] else {
      rows[key] = line.values.merging(
        ["source_file_id": "\(file)", "line_number": "\(number)"], uniquingKeysWith: { $1 })
      return .inserted
    }
    var differing: [[String]] = []
    var new: [String] = []
    for column in rules.compared {
      guard let incoming = value(column, of: line.values) else { continue }
      if let stored = value(column, of: row) {
        if stored != incoming {
          differing.append([column, stored, incoming, "\(file)", "\(number)"])
        }
      } else {
        new.append(column)
      }
    }
    if !differing.isEmpty {
      let given = Dictionary(
        uniqueKeysWithValues: rules.compared.compactMap { column in
          value(column, of: line.values).map { (column, $0) }
        })
      if refused.updateValue(given, forKey: key) == given { return .duplicate }
      conflicts += differing
      return .conflict
    }
    if new.isEmpty { return .duplicate }
    for column in new {
      row[column] = line.values[column]
      for follower in rules.followers[column] ?? [] { row[follower] = line.values[follower] }
      fills.append([column, "\(file)", "\(number)"])
    }
    rows[key] = row
    return .filled
  }
}
