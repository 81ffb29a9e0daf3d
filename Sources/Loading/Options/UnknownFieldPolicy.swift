/// The treatment of a file with a field name that its stream never had in the database.
package enum UnknownFieldPolicy: String, Sendable, CaseIterable {
  /// The file is loaded, and the new name is reported once.
  case warn
  /// The file fails.
  case fail
  /// The names are counted in the ledger and not compared with earlier ones.
  case ignore
}
