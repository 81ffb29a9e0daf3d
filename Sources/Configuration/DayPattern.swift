/// A path with placeholders for a day: `%Y`, `%m` and `%d`, and `%%` for a percent sign.
package struct DayPattern: Sendable, Equatable {
  private enum Part: Sendable, Equatable { case text(String), year, month, day }

  private let parts: [Part]

  /// - Throws: `ConfigurationError` when another letter follows a percent sign.
  package init(_ text: String) throws(ConfigurationError) {
    var parts: [Part] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        literal.append(character)
        continue
      }
      let part: Part
      switch rest.popFirst() {
      case "%":
        literal.append("%")
        continue
      case "Y": part = .year
      case "m": part = .month
      case "d": part = .day
      default:
        throw ConfigurationError(
          .usage,
          "\(text): only %Y, %m, %d and %% can follow in a path; write %% for a percent sign")
      }
      parts += [.text(literal), part]
      literal = ""
    }
    self.parts = parts + [.text(literal)]
  }

  /// False when all days have the same path.
  package var hasDay: Bool { parts.count > 1 }

  /// The path of a day.
  ///
  /// - Parameter day: such as `2026-01-31`.
  package func path(on day: String) -> String {
    let numbers = day.split(separator: "-")
    func number(_ place: Int) -> Substring { place < numbers.count ? numbers[place] : "" }
    return parts.reduce(into: "") { path, part in
      switch part {
      case .text(let text): path += text
      case .year: path += number(0)
      case .month: path += number(1)
      case .day: path += number(2)
      }
    }
  }
}
