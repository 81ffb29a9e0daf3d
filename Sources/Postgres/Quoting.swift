internal import CLibpq

/// Quoting for the few statements that take no parameters, such as GRANT.
extension Connection {
  /// Quotes a name as one identifier, whatever its characters.
  package func quotedIdentifier(_ name: String) throws -> String {
    try quoted(name, by: PQescapeIdentifier)
  }

  /// Quotes a text as one literal, whatever its characters.
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
