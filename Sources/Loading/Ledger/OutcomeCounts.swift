/// The lines of a file by outcome; together with the rejects and blank lines they add up to all
/// lines.
struct OutcomeCounts: Sendable, Equatable {
  var inserted = 0
  var filled = 0
  var duplicates = 0
  var conflicts = 0
  var suppressed = 0

  var total: Int { inserted + filled + duplicates + conflicts + suppressed }

  static func += (left: inout Self, right: Self) {
    left.inserted += right.inserted
    left.filled += right.filled
    left.duplicates += right.duplicates
    left.conflicts += right.conflicts
    left.suppressed += right.suppressed
  }
}
