internal import Postgres
internal import SHA256

/// A file of `sql/`, embedded in the program when it was built.
package struct SQLFile: Sendable, Equatable {
  /// The file's name without `.sql`.
  package let name: String
  package let text: String

  package var checksum: [UInt8] { SHA256.digest(of: text.utf8) }

  /// The text with values in place of its placeholders.
  ///
  /// They are written as in psql: `:"owner"` for an identifier and `:'owner'` for a literal. They are
  /// replaced in one pass, so that no value is ever taken for a placeholder.
  func filled(with values: [String: String], on connection: Connection) throws -> String {
    try text.replacing(/:(["'])([a-z]+)\1/) { place in
      let (whole, quote, name) = place.output
      guard let value = values[String(name)] else { return String(whole) }
      let function = quote == "\"" ? "quote_ident" : "quote_literal"
      return try connection.onlyRow(
        of: String.self, "select pg_catalog.\(function)($1::text)", [.text(value)])
    }
  }
}
