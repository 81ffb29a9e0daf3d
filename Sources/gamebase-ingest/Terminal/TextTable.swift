internal import CProcess
internal import Loading
internal import Postgres

/// A table with aligned columns: text is aligned to the left, numbers to the right.
struct TextTable {
  /// A value of a row; nil is shown as a dash.
  typealias Cell = (any CustomStringConvertible)?

  /// The header and the rows.
  private let cells: [[String]]

  init(_ header: [String], _ rows: [[Cell]]) {
    cells = [header] + rows.map { $0.map { cell in cell.map { printable("\($0)") } ?? "-" } }
  }

  /// The first rows of a query, under the names of the columns.
  init(_ result: QueryResult, limit: Int = .max) {
    let rows = result.rows.prefix(limit).map { row in
      row.enumerated().map { column, value in
        // To the second; the sessions of the program are in UTC.
        value.map { result.valueType(ofColumn: column) == .time ? "\($0.prefix(19)) UTC" : $0 }
      }
    }
    self.init(result.columnNames.map { $0.replacing("_", with: " ") }, rows)
  }

  var lines: [String] {
    let columns = cells[0].indices.map { column in
      let values = cells.dropFirst().map { $0[column] }
      return (
        width: cells.map { displayWidth($0[column]) }.max() ?? 0,
        isNumeric: !values.isEmpty && values.joined().allSatisfy { $0.isNumber || $0 == "-" }
      )
    }
    return cells.map { row in
      zip(row, columns).map { cell, column in
        let padding = String(repeating: " ", count: column.width - displayWidth(cell))
        return column.isNumeric ? padding + cell : cell + padding
      }.joined(separator: "  ").replacing(#/ +$/#, with: "")
    }
  }

  /// - Parameter isApart: true to print a blank line before it.
  func show(isApart: Bool = false) throws {
    for line in (isApart ? [""] : []) + lines { try Terminal.output(line) }
  }
}

/// The width of a text in columns of a terminal, by the C library's table, which terminals use too.
///
/// Without a UTF-8 locale of the C library, every character counts as one.
private func displayWidth(_ text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  guard gbi_knows_widths() == 1 else { return text.count }
  return text.unicodeScalars.reduce(0) { width, scalar in
    let columns = gbi_display_width(scalar.value)
    return width + Int(columns < 0 ? 1 : columns)
  }
}

/// The output of a command that shows a state: tables one after the other, or the members of one JSON
/// document.
struct StateOutput {
  let format: OutputFormat
  /// In a transaction, so that the lists agree.
  let connection: Connection
  private var members: [String] = []

  init(_ format: OutputFormat, on connection: Connection) {
    (self.format, self.connection) = (format, connection)
  }

  /// Prints a blank line and the rows of a query as a table, or adds them as an array of objects, with
  /// numbers, nulls, and times in RFC 3339 and UTC.
  ///
  /// - Parameter empty: the line to print when there are no rows; nil: nothing is printed then.
  mutating func add(
    _ member: String, _ query: String, _ parameters: [Parameter] = [], empty: String?
  ) throws {
    guard format == .text else {
      let json = "select coalesce(json_agg(q), '[]')::text from (\(query)) q"
      return add(member, json: try connection.onlyRow(of: String.self, json, parameters))
    }
    let rows = try connection.query(query, parameters)
    if rows.rowCount > 0 { return try TextTable(rows).show(isApart: true) }
    if let empty { try Terminal.output("\n\(empty)") }
  }

  /// Adds a member that the text does not have.
  mutating func add(_ member: String, _ value: some Encodable) throws {
    add(member, json: try jsonText(value))
  }

  /// Adds a member that is JSON already, and that the text does not have.
  mutating func add(_ member: String, json: String) { members.append("  \"\(member)\": \(json)") }

  /// Prints lines that the JSON document does not have.
  func text(_ lines: [String]) throws {
    if format == .text { for line in lines { try Terminal.output(line) } }
  }

  /// Prints the document, with a line for each member, and throws the code unless it is 0.
  mutating func end(_ code: Loading.ExitCode = .success) throws {
    try add("exit_code", code.rawValue)
    try add("version", Version.current)
    if format == .json {
      try Terminal.output(printableJSON("{\n\(members.joined(separator: ",\n"))\n}"))
    }
    if code != .success { throw Terminal.code(code) }
  }
}
