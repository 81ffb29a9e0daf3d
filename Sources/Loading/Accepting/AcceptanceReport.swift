/// The result of an acceptance.
package struct AcceptanceReport: Sendable {
  /// A changed value; `before` and `after` are text as PostgreSQL prints it, nil for NULL.
  package struct Change: Sendable, Equatable, Decodable {
    /// The line that the new value comes from, as `path:line`.
    package let line: String
    package let stream: String
    /// A JSON array.
    package let naturalKey: String
    package let field: String
    package let before: String?
    package let after: String?
  }

  package let isDryRun: Bool
  /// nil: no line could be accepted.
  package let acceptanceID: Int?
  /// The number of accepted lines.
  package let lines: Int
  /// The number of stored rows that the accepted lines belong to.
  package let rows: Int
  /// The number of changed values, including those that `changes` leaves out.
  package let changeCount: Int
  /// Lines whose row is no longer stored; not accepted.
  package let linesWithoutRow: Int
  /// Lines that name another user or application than the stored row, or another currency and no
  /// amount; not accepted.
  package let linesOfOthers: Int
  /// Lines of which an older version of this program stored only the contradicting values; not
  /// accepted.
  package let incompleteLines: Int
  /// Lines that are older than an accepted line of their key; not accepted, because the filter
  /// names neither their file nor their run nor their key.
  package let supersededLines: Int
  /// The first changes, in the order in which they were made.
  package let changes: [Change]

  /// Lines that were not accepted and need a decision.
  package var leftLines: Int { linesWithoutRow + linesOfOthers + incompleteLines }
}
