/// A setting that the database stores for later commands and for its reports.
package enum DatabaseSetting: String, CaseIterable, Sendable {
  /// The application of lines that name none.
  case appID = "app-id"
  /// The applications that lines may belong to.
  case apps
  /// The zone of the days in the reports.
  case timeZone = "time-zone"
  /// The currency that converted revenue is in.
  case baseCurrency = "base-currency"

  /// One line for `settings show`.
  package var meaning: String {
    switch self {
    case .appID: "the application of lines that name none, unless load --app-id names one"
    case .apps: "the applications that lines may belong to; a line of another one fails its file"
    case .timeZone: "the time zone of days, weeks and months in the reports"
    case .baseCurrency: "the currency of converted revenue; exchange rates are in units of it"
    }
  }

  /// The value while the setting is not set; nil: none.
  package var defaultValue: String? {
    switch self {
    case .appID, .apps, .baseCurrency: nil
    case .timeZone: TimeZoneName.standard
    }
  }

  /// The reason why a text cannot be the value, as far as that is known without the server; nil: the
  /// text may be valid.
  package func problem(with value: String) -> String? {
    switch self {
    case .appID: return ApplicationName.problem(with: value)
    case .apps: return ApplicationName.problem(withList: value)
    case .timeZone:
      return value.isEmpty || value.contains("\0")
        ? "a time zone is UTC, or an area and a city such as \(TimeZoneName.example)" : nil
    case .baseCurrency:
      return value.wholeMatch(of: /[A-Z]{3}/) == nil
        ? "a currency is a code of three upper-case letters, such as KRW" : nil
    }
  }
}
