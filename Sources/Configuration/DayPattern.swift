/// A path with placeholders for a day: `%Y`, `%m` and `%d`, and `%%` for a percent sign.
package struct DayPattern: Sendable, Equatable {
  private let text: String

  /// - Throws: `ConfigurationError` when another letter follows a percent sign.
  package init(_ text: String) throws(ConfigurationError) {
    guard !text.replacing("%%", with: "").contains(/%(?![Ymd])/) else {
      throw ConfigurationError(
        .usage,
        "\(text): only %Y, %m, %d and %% can follow in a path; write %% for a percent sign")
    }
    self.text = text
  }

  /// False when all days have the same path.
  package var hasDay: Bool { text.replacing("%%", with: "").contains("%") }

  /// The path of a day.
  ///
  /// - Parameter day: such as `2026-01-31`.
  package func path(on day: String) -> String {
    text.replacing(/%[Ymd%]/) { placeholder -> Substring in
      switch placeholder.output {
      case "%Y": day.prefix(4)
      case "%m": day.dropFirst(5).prefix(2)
      case "%d": day.suffix(2)
      default: "%"
      }
    }
  }
}
