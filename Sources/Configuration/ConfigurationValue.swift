internal import TOMLKit

/// A value of a configuration file.
package indirect enum ConfigurationValue: Sendable, Equatable {
  case text(String)
  case integer(Int)
  case number(Double)
  case flag(Bool)
  case list([ConfigurationValue])
  case table([String: ConfigurationValue])
  /// A date or a time, which no key of the file takes.
  case date

  /// The word for the kind of value in messages.
  package var kind: String {
    switch self {
    case .text: "a text"
    case .integer: "an integer"
    case .number: "a number"
    case .flag: "true or false"
    case .list: "a list"
    case .table: "a table"
    case .date: "a date or time"
    }
  }

  /// - Parameter value: of a document that is still in memory.
  init(_ value: TOMLValue) {
    self =
      if let table = value.table {
        .table(ConfigurationValue.entries(table))
      } else if let array = value.array {
        .list((0..<array.count).map { ConfigurationValue(array[$0].tomlValue) })
      } else if let text = value.string {
        .text(text)
      } else if let flag = value.bool {
        .flag(flag)
      } else if let integer = value.int {
        .integer(integer)
      } else if let number = value.double {
        .number(number)
      } else {
        .date
      }
  }

  static func entries(_ table: TOMLTable) -> [String: ConfigurationValue] {
    var entries: [String: ConfigurationValue] = [:]
    for key in table.keys {
      if let value = table[key] { entries[key] = ConfigurationValue(value.tomlValue) }
    }
    return entries
  }
}
