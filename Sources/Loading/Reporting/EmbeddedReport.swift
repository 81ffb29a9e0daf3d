/// The outcomes of the records of another stream within the lines of a file, such as the receipts of
/// events.
package struct EmbeddedReport: Codable, Sendable, Equatable {
  package var inserted = 0
  package var filled = 0
  package var duplicates = 0
  package var conflicts = 0

  package init() {}

  init(_ counts: OutcomeCounts) {
    inserted = counts.inserted
    filled = counts.filled
    duplicates = counts.duplicates
    conflicts = counts.conflicts
  }
}
