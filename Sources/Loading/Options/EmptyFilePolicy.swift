/// The treatment of a file without a record: zero bytes, or only blank lines.
package enum EmptyFilePolicy: String, Sendable, CaseIterable {
  /// The file fails.
  case fail
  /// The file is loaded, with a warning.
  case warn
  /// The file is loaded.
  case accept
}
