internal import Loading
internal import Postgres

/// The output of a command that shows a state: tables one after the other, or the members of one JSON
/// document.
struct StateOutput {
  private let format: OutputFormat
  private var members: [String] = []

  init(_ format: OutputFormat) { self.format = format }

  /// Prints a blank line and a table, or adds a member.
  ///
  /// - Parameter empty: the line to print when there are no rows; nil: nothing is printed then.
  mutating func add(_ member: String, _ listing: Listing, empty: String?) throws {
    guard format == .text else { return add(member, json: try listing.json()) }
    let rows = try listing.table()
    if rows.rowCount > 0 { return try TextTable(rows).show(isApart: true) }
    if let empty { try Terminal.output("\n\(empty)") }
  }

  /// Adds a member that the text does not have.
  mutating func add(_ member: String, _ value: some Encodable) throws {
    add(member, json: try jsonText(value))
  }

  /// Adds a member that is JSON already, and that the text does not have.
  mutating func add(_ member: String, json: String) { members.append("  \"\(member)\": \(json)") }

  /// Prints what the JSON document does not have.
  func text(_ write: () throws -> Void) throws {
    if format == .text { try write() }
  }

  /// Prints the document, with a line for each member.
  mutating func end(_ code: Loading.ExitCode = .success) throws {
    try add("exit_code", code.rawValue)
    try add("version", Version.current)
    guard format == .json else { return }
    try Terminal.output(printableJSON("{\n\(members.joined(separator: ",\n"))\n}"))
  }
}
