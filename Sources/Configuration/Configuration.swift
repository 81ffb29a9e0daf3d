internal import TOMLKit

/// The contents of a configuration file: options for all commands, and named targets.
///
/// Options are values by their names without the dashes; the command's parser checks them.
package struct Configuration: Sendable, Equatable, Decodable {
  /// The values of options for every command that has them.
  package let defaults: [String: OptionValue]?
  private let targets: [String: Target]?

  /// One database with the data that belongs into it.
  package struct Target: Sendable, Equatable, Decodable {
    package let options: [String: OptionValue]
    package let sources: [Source]

    package init(from decoder: any Decoder) throws {
      let table = try decoder.container(keyedBy: TargetKey.self)
      var options: [String: OptionValue] = [:]
      for key in table.allKeys where key.stringValue != TargetKey.sources.stringValue {
        options[key.stringValue] = try table.decode(OptionValue.self, forKey: key)
      }
      self.options = options
      sources = try table.decodeIfPresent([Source].self, forKey: .sources) ?? []
    }
  }

  /// The name of an option, or `sources`.
  private struct TargetKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    static let sources = TargetKey("sources")

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { return nil }
  }

  /// Files of a target that belong together.
  package struct Source: Sendable, Equatable, Decodable {
    /// Files, folders or patterns, with `%Y`, `%m` and `%d` for the day; at least one.
    package let paths: [String]
    /// nil: the names of the files select the stream.
    package var stream: String?
    /// The files of a day below which data is missing; nil: as the option `min-files` says.
    package var minFiles: Int?

    package init(paths: [String], stream: String? = nil, minFiles: Int? = nil) {
      self.paths = paths
      self.stream = stream
      self.minFiles = minFiles
    }

    private enum CodingKeys: String, CodingKey {
      case paths, stream
      case minFiles = "min-files"
    }

    package init(from decoder: any Decoder) throws {
      let table = try decoder.container(keyedBy: CodingKeys.self)
      paths = try table.decode(OptionValue.self, forKey: .paths).texts
      stream = try table.decodeIfPresent(String.self, forKey: .stream)
      minFiles = try table.decodeIfPresent(Int.self, forKey: .minFiles)
      guard !paths.isEmpty else {
        throw DecodingError.dataCorruptedError(
          forKey: .paths, in: table, debugDescription: "needs at least one path")
      }
      guard minFiles ?? 0 >= 0 else {
        throw DecodingError.dataCorruptedError(
          forKey: .minFiles, in: table, debugDescription: "must be at least 0")
      }
    }
  }

  /// A value of an option: true or false for a flag, one value, or several.
  package enum OptionValue: Sendable, Equatable, Decodable {
    case flag(Bool)
    case texts([String])

    /// The values in the form of the command line; none for a flag.
    package var texts: [String] { if case .texts(let texts) = self { texts } else { [] } }

    package init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let flag = try? value.decode(Bool.self) {
        self = .flag(flag)
      } else if let texts = try? value.decode([String].self) {
        self = .texts(texts)
      } else if let text = try? value.decode(String.self) {
        self = .texts([text])
      } else if let integer = try? value.decode(Int.self) {
        self = .texts([String(integer)])
      } else if let number = try? value.decode(Double.self) {
        self = .texts([String(number)])
      } else {
        throw DecodingError.dataCorruptedError(
          in: value, debugDescription: "must be a text, a number, true, false, or a list of texts")
      }
    }
  }

  /// The target that a command works on; nil: the file has none, or several.
  ///
  /// - Parameter name: as the command line or the environment names it; nil: the only target.
  /// - Throws: `ConfigurationError` when there is no such target.
  package func target(
    named name: String?, in file: String
  ) throws(ConfigurationError) -> (name: String, target: Target)? {
    guard let name else { return targetNames.count == 1 ? targets?.first.map { ($0, $1) } : nil }
    if let target = targets?[name] { return (name, target) }
    throw ConfigurationError(
      .usage,
      "\(file) has no target \(name)"
        + (targetNames.isEmpty ? "" : "; its targets are \(targetNames.joined(separator: ", "))"))
  }

  package var targetNames: [String] { (targets ?? [:]).keys.sorted() }
}
