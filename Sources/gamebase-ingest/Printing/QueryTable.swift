internal import Postgres

/// Prints a blank line and the rows of a query as a table.
///
/// - Parameter empty: the line to print when there are no rows.
func show(_ result: QueryResult, empty: String) throws {
  try Terminal.output("")
  guard result.rowCount > 0 else { return try Terminal.output(empty) }
  var table = TextTable(result.columnNames.map { $0.replacing("_", with: " ") })
  for row in result.rows { table.add(row.map { $0 ?? "-" }) }
  for line in table.lines { try Terminal.output(line) }
}
