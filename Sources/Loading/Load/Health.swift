package import Postgres

/// The feeds of a database or of one application, by `report.health`, with what must be settled.
///
/// It reads only what the monitor role may read.
package struct Health: Sendable, Equatable {
  /// One entry per application and stream, in the order of both; those without an application last.
  package let feeds: [FeedHealth]
  /// The newest first.
  package let failures: [OpenFailure]

  /// - Parameters:
  ///   - appID: nil: all, also what belongs to no application.
  ///   - connection: in a transaction, so that the rows are of one moment.
  package init(of appID: String?, on connection: Connection) throws {
    var feeds = try connection.rows(
      of: FeedHealth.self,
      """
      select app_id, stream, case when $1::text is null then verdict else own_verdict end as verdict,
        case when $1 is null or own_verdict = verdict then reason
          else format('Beside failures of unknown applications: %s hours behind now, days without a line: %s, '
            'implausible days: %s.', coalesce(hours_behind_now::text, 'no'), missing_day_count, implausible_day_count)
          end as reason,
        \(Self.time("newest_event_at")) as newest_event_at, hours_behind_now, max_hours_behind,
        \(Self.time("newest_loaded_at")) as newest_loaded_at, missing_day_count, implausible_day_count,
        open_failure_count, open_conflict_count, pending_file_count, set_aside_count
      from report.health where $1::text is null or app_id = $1
      order by app_id collate "C", stream collate "C"
      """, [.text(appID)])
    if feeds.isEmpty {
      feeds = [
        FeedHealth(appID: appID, stream: nil, verdict: "late", reason: "No line is loaded yet.")
      ]
    }
    self.feeds = feeds
    failures = try connection.rows(
      of: OpenFailure.self,
      "select kind, stream, path from report.open_failure f where \(Self.isOf) \(Self.order)",
      Self.parameters(appID, feeds))
  }

  /// The list includes failures without a single known application where the verdict counts them.
  package static let isOf =
    "($1::text is null or app_id = $1 or app_id is null and stream = any ($2::text[]))"
  package static let order = "order by last_failed_at desc, path, stream, kind"

  package static func parameters(_ appID: String?, _ feeds: [FeedHealth]) -> [Parameter] {
    [.text(appID), .texts(feeds.filter { $0.verdict == "failed" }.map(\.stream))]
  }

  /// The settings with a value, as a JSON object.
  package static func settingsJSON(on connection: Connection) throws -> String {
    try connection.onlyRow(
      of: String.self,
      "select coalesce(json_object_agg(name, value order by name), '{}')::text from report.setting")
  }

  /// RFC 3339 in UTC.
  private static func time(_ column: String) -> String {
    "to_char(\(column) at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
  }

  package var isOK: Bool { feeds.allSatisfy(\.isOK) }

  /// The worst verdict of all feeds.
  package var verdict: String { Self.worst(of: feeds.map(\.verdict)) }

  package static func worst(of verdicts: [String]) -> String {
    verdicts.max { rank($0) < rank($1) } ?? Self.verdicts[0]
  }

  /// The causes of verdicts other than `ok`, the worst last: verdicts, and instead of `failed` the kinds of the
  /// failures.
  package var causes: [String] {
    let verdicts = Set(feeds.filter { !$0.isOK }.map(\.verdict))
    let kinds = verdicts.contains("failed") ? Set(failures.map(\.kind)) : []
    let causes = kinds.isEmpty ? verdicts : verdicts.subtracting(["failed"]).union(kinds)
    return causes.sorted { (Self.rank($0), $0) < (Self.rank($1), $1) }
  }

  /// All causes that the database knows, the worst last.
  package static let allCauses = Array(verdicts.dropFirst())

  /// The verdicts from the best to the worst; failures by their kinds.
  private static let verdicts = [
    "ok", "late", "stopped", "incomplete", "implausible", "missing", "undone", "failed",
    "not_refreshed",
  ]

  /// A verdict of a newer schema counts as the worst.
  private static func rank(_ verdict: String) -> Int {
    verdicts.firstIndex(of: verdict) ?? verdicts.count
  }
}

/// The verdict on the feed of one application and stream, as `report.health` gives it.
package struct FeedHealth: Codable, Sendable, Equatable {
  /// nil: what belongs to no application.
  package let appID: String?
  /// nil: failures of an unknown stream, or a database without a feed.
  package let stream: String?
  /// `ok`, `late`, `stopped`, `incomplete`, `implausible`, `failed` or `not_refreshed`.
  package let verdict: String
  /// The verdict in one sentence, with its figures.
  package let reason: String
  /// RFC 3339 in UTC, like all times here.
  package var newestEventAt: String?
  package var hoursBehindNow: Double?
  /// nil: the feed is never late.
  package var maxHoursBehind: Double?
  package var newestLoadedAt: String?
  package var missingDayCount = 0
  package var implausibleDayCount = 0
  package var openFailureCount = 0
  package var openConflictCount = 0
  package var pendingFileCount = 0
  package var setAsideCount = 0

  package var isOK: Bool { verdict == "ok" }
}
