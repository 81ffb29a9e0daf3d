internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres

/// The values of `--format` of commands that show a state.
enum StateFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

/// The output of a command that shows a state: tables one after the other, or the members of one JSON
/// document.
struct StateOutput {
  private let format: StateFormat
  private var document = JSONObject()

  init(_ format: StateFormat) { self.format = format }

  /// Prints a table, or adds a member.
  ///
  /// - Parameter empty: the line to print when there are no rows; nil: nothing is printed then.
  mutating func add(_ member: String, _ listing: Listing, empty: String?) throws {
    switch format {
    case .json: document.add(member, json: try listing.json())
    case .text:
      let table = try listing.table()
      if table.rowCount > 0 || empty != nil { try show(table, empty: empty ?? "") }
    }
  }

  /// Adds what only one of the formats has.
  mutating func add(
    json: (inout JSONObject) throws -> Void = { _ in }, text: () throws -> Void = {}
  ) throws {
    switch format {
    case .json: try json(&document)
    case .text: try text()
    }
  }

  /// Prints the document.
  mutating func end(_ code: Loading.ExitCode = .success) throws {
    try document.add("exit_code", code.rawValue)
    try document.add("version", Version.current)
    if format == .json { try Terminal.output(document.text) }
  }
}

/// A JSON object that is written member by member, in the order of the calls.
struct JSONObject {
  private var members: [String] = []

  mutating func add(_ name: String, _ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    add(name, json: String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// - Parameter json: a value that is JSON already.
  mutating func add(_ name: String, json: String) { members.append("  \"\(name)\": \(json)") }

  /// The object, with a line for each member, safe to show on a terminal.
  var text: String { printableJSON("{\n\(members.joined(separator: ",\n"))\n}") }
}
