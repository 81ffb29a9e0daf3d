/// A setting that the database stores for later commands and for its reports.
///
/// Some settings have a value for all, and one of their own for an application or a stream, such as
/// `receipt-feed` and `receipt-feed.APP`.
package struct DatabaseSetting: Sendable, Equatable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The application of lines that name none.
    case appID = "app-id"
    /// The applications that lines may belong to.
    case apps
    /// The zone of the days in the reports.
    case timeZone = "time-zone"
    /// The currency that converted revenue is in.
    case baseCurrency = "base-currency"
    /// The files that the money views follow.
    case receiptFeed = "receipt-feed"
    /// The hours after which a stream is late.
    case maxAge = "max-age"
    /// The lines of a usual day below which a missing day is no alarm.
    case minDailyLines = "min-daily-lines"
  }

  /// The objects that can have a value of their own.
  package enum Subject: Sendable { case app, stream }

  package let kind: Kind
  /// The application or the stream; nil: the value is for all.
  package let subject: String?

  private init(_ kind: Kind, subject: String? = nil) {
    self.kind = kind
    self.subject = subject
  }

  package static let appID = DatabaseSetting(.appID)
  package static let apps = DatabaseSetting(.apps)
  package static let timeZone = DatabaseSetting(.timeZone)
  package static let baseCurrency = DatabaseSetting(.baseCurrency)
  package static let receiptFeed = DatabaseSetting(.receiptFeed)

  /// The settings without those of single applications and streams.
  package static let all = Kind.allCases.map { DatabaseSetting($0) }

  /// - Parameter name: such as `time-zone` or `receipt-feed.Qb2FhTzN`; nil: there is no such setting.
  package init?(name: String) {
    // Bytes are split, because a combining mark behind the dot forms one character with it.
    let parts = name.utf8.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false
    )
    .map { String(decoding: $0, as: UTF8.self) }
    guard let kind = parts.first.flatMap(Kind.init) else { return nil }
    self.init(kind, subject: parts.count > 1 ? parts[1] : nil)
    if subject != nil, kind.subject == nil { return nil }
  }

  package var name: String { subject.map { "\(kind.rawValue).\($0)" } ?? kind.rawValue }

  /// The value while the setting is not set; nil: none, or that of the setting for all.
  package var defaultValue: String? { subject == nil ? kind.defaultValue : nil }

  /// True when a refresh has to follow a change.
  var isOfReports: Bool {
    switch kind {
    case .appID, .apps, .maxAge, .minDailyLines: false
    case .timeZone, .baseCurrency, .receiptFeed: true
    }
  }

  /// The reason why a text cannot be the value, as far as that is known without the server; nil: the
  /// text may be valid.
  package func problem(with value: String) -> String? {
    if kind.subject == .app, let problem = subject.flatMap(ApplicationName.problem(with:)) {
      return problem
    }
    switch kind {
    case .appID: return ApplicationName.problem(with: value)
    case .apps: return ApplicationName.problem(withList: value)
    case .timeZone:
      return value.isEmpty || value.contains("\0")
        ? "a time zone is UTC, or an area and a city such as \(TimeZoneName.example)" : nil
    case .baseCurrency:
      return value.wholeMatch(of: /[A-Z]{3}/) == nil
        ? "a currency is a code of three upper-case letters, such as KRW" : nil
    case .receiptFeed:
      return ["auto", "files", "events"].contains(value) ? nil : "a feed is auto, files or events"
    case .maxAge, .minDailyLines:
      return value.wholeMatch(of: /[1-9][0-9]{0,6}/) == nil
        ? "a number from 1 to 9999999 is needed" : nil
    }
  }
}

extension DatabaseSetting.Kind {
  /// One line for `settings show`.
  package var meaning: String {
    switch self {
    case .appID: "the application of lines that name none, unless load --app-id names one"
    case .apps: "the applications that lines may belong to; a line of another one fails its file"
    case .timeZone: "the time zone of days, weeks and months in the reports"
    case .baseCurrency: "the currency of converted revenue; exchange rates are in units of it"
    case .receiptFeed:
      "the files that tell how far receipts go: files, events, or auto (files where there are some)"
    case .maxAge: "the hours behind now after which a stream is late"
    case .minDailyLines: "the lines of a usual day below which a missing day is no alarm"
    }
  }

  /// The objects that can have a value of their own; nil: none.
  package var subject: DatabaseSetting.Subject? {
    switch self {
    case .appID, .apps, .timeZone, .baseCurrency: nil
    case .receiptFeed: .app
    case .maxAge, .minDailyLines: .stream
    }
  }

  var defaultValue: String? {
    switch self {
    case .appID, .apps, .baseCurrency: nil
    case .timeZone: TimeZoneName.standard
    case .receiptFeed: "auto"
    case .maxAge: "36"
    case .minDailyLines: "10"
    }
  }
}
