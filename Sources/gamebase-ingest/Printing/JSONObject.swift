internal import Foundation
internal import Loading

/// A JSON object that is written member by member, in the order of the calls.
struct JSONObject {
  private var members: [String] = []

  mutating func add(_ name: String, _ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    add(name, json: String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// - Parameter json: a value that is JSON already.
  mutating func add(_ name: String, json: String) { members.append("  \"\(name)\": \(json)") }

  /// The object, with a line for each member, safe to show on a terminal.
  var text: String { printableJSON("{\n\(members.joined(separator: ",\n"))\n}") }
}
