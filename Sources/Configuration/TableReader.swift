/// Reads tables of a configuration file, and names the place of each error.
struct TableReader {
  let file: ConfigurationFile
  let options: [OptionKey]
  let suggestion: Configuration.Suggestion

  private var optionNames: [String] { Set(options.map(\.name)).sorted() }

  // MARK: - Errors

  func wrong(_ place: [String], _ problem: String) -> ConfigurationError {
    ConfigurationError(.file, "\(file.path): \(Self.text(place)) \(problem)")
  }

  func unknown(_ key: String, in place: [String], among keys: [String]) -> ConfigurationError {
    let cure =
      suggestion(key, keys).map { "did you mean \($0)?" }
      ?? (keys.count < 10
        ? "the keys are \(keys.joined(separator: ", "))"
        : "keys are the names of options without the dashes; gamebase-ingest config show lists them")
    return wrong(place + [key], "is no key; \(cure)")
  }

  private static func text(_ place: [String]) -> String { place.joined(separator: ".") }

  // MARK: - Kinds of values

  func table(
    _ value: ConfigurationValue?, at place: [String]
  ) throws(ConfigurationError) -> [String: ConfigurationValue] {
    switch value {
    case nil: return [:]
    case .table(let table): return table
    case .some(let other): throw wrong(place, "must be a table, and is \(other.kind)")
    }
  }

  func list(
    _ value: ConfigurationValue?, at place: [String]
  ) throws(ConfigurationError) -> [ConfigurationValue] {
    switch value {
    case nil: return []
    case .list(let list): return list
    case .some(let other): throw wrong(place, "must be a list, and is \(other.kind)")
    }
  }

  func text(
    _ value: ConfigurationValue, at place: [String]
  ) throws(ConfigurationError) -> String {
    guard case .text(let text) = value else {
      throw wrong(place, "must be a text, and is \(value.kind)")
    }
    return text
  }

  /// A text, or a list of texts.
  func texts(
    _ value: ConfigurationValue?, at place: [String]
  ) throws(ConfigurationError) -> [String] {
    if case .text(let text) = value { return [text] }
    var texts: [String] = []
    for part in try list(value, at: place) { texts.append(try text(part, at: place)) }
    return texts
  }

  /// The options of a table, each with a value of its kind.
  func options(
    _ table: [String: ConfigurationValue], at place: [String], otherKeys: [String] = []
  ) throws(ConfigurationError) -> [String: ConfigurationValue] {
    for (name, value) in table.sorted(by: { $0.key < $1.key }) {
      let known = options.filter { $0.name == name }
      guard !known.isEmpty else {
        throw unknown(name, in: place, among: (optionNames + otherKeys).sorted())
      }
      let place = place + [name]
      switch value {
      case .flag:
        guard known.contains(where: { $0.kind == .flag || $0.name == "local" }) else {
          throw wrong(place, "needs a value, and not true or false")
        }
      case .text, .integer, .number:
        guard known.contains(where: { $0.kind == .option }) else {
          throw wrong(place, "must be true or false, and is \(value.kind)")
        }
      case .list:
        guard known.contains(where: \.isRepeating) else {
          throw wrong(place, "takes one value, and not a list")
        }
        _ = try texts(value, at: place)
      case .table, .date:
        throw wrong(place, "cannot be \(value.kind)")
      }
    }
    return table
  }
}
