/// The values of a command's options, each from the place with the highest precedence: the command
/// line, the environment, the target and the defaults of the configuration file, the program.
package struct OptionValues: Sendable {
  /// The place that a value comes from.
  package enum Origin: Sendable, Equatable {
    case commandLine
    /// With the name of the variable.
    case environment(String)
    /// With the path of the file and the table in it.
    case file(String, table: String)
    case program

    package var description: String {
      switch self {
      case .commandLine: "command line"
      case .environment(let name): name
      case .file(let path, let table): "\(path), [\(table)]"
      case .program: "default"
      }
    }
  }

  /// One option with its value.
  package struct Entry: Sendable, Equatable {
    package let option: OptionKey
    /// The values as the command line would have them; empty: the default, or a flag that is off.
    package let values: [String]
    package let origin: Origin

    /// The arguments that set the value on a command line.
    package var arguments: [String] {
      switch option.kind {
      case .flag: values.isEmpty ? [] : ["--\(option.name)"]
      case .option: values.map { $0.isEmpty ? "--\(option.name)" : "--\(option.name)=\($0)" }
      }
    }
  }

  package let entries: [Entry]

  /// The options of which only one can be given; the place with the highest precedence decides.
  private static let exclusive = [["database", "local"]]

  /// - Parameters:
  ///   - options: those of the command, in the order of its help.
  ///   - given: the names that the command line has.
  ///   - accepts: true for options that may come from the environment and the file.
  ///   - environment: the variables of the process.
  ///   - configuration: nil: there is no file.
  ///   - target: of the configuration; nil: none.
  /// - Throws: `ConfigurationError` when a variable cannot be a flag or a list.
  package init(
    options: [OptionKey], given: Set<String>, accepts: (String) -> Bool,
    environment: [String: String], configuration: Configuration?, target: Configuration.Target?
  ) throws(ConfigurationError) {
    var places:
      [(origin: (OptionKey) -> Origin, values: (OptionKey) throws(ConfigurationError) -> [String]?)] =
        [
          (
            { .environment($0.environmentVariable) },
            { option throws(ConfigurationError) in
              try environment[option.environmentVariable].flatMap {
                text throws(ConfigurationError) in
                try Self.values(ofVariable: text, option)
              }
            }
          )
        ]
    if let configuration {
      let path = configuration.path
      if let target {
        places.append(
          (
            { _ in .file(path, table: "targets.\(target.name)") },
            { target.options[$0.name].map(Self.values) }
          ))
      }
      places.append(
        (
          { _ in .file(path, table: "defaults") },
          { configuration.defaults[$0.name].map(Self.values) }
        ))
    }
    var found: [String: (values: [String], origin: Origin)] = [:]
    for name in given { found[name] = ([], .commandLine) }
    for place in places {
      // A lower place cannot add the other option of a pair.
      let excluded = Set(
        Self.exclusive.filter { pair in pair.contains { found[$0] != nil } }.joined())
      for option in options
      where found[option.name] == nil && !excluded.contains(option.name) && accepts(option.name) {
        if let values = try place.values(option) {
          found[option.name] = (values, place.origin(option))
        }
      }
    }
    entries = options.map { option in
      let value = found[option.name]
      return Entry(option: option, values: value?.values ?? [], origin: value?.origin ?? .program)
    }
  }

  /// The arguments for the options that the command line does not have.
  package var arguments: [String] {
    entries.filter { $0.origin != .commandLine && $0.origin != .program }.flatMap(\.arguments)
  }

  private static let words = [
    "true": true, "yes": true, "1": true, "false": false, "no": false, "0": false,
  ]

  /// The values of a variable; nil: it is empty, which is the same as not set.
  private static func values(
    ofVariable text: String, _ option: OptionKey
  ) throws(ConfigurationError) -> [String]? {
    guard !text.isEmpty else { return nil }
    if option.kind == .flag {
      guard let isOn = words[text.lowercased()] else {
        throw ConfigurationError(
          .usage, "\(option.environmentVariable) must be true or false, for --\(option.name)")
      }
      return isOn ? [""] : []
    }
    if option.name == "local", let isOn = words[text.lowercased()] { return isOn ? [""] : [] }
    guard option.isRepeating, text.utf8.first == UInt8(ascii: "[") else { return [text] }
    guard let texts = JSONTexts.parse(text) else {
      throw ConfigurationError(
        .usage,
        "\(option.environmentVariable) must be one value, or a JSON array of texts, for "
          + "--\(option.name)")
    }
    return texts
  }

  /// The values of a checked value of the file.
  private static func values(_ value: ConfigurationValue) -> [String] {
    switch value {
    case .text(let text): [text]
    case .integer(let number): [String(number)]
    case .number(let number): [String(number)]
    case .flag(let isOn): isOn ? [""] : []
    case .list(let values): values.flatMap(Self.values)
    case .table, .date: []
    }
  }
}
