package import Postgres
package import RecordPipeline

/// The verdicts on the feeds of a database, from `report.health`.
///
/// It reads only what the monitor role may read.
package struct HealthListing {
  private let connection: Connection

  /// - Parameter connection: in a transaction, so that its rows are of one moment.
  package init(on connection: Connection) { self.connection = connection }

  /// One entry per application and stream, in the order of both; those without an application last.
  ///
  /// - Parameter maxAges: limits that replace those of the settings. A limit of a stream goes before one
  ///   for all.
  package func feeds(maxAges: [MaxAge] = []) throws -> [FeedHealth] {
    let feeds = try connection.rows(
      of: FeedHealth.self,
      """
      select app_id, stream, verdict, reason, \(Self.time("newest_event_at")) as newest_event_at,
        hours_behind_now, max_hours_behind, \(Self.time("newest_loaded_at")) as newest_loaded_at,
        missing_day_count, open_failure_count, pending_file_count, set_aside_count,
        hours_without_news
      from report.health order by app_id collate "C", stream collate "C"
      """)
    return FeedHealth.judged(feeds, maxAges: maxAges)
  }

  /// The feeds of a scope and the files that failed in it.
  package func health(of scope: FeedScope, maxAges: [MaxAge] = []) throws -> Health {
    let failures = try connection.rows(
      of: OpenFailure.self, "select path, stream from report.open_failure order by path, stream")
    return scope.health(feeds: try feeds(maxAges: maxAges), openFailures: failures)
  }

  /// The open failures of the files, as JSON.
  package func openFailuresJSON(of paths: [String]) throws -> String {
    try connection.onlyRow(
      of: String.self,
      """
      select coalesce(json_agg(f order by f.last_failed_at desc, f.path), '[]')::text
        from (select stream, path, \(Self.time("first_failed_at")) as first_failed_at,
            \(Self.time("last_failed_at")) as last_failed_at, attempt_count, error_code, error
          from report.open_failure where path = any ($1::text[])) f
      """, [.texts(paths)])
  }

  /// The settings with a value, as a JSON object.
  package func settingsJSON() throws -> String {
    try connection.onlyRow(
      of: String.self,
      "select coalesce(json_object_agg(name, value order by name), '{}')::text from report.setting")
  }

  /// RFC 3339 in UTC.
  private static func time(_ column: String) -> String {
    "to_char(\(column) at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
  }
}

/// A file that has failed, or is missing, and was not loaded since.
struct OpenFailure: Decodable {
  let path: String
  /// nil: unknown.
  let stream: String?
}

/// The feeds of a database or of one application, with the files that failed.
package struct Health: Sendable, Equatable {
  package var feeds: [FeedHealth]
  /// The paths of the files that have failed, or are missing, and were not loaded since.
  package var openFailures: [String]

  package var isOK: Bool { feeds.allSatisfy(\.isOK) }
}

/// The part of a database whose health is asked for.
package struct FeedScope: Sendable {
  /// nil: all applications.
  package let appID: String?
  /// The paths of the files that belong to the scope; nil: all files do.
  private let patterns: [PathPattern]?

  /// - Parameter patterns: used only with an application, because a failure belongs to a file and to no
  ///   application.
  package init(appID: String?, patterns: [PathPattern]? = nil) {
    self.appID = appID
    self.patterns = patterns
  }

  /// The part of the feeds, and of the paths of failed files, that belongs to the scope.
  func health(feeds: [FeedHealth], openFailures: [OpenFailure]) -> Health {
    let failed = openFailures.filter { failure in
      guard appID != nil, let patterns else { return true }
      return patterns.contains { $0.matches(failure.path) }
    }
    let paths = Set(failed.map(\.path)).sorted()
    guard let appID else { return Health(feeds: feeds, openFailures: paths) }
    // The view counts the failures of a stream for all its applications.
    let streams = Set(failed.map(\.stream))
    var own = feeds.filter {
      $0.appID == appID || ($0.appID == nil && streams.contains($0.stream))
    }.map { streams.contains($0.stream) ? $0 : $0.withoutFailures }
    if !own.contains(where: { $0.appID == appID }) {
      own.append(.nothingLoaded(of: appID))
    }
    return Health(feeds: own, openFailures: paths)
  }
}

/// The verdict on the feed of one application and stream, as `report.health` gives it.
package struct FeedHealth: Codable, Sendable, Equatable {
  /// nil: what belongs to no application.
  package let appID: String?
  /// nil: failed files of an unknown stream, or a database without a feed.
  package let stream: String?
  /// `ok`, `late`, `stopped`, `incomplete`, `failed` or `not_refreshed`.
  package private(set) var verdict: String
  /// The verdict in one sentence, with its figures.
  package private(set) var reason: String
  /// RFC 3339 in UTC, like all times here.
  package var newestEventAt: String?
  package var hoursBehindNow: Double?
  /// nil: the feed is never late.
  package private(set) var maxHoursBehind: Double?
  package var newestLoadedAt: String?
  package var missingDayCount = 0
  package var openFailureCount = 0
  package var pendingFileCount = 0
  package var setAsideCount = 0
  package var hoursWithoutNews: Double?

  package var isOK: Bool { verdict == Self.ok }
  package var hasFailures: Bool { verdict == Self.failed }

  func hasSameVerdict(as other: FeedHealth) -> Bool {
    stream == other.stream && verdict == other.verdict && reason == other.reason
  }

  private static let ok = "ok"
  private static let late = "late"
  private static let incomplete = "incomplete"
  private static let failed = "failed"
  /// The verdicts from the best to the worst.
  private static let verdicts = [ok, late, "stopped", incomplete, failed, "not_refreshed"]

  /// The worst verdict of all feeds.
  package static func worst(of feeds: [FeedHealth]) -> String {
    feeds.map(\.verdict).max { rank($0) < rank($1) } ?? ok
  }

  /// A verdict of a newer schema counts as the worst.
  private static func rank(_ verdict: String) -> Int {
    verdicts.firstIndex(of: verdict) ?? verdicts.count
  }

  /// The feeds under other limits, with an entry for what should be there and is not.
  static func judged(_ feeds: [FeedHealth], maxAges: [MaxAge]) -> [FeedHealth] {
    var feeds = feeds.map { $0.judged(maxAges) }
    for age in maxAges {
      guard let stream = age.stream,
        !feeds.contains(where: { $0.stream == stream && $0.appID != nil })
      else { continue }
      feeds.append(
        FeedHealth(
          appID: nil, stream: stream, verdict: late,
          reason: "No line of the stream is loaded, and --max-age expects one.",
          maxHoursBehind: age.hours))
    }
    if feeds.isEmpty {
      feeds.append(.nothingLoaded(of: nil))
    }
    return feeds
  }

  /// The entry for an application, or a database, without a feed.
  static func nothingLoaded(of appID: String?) -> FeedHealth {
    FeedHealth(appID: appID, stream: nil, verdict: late, reason: "No line is loaded yet.")
  }

  /// The verdict that the feed has without its open failures, which belong to files of other feeds.
  package var withoutFailures: FeedHealth {
    guard verdict == Self.failed else { return self }
    var feed = self
    feed.openFailureCount = 0
    let isLate = (hoursWithoutNews ?? 0) > (maxHoursBehind ?? .infinity)
    feed.verdict = missingDayCount > 0 ? Self.incomplete : isLate ? Self.late : Self.ok
    feed.reason =
      "Only files of other sources failed. Missing days: \(missingDayCount)."
      + (hoursWithoutNews.map { " The newest event or load is \(Self.figure($0)) hours old." } ?? "")
    return feed
  }

  /// Judges again whether the feed is late; a worse verdict stays.
  private func judged(_ maxAges: [MaxAge]) -> FeedHealth {
    let limit =
      maxAges.last { $0.stream == stream }
      ?? maxAges.last { $0.stream == nil && maxHoursBehind != nil }
    guard let limit, let hours = hoursWithoutNews else { return self }
    var feed = self
    feed.maxHoursBehind = limit.hours
    guard [Self.ok, Self.late].contains(verdict) else { return feed }
    feed.verdict = hours > limit.hours ? Self.late : Self.ok
    feed.reason =
      "The newest event or load is \(Self.figure(hours)) hours old; --max-age allows "
      + "\(Self.figure(limit.hours))."
    return feed
  }

  /// A number of hours with at most two digits after the point.
  private static func figure(_ hours: Double) -> String {
    let hundredths = Int((hours.magnitude * 100).rounded())
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    return (hours < 0 && hundredths > 0 ? "-" : "") + String(whole)
      + (rest == 0 ? "" : ".\(rest < 10 ? "0" : "")\(rest)")
  }

  private enum CodingKeys: String, CodingKey {
    case appID = "app_id"
    case stream, verdict, reason
    case newestEventAt = "newest_event_at"
    case hoursBehindNow = "hours_behind_now"
    case maxHoursBehind = "max_hours_behind"
    case newestLoadedAt = "newest_loaded_at"
    case missingDayCount = "missing_day_count"
    case openFailureCount = "open_failure_count"
    case pendingFileCount = "pending_file_count"
    case setAsideCount = "set_aside_count"
    case hoursWithoutNews = "hours_without_news"
  }

  package func encode(to encoder: any Encoder) throws {
    // Every key is always written, with null for a missing value, so that programs can rely on it.
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(appID, forKey: .appID)
    try container.encode(stream, forKey: .stream)
    try container.encode(verdict, forKey: .verdict)
    try container.encode(reason, forKey: .reason)
    try container.encode(newestEventAt, forKey: .newestEventAt)
    try container.encode(hoursBehindNow, forKey: .hoursBehindNow)
    try container.encode(maxHoursBehind, forKey: .maxHoursBehind)
    try container.encode(newestLoadedAt, forKey: .newestLoadedAt)
    try container.encode(missingDayCount, forKey: .missingDayCount)
    try container.encode(openFailureCount, forKey: .openFailureCount)
    try container.encode(pendingFileCount, forKey: .pendingFileCount)
    try container.encode(setAsideCount, forKey: .setAsideCount)
    try container.encode(hoursWithoutNews, forKey: .hoursWithoutNews)
  }
}

/// The hours without news after which a stream counts as late, from `--max-age`.
package struct MaxAge: Sendable, Equatable {
  /// nil: every stream that has a limit.
  package let stream: String?
  package let hours: Double

  package init(stream: String?, hours: Double) {
    self.stream = stream
    self.hours = hours
  }

  /// Parses a duration, such as `26h`, or one of a stream, such as `receipt=26h`; nil for any other
  /// text.
  ///
  /// The units are m, h and d: minutes, hours and days of 24 hours.
  package init?(_ text: String) {
    guard let match = text.wholeMatch(of: /(?:([a-z_]+)=)?([0-9]{1,6})([mhd])/),
      let number = Double(match.2)
    else { return nil }
    let hours = ["m": 1.0 / 60, "h": 1, "d": 24]
    self.init(stream: match.1.map { String($0) }, hours: number * (hours[String(match.3)] ?? 1))
  }
}
