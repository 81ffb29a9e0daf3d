package import Postgres

/// The rows of a query, to show as a table or as JSON.
package struct Listing {
  private let connection: Connection
  private let query: String
  private let parameters: [Parameter]

  /// - Parameter query: its columns keep their types, so that JSON has numbers, times and nulls.
  init(_ query: String, _ parameters: [Parameter] = [], on connection: Connection) {
    self.connection = connection
    self.query = query
    self.parameters = parameters
  }

  /// The rows, all values as text.
  package func table() throws -> QueryResult { try connection.query(query, parameters) }

  /// The only row as a JSON object.
  package func object() throws -> String {
    try connection.onlyRow(
      of: String.self, "select row_to_json(q)::text from (\(query)) q", parameters)
  }

  /// The rows as a JSON array of objects, each with all columns; times are RFC 3339 in UTC.
  package func json() throws -> String {
    try connection.onlyRow(
      of: String.self, "select coalesce(json_agg(q), '[]')::text from (\(query)) q", parameters)
  }
}
