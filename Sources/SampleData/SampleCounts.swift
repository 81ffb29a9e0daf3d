/// The counts that a correct loader reports when it loads the generated lines into a fresh
/// database.
package struct SampleCounts: Sendable, Equatable {
  /// All lines, blank ones included.
  package internal(set) var lines = 0

  /// Lines that repeat an earlier line of the file; the loader counts them as duplicates.
  package internal(set) var repeats = 0

  /// Lines of JSON white space only.
  package internal(set) var blanks = 0

  /// Bad lines by fault; faults that did not occur are absent.
  package internal(set) var badByKind: [BadLineKind: Int] = [:]

  init() {}

  /// All bad lines; the loader rejects them.
  package var bad: Int { badByKind.values.reduce(0, +) }

  /// Lines that become a new row.
  package var inserted: Int { lines - repeats - blanks - bad }
}
