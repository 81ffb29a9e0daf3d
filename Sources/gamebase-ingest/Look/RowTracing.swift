internal import Loading
internal import Postgres

/// From a row to the lines that made it what it is.
struct RowTracing {
  private let connection: Connection
  private let stream: String

  init(_ connection: Connection, stream: String) {
    self.connection = connection
    self.stream = stream
  }

  /// - Parameter naturalKey: a JSON array.
  func trace(_ naturalKey: String) throws {
    try checkParts(of: naturalKey)
    let row = try asKey {
      try connection.query(
        "select natural_key, source_file_id, line_number from ingest.find_row($1, $2::text::jsonb)",
        [.text(stream), .text(naturalKey)])
    }
    guard row.rowCount > 0 else {
      throw Terminal.failure(.usage, "there is no row of \(stream) with that key")
    }
    try show(
      try connection.query(
        """
        select path || ':' || $2::text as line, source_file_id::text as file, load_id::text as load,
          to_char(loaded_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as loaded
        from ingest.source_file where source_file_id = $1::text::bigint
        """, [.optional(row[0, 1]), .optional(row[0, 2])]), empty: "")
    // Not as it was given: fills and conflicts name a row as the database writes it.
    let parameters: [Parameter] = [.text(stream), .optional(row[0, 0])]
    let fills = try connection.query(
      """
      select k.field as filled_column, f.path || ':' || k.line_number as by_line,
        f.load_id::text as load
      from ingest.fill k join ingest.source_file f using (source_file_id)
      where k.stream = $1 and k.natural_key = $2::text::jsonb order by k.fill_id
      """, parameters)
    if fills.rowCount > 0 { try show(fills, empty: "") }
    let conflicts = try connection.query(
      """
      select k.field as contradicted_column, f.path || ':' || k.line_number as by_line,
        f.load_id::text as load, k.kept as kept, k.refused as refused
      from ingest.conflict k join ingest.source_file f using (source_file_id)
      where k.stream = $1 and k.natural_key = $2::text::jsonb order by k.conflict_id
      """, parameters)
    if conflicts.rowCount > 0 { try show(conflicts, empty: "") }
    let accepted = try connection.query(
      """
      select k.field as accepted_column, f.path || ':' || k.line_number as by_line,
        k.acceptance_id::text as acceptance, a.accepted_by as accepted_by,
        to_char(a.accepted_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as accepted_at, k.before as before,
        k.after as after
      from ingest.accepted_value k join ingest.source_file f using (source_file_id)
        join ingest.acceptance a using (acceptance_id)
      where k.stream = $1 and k.natural_key = $2::text::jsonb and k.before is distinct from k.after
        order by k.accepted_value_id
      """, parameters)
    if accepted.rowCount > 0 { try show(accepted, empty: "") }
  }

  private func checkParts(of naturalKey: String) throws {
    let parts = try asKey {
      try connection.query(
        """
        select array_to_string(key_columns, ', '),
          jsonb_typeof($2::text::jsonb) = 'array'
            and jsonb_array_length($2::text::jsonb) = cardinality(key_columns)
        from ingest.stream where stream = $1
        """, [.text(stream), .text(naturalKey)])
    }
    guard parts[0, 1] == "t" else {
      throw Terminal.failure(
        .usage, "a key of \(stream) has these parts, in this order: \(parts[0, 0] ?? "")")
    }
  }

  /// What PostgreSQL cannot read as JSON, or as the type of a key's column, is no key.
  private func asKey(_ body: () throws -> QueryResult) throws -> QueryResult {
    do { return try body() } catch let error as PostgresError where error.kind == .row {
      throw Terminal.failure(.usage, "that is no key of \(stream): \(error.message)")
    }
  }
}
