/// A session, prepared transaction, standby or slot that keeps VACUUM from removing deleted rows.
package struct RowHolder: Sendable, Equatable {
  /// The name of the holder, which does not change while it exists.
  let identity: String
  /// Further facts about the holder, escaped for display.
  let details: String
  /// The way to end the holder.
  let cure: String
  /// False when it holds only old statistics, which are rows of a catalog.
  let holdsRows: Bool

  package var description: String { "\(identity)\(details): \(cure)" }
}
