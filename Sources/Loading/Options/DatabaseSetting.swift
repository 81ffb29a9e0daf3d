internal import RecordPipeline

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
    /// The lines of a usual day below which days are not judged by their figures.
    case minUsualLines = "min-usual-lines"
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
    if subject != nil, kind.subjects.isEmpty { return nil }
  }

  package var name: String { subject.map { "\(kind.rawValue).\($0)" } ?? kind.rawValue }

  /// The value while the setting is not set; nil: none, or that of the setting for all.
  package var defaultValue: String? { subject == nil ? kind.defaultValue : nil }

  /// True when a refresh has to follow a change.
  var isOfReports: Bool {
    switch kind {
    case .appID, .apps, .maxAge: false
    case .timeZone, .baseCurrency, .receiptFeed, .minDailyLines, .minUsualLines: true
    }
  }

  /// A text as it is stored: hours may be written with their unit, as in `30h`.
  package func stored(_ value: String) -> String {
    kind == .maxAge && value.hasSuffix("h") ? String(value.dropLast()) : value
  }

  /// The reason why a text cannot be the value, as far as that is known without the server; nil: the
  /// text may be valid.
  package func problem(with value: String) -> String? {
    if kind.subjects.contains(.app),
      let problem = subject.flatMap(ApplicationName.problem(with:))
    {
      return problem
    }
    switch kind {
    case .appID: return ApplicationName.problem(with: value)
    case .apps: return ApplicationName.problem(withList: value)
    case .timeZone:
      return value.isEmpty || value.contains("\0")
        ? "a time zone is UTC, or an area and a city such as Asia/Seoul" : nil
    case .baseCurrency:
      return value.wholeMatch(of: /[A-Z]{3}/) == nil
        ? "a currency is a code of three upper-case letters, such as KRW" : nil
    case .receiptFeed:
      return ["auto", "files", "events"].contains(value) ? nil : "a feed is auto, files or events"
    case .maxAge, .minDailyLines, .minUsualLines:
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
    case .minUsualLines:
      "the lines or paid purchases of a usual day below which days are not judged by their figures"
    }
  }

  /// The objects that can have a value of their own.
  package var subjects: [DatabaseSetting.Subject] {
    switch self {
    case .appID, .apps, .timeZone, .baseCurrency: []
    case .receiptFeed: [.app]
    case .maxAge: [.stream, .app]
    case .minDailyLines, .minUsualLines: [.stream]
    }
  }

  var defaultValue: String? {
    switch self {
    case .appID, .apps, .baseCurrency: nil
    case .timeZone: "UTC"
    case .receiptFeed: "auto"
    case .maxAge: "36"
    case .minDailyLines: "10"
    case .minUsualLines: "50"
    }
  }
}

/// The names of applications in options and settings.
enum ApplicationName {
  /// The reason why a text cannot be the name of an application; nil: it can.
  ///
  /// A blank at an end comes from a shell or a table by mistake, and would make a further game. Lines
  /// are not checked by this rule, because their texts are stored as written.
  static func problem(with name: String) -> String? {
    let limit = Limits().identifierBytes
    guard !name.isEmpty, name.utf8.count <= limit else {
      return "an application is a text of 1 to \(limit) bytes"
    }
    let ends = [("begins", name.unicodeScalars.first), ("ends", name.unicodeScalars.last)]
    for case (let verb, let scalar?) in ends where isInvisible(scalar) {
      let number = String(scalar.value, radix: 16, uppercase: true)
      let padding = String(repeating: "0", count: max(0, 4 - number.count))
      return
        "an application has no white space or invisible character at its ends, and this one \(verb) "
        + "with U+\(padding)\(number)"
    }
    return nil
  }

  /// The names in a list that is separated by commas.
  static func list(_ text: String) -> [String] {
    // Bytes are split, because a combining mark behind a comma forms one character with it.
    text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The reason why a text is no list of applications; nil: it is one.
  static func problem(withList text: String) -> String? {
    let names = list(text)
    if let problem = names.lazy.compactMap(problem(with:)).first { return problem }
    return Set(names.map { Array($0.utf8) }).count < names.count
      ? "an application is listed twice" : nil
  }

  /// White space, a control character, or a character without a glyph such as a byte-order mark.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format: return true
    default: return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
    }
  }
}
