package import Postgres

/// The lines that gave a row its values.
///
/// Each table has one row per line or value, oldest first.
package struct RowTrace {
  /// The line that inserted the row: `line` (`path:line`), `file`, `load`, `loaded`.
  package let origin: Listing
  /// Values that were NULL until a later line filled them: `filled_column`, `by_line`, `load`.
  package let fills: Listing
  /// Values of later lines that contradicted the row: `contradicted_column`, `by_line`, `load`,
  /// `kept`, `refused`.
  package let conflicts: Listing
  /// Values that an acceptance has replaced: `accepted_column`, `by_line`, `acceptance`,
  /// `accepted_by`, `accepted_at`, `before`, `after`.
  package let acceptedValues: Listing
}

/// Traces rows of one stream to the lines that gave them their values, for `trace`.
package struct RowTracing {
  private let connection: Connection
  private let stream: String

  /// - Parameters:
  ///   - connection: inside a transaction, so that all tables of a trace agree.
  ///   - stream: the name of a stream of the catalog.
  package init(_ connection: Connection, stream: String) {
    self.connection = connection
    self.stream = stream
  }

  /// - Parameter naturalKey: a JSON array with one element for each key column.
  /// - Throws: `LoadError` with exit code 64 when the text is not a key of the stream, or no row
  ///   has it.
  package func trace(_ naturalKey: String) throws -> RowTrace {
    try checkParts(of: naturalKey)
    let row = try asKey {
      try connection.row(
        of: StoredRow.self,
        "select natural_key, source_file_id, line_number from ingest.find_row($1, $2::text::jsonb)",
        [.text(stream), .text(naturalKey)])
    }
    guard let row else {
      throw LoadError(.usage, "there is no row of \(stream) with that key")
    }
    // The key as the database writes it, because fills and conflicts name a row by that text.
    let key: [Parameter] = [.text(stream), .text(row.naturalKey)]
    return RowTrace(
      origin: Listing(
        """
        select path || ':' || $2::text as line, source_file_id as file, load_id as load,
          loaded_at as loaded
        from ingest.source_file where source_file_id = $1
        """, [.integer(row.sourceFileID), .integer(row.lineNumber)], on: connection),
      fills: Listing(
        """
        select k.field as filled_column, f.path || ':' || k.line_number as by_line,
          f.load_id as load
        from ingest.fill k join ingest.source_file f using (source_file_id)
        where k.stream = $1 and k.natural_key = $2::text::jsonb order by k.fill_id
        """, key, on: connection),
      conflicts: Listing(
        """
        select k.field as contradicted_column, f.path || ':' || k.line_number as by_line,
          f.load_id as load, k.kept, k.refused
        from ingest.conflict k join ingest.source_file f using (source_file_id)
        where k.stream = $1 and k.natural_key = $2::text::jsonb order by k.conflict_id
        """, key, on: connection),
      acceptedValues: Listing(
        """
        select k.field as accepted_column, f.path || ':' || k.line_number as by_line,
          k.acceptance_id as acceptance, a.accepted_by, a.accepted_at, k.before,
          k.after
        from ingest.accepted_changes(array(
            select conflict_id from ingest.conflict
              where stream = $1 and natural_key = $2::text::jsonb and refused_row is not null))
            with ordinality k
          join ingest.source_file f using (source_file_id)
          join ingest.acceptance a using (acceptance_id)
        order by k.ordinality
        """, key, on: connection))
  }

  private struct StoredRow: Decodable {
    let naturalKey: String
    let sourceFileID: Int
    let lineNumber: Int
  }

  private struct KeyParts: Decodable {
    let names: String
    let areGiven: Bool
  }

  private func checkParts(of naturalKey: String) throws {
    let parts = try asKey {
      try connection.onlyRow(
        of: KeyParts.self,
        """
        select array_to_string(key_columns, ', ') as names,
          jsonb_typeof($2::text::jsonb) = 'array'
            and jsonb_array_length($2::text::jsonb) = cardinality(key_columns) as are_given
        from ingest.stream where stream = $1
        """, [.text(stream), .text(naturalKey)])
    }
    guard parts.areGiven else {
      throw LoadError(
        .usage, "a key of \(stream) has these parts, in this order: \(parts.names)")
    }
  }

  /// Runs a query with the given key, and turns the server's error about the key into a usage
  /// error.
  ///
  /// PostgreSQL refuses a text that is not JSON or too deep, or that is not a value of the key column's type.
  private func asKey<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as PostgresError
      where error.kind == .row || error.sqlState?.errorClass == "54"
    {
      throw LoadError(.usage, "that is no key of \(stream): \(error.message)")
    }
  }
}
