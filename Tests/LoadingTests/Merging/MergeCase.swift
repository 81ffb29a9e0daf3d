import Testing

/// Files of lines for one key, and their expected outcome.
struct MergeCase: Sendable, CustomTestStringConvertible {
  struct Counts: Equatable, Sendable {
    var inserted = 0
    var filled = 0
    var duplicates = 0
    var conflicts = 0

    init(_ inserted: Int, _ filled: Int, _ duplicates: Int, _ conflicts: Int) {
      (self.inserted, self.filled) = (inserted, filled)
      (self.duplicates, self.conflicts) = (duplicates, conflicts)
    }
  }

  let name: String
  var stream = "receipt"
  /// Loaded one after another.
  let files: [[String]]
  /// Per file: inserted, filled, duplicates, conflicts.
  let counts: [Counts]
  /// Expected columns of the one row, as PostgreSQL prints them.
  var row: [String: String?] = [:]
  /// Field, kept, refused, number of the file, line.
  var conflicts: [[String]] = []
  /// Field, number of the file, line.
  var fills: [[String]] = []
  /// The natural key, as conflicts and fills name it.
  var key = #"["p1"]"#

  var testDescription: String { name }

  static func receipt(_ changes: [String: String?] = [:]) -> String { Lines.receipt(changes) }
}
