/// A session, prepared transaction, standby or replication slot that keeps VACUUM from removing
/// deleted rows.
package struct RowHolder: Sendable, Equatable {
  /// The kind and name of the holder, which do not change while it exists.
  let identity: String
  /// Further facts about the holder, escaped for display.
  let details: String
  /// The action by which an operator ends the holder.
  let cure: String
  /// False for a holder of old statistics only, which are rows of a system catalog.
  let holdsRows: Bool

  package var description: String { "\(identity)\(details): \(cure)" }
}
