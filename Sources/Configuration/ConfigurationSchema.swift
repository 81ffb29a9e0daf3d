internal import Foundation

/// The JSON Schema of the configuration file, for editors.
package struct ConfigurationSchema {
  private let options: [OptionKey]

  /// - Parameter options: all options of all commands; several may have one name.
  package init(options: [OptionKey]) { self.options = options }

  /// The schema as JSON with sorted keys, without a final line break.
  package var json: String {
    let schema = Node.object([
      "$schema": .text("https://json-schema.org/draft/2020-12/schema"),
      "$id": .text("https://gamebase-ingest.example/gamebase-ingest.schema.json"),
      "title": .text("The configuration file of gamebase-ingest"),
      "type": .text("object"),
      "additionalProperties": .flag(false),
      "properties": .object([
        "defaults": .object([
          "description": .text("Values of options, for every command that has the option."),
          "$ref": .text("#/$defs/options"),
        ]),
        "targets": .object([
          "description": .text("Databases by name, each with its options and sources."),
          "type": .text("object"),
          "additionalProperties": .object(["$ref": .text("#/$defs/target")]),
        ]),
      ]),
      "$defs": .object([
        "options": table(properties: optionProperties),
        "target": table(properties: optionProperties.merging(["sources": sources]) { $1 }),
        "source": source,
      ]),
    ])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // A tree of texts and flags can always be encoded.
    return (try? encoder.encode(schema)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func table(properties: [String: Node]) -> Node {
    .object([
      "type": .text("object"), "additionalProperties": .flag(false),
      "properties": .object(properties),
    ])
  }

  private var optionProperties: [String: Node] {
    Dictionary(grouping: options, by: \.name).mapValues { same in
      let types = same.flatMap { option in
        option.kind == .flag
          ? ["boolean"] : ["string", "number"] + (option.isRepeating ? ["array"] : [])
      }
      // A text of help can quote code; an editor shows it as it is.
      var node: [String: Node] = [
        "description": .text(same[0].abstract),
        "type": .list(Set(types).sorted().map { .text($0) }),
      ]
      if same.contains(where: \.isRepeating) {
        node["items"] = .object(["type": .text("string")])
      }
      return .object(node)
    }
  }

  private var sources: Node {
    .object([
      "description": .text("The files of a day, for run."), "type": .text("array"),
      "items": .object(["$ref": .text("#/$defs/source")]),
    ])
  }

  private var source: Node {
    .object([
      "type": .text("object"), "additionalProperties": .flag(false),
      "required": .list([.text("paths")]),
      "properties": .object([
        "paths": .object([
          "description": .text(
            "Files, folders or patterns; %Y, %m and %d stand for the day, %% for a percent sign."),
          "anyOf": .list([
            .object(["type": .text("string")]),
            .object(["type": .text("array"), "items": .object(["type": .text("string")])]),
          ]),
        ]),
        "stream": .object([
          "description": .text("The stream of the files; their names select it if unset."),
          "type": .text("string"),
        ]),
        "min-files": .object([
          "description": .text("The files of a day below which data is missing."),
          "type": .text("integer"), "minimum": .integer(0),
        ]),
      ]),
    ])
  }

  private indirect enum Node: Encodable {
    case text(String)
    case flag(Bool)
    case integer(Int)
    case list([Node])
    case object([String: Node])

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .flag(let flag): try container.encode(flag)
      case .integer(let number): try container.encode(number)
      case .list(let nodes): try container.encode(nodes)
      case .object(let nodes): try container.encode(nodes)
      }
    }
  }
}
