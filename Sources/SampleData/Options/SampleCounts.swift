/// The counts that a correct loader reports when it loads the generated lines of one file into a
/// database that has the stream's earlier files and no others.
package struct SampleCounts: Sendable, Equatable {
  /// All lines, blank ones included.
  package internal(set) var lines = 0

  /// Lines that repeat an earlier line of the file; the loader counts them as duplicates.
  package internal(set) var repeats = 0

  /// Lines of JSON white space only.
  package internal(set) var blanks = 0

  /// Lines that supply a value which the line of an earlier day lacks.
  package internal(set) var fills = 0

  /// Lines that contradict the line of an earlier day.
  package internal(set) var conflicts = 0

  /// Good lines whose time lies 1 to 5 days before the day of the lines around them.
  package internal(set) var late = 0

  /// Bad lines by fault; faults that did not occur are absent.
  package internal(set) var badByKind: [BadLineKind: Int] = [:]

  init() {}

  /// All bad lines; the loader rejects them.
  package var bad: Int { badByKind.values.reduce(0, +) }

  /// Lines that correct the line of an earlier day.
  package var corrections: Int { fills + conflicts }

  /// Lines that become a new row.
  package var inserted: Int { lines - repeats - blanks - bad - corrections }
}
