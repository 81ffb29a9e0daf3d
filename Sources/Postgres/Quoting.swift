internal import CLibpq

/// Names and texts for the few statements that take no parameters, those that grant rights.
extension Connection {
  /// A name, quoted so that it is one name whatever it holds.
  package func quotedIdentifier(_ name: String) throws -> String {
    try quoted(name, by: PQescapeIdentifier)
  }

  /// A text, quoted so that it is one literal whatever it holds.
  package func quotedLiteral(_ text: String) throws -> String {
    try quoted(text, by: PQescapeLiteral)
  }

  private func quoted(
    _ text: String,
    by escape: (OpaquePointer?, UnsafePointer<CChar>?, Int) -> UnsafeMutablePointer<CChar>?
  ) throws -> String {
    let escaped = text.withCString { escape(handle, $0, text.utf8.count) }
    guard let escaped else { throw connectionError() }
    defer { PQfreemem(escaped) }
    return String(cString: escaped)
  }
}
