internal import RecordPipeline

/// A default value that the database stores for an option of `load`.
package enum DatabaseSetting: String, CaseIterable, Sendable {
  /// The application of lines that name none.
  case appID = "app-id"

  /// One line for `settings show`.
  package var meaning: String {
    switch self {
    case .appID: "the application of lines that name none, unless load --app-id names one"
    }
  }

  /// The reason why a text cannot be the value; nil: the text is valid.
  package func problem(with value: String) -> String? {
    switch self {
    case .appID:
      let limit = Limits().identifierBytes
      let isBlank = value.allSatisfy { " \t\r\n".contains($0) }
      return isBlank || value.utf8.count > limit
        ? "an application is a text of 1 to \(limit) bytes" : nil
    }
  }
}
