/// The contents of a configuration file: options for all commands, and named targets.
package struct Configuration: Sendable {
  /// The path of the file.
  package let path: String
  /// The values of options for every command that has them.
  package let defaults: [String: ConfigurationValue]
  package let targets: [String: Target]

  /// One database with the data that belongs into it.
  package struct Target: Sendable, Equatable {
    package let name: String
    /// The values of options.
    package let options: [String: ConfigurationValue]
    package let sources: [Source]
  }

  /// Files of a target that belong together.
  package struct Source: Sendable, Equatable {
    /// Files, folders or patterns, with `%Y`, `%m` and `%d` for the day.
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
  }

  /// Finds the name that a mistyped one may stand for; nil: none is near.
  package typealias Suggestion = @Sendable (_ name: String, _ names: [String]) -> String?

  private static let topKeys = ["defaults", "targets"]
  private static let sourceKeys = ["paths", "stream", "min-files"]

  /// Checks a file against the options of the commands.
  ///
  /// - Parameter options: all options of all commands; several may have one name.
  /// - Throws: `ConfigurationError` for an unknown key and a value of the wrong kind.
  package init(
    _ file: ConfigurationFile, options: [OptionKey], suggestion: @escaping Suggestion
  ) throws(ConfigurationError) {
    try self.init(TableReader(file: file, options: options, suggestion: suggestion))
  }

  private init(_ reader: TableReader) throws(ConfigurationError) {
    let file = reader.file
    path = file.path
    let top = file.entries
    for key in top.keys.sorted() where !Self.topKeys.contains(key) {
      throw reader.unknown(key, in: [], among: Self.topKeys)
    }
    defaults = try reader.options(
      try reader.table(top["defaults"], at: ["defaults"]), at: ["defaults"])
    var targets: [String: Target] = [:]
    for (name, value) in try reader.table(top["targets"], at: ["targets"]).sorted(by: {
      $0.key < $1.key
    }) {
      let place = ["targets", name]
      var table = try reader.table(value, at: place)
      let sources = try reader.list(table.removeValue(forKey: "sources"), at: place + ["sources"])
      targets[name] = Target(
        name: name, options: try reader.options(table, at: place, otherKeys: ["sources"]),
        sources: try Self.sources(sources, at: place + ["sources"], reader))
    }
    self.targets = targets
  }

  private static func sources(
    _ values: [ConfigurationValue], at place: [String], _ reader: TableReader
  ) throws(ConfigurationError) -> [Source] {
    var sources: [Source] = []
    for (index, value) in values.enumerated() {
      let place = place + [String(index + 1)]
      let table = try reader.table(value, at: place)
      for key in table.keys.sorted() where !sourceKeys.contains(key) {
        throw reader.unknown(key, in: place, among: sourceKeys)
      }
      let paths = try reader.texts(table["paths"], at: place + ["paths"])
      guard !paths.isEmpty else { throw reader.wrong(place + ["paths"], "needs at least one path") }
      var source = Source(paths: paths)
      if let stream = table["stream"] {
        source.stream = try reader.text(stream, at: place + ["stream"])
      }
      if let number = table["min-files"] {
        guard case .integer(let count) = number, count >= 0 else {
          throw reader.wrong(place + ["min-files"], "needs an integer of at least 0")
        }
        source.minFiles = count
      }
      sources.append(source)
    }
    return sources
  }

  /// The target that a command works on; nil: the file has none.
  ///
  /// - Parameter name: as the command line or the environment names it; nil: the only target.
  /// - Throws: `ConfigurationError` when there is no such target.
  package func target(named name: String?) throws(ConfigurationError) -> Target? {
    guard let name else { return targets.count == 1 ? targets.values.first : nil }
    if let target = targets[name] { return target }
    let names = targets.keys.sorted()
    throw ConfigurationError(
      .usage,
      "\(path) has no target \(name)"
        + (names.isEmpty ? "" : "; its targets are \(names.joined(separator: ", "))"))
  }
}
