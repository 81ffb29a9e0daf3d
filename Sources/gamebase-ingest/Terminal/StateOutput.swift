internal import Loading
internal import Postgres

/// The output of a command that shows a state: tables one after the other, or the members of one JSON
/// document.
struct StateOutput {
  private let format: OutputFormat
  private let connection: Connection
  private var members: [String] = []

  /// - Parameter connection: in a transaction, so that the lists agree.
  init(_ format: OutputFormat, on connection: Connection) {
    self.format = format
    self.connection = connection
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

  /// Prints the document, with a line for each member.
  ///
  /// - Throws: the code, unless it is 0.
  mutating func end(_ code: Loading.ExitCode = .success) throws {
    try add("exit_code", code.rawValue)
    try add("version", Version.current)
    if format == .json {
      try Terminal.output(printableJSON("{\n\(members.joined(separator: ",\n"))\n}"))
    }
    if code != .success { throw Terminal.code(code) }
  }
}
