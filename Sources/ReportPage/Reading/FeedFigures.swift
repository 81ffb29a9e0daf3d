internal import Postgres

/// The state of the feeds: what can be trusted, up to when, and what was loaded last.
package struct FeedFigures: Sendable {
  /// The row of `report.health` for one application and stream.
  package struct Verdict: Decodable, Sendable {
    /// Empty for an unknown application; nil for failures that belong to none.
    package let appID: String?
    package let stream: String?
    package let verdict: String
    package let reason: String
    /// The newest event, in the reporting zone; nil without one.
    package let horizon: String?
    package let openConflictCount: Int
  }

  /// The settings and times of the reports; times are in the reporting zone.
  package struct State: Decodable, Sendable {
    package let timeZone: String
    package let baseCurrency: String?
    package let refreshedAt: String?
    package let writtenAt: String
  }

  /// The newest run that loaded or tried to load.
  package struct LastLoad: Decodable, Sendable {
    package let loadID: Int
    package let startedAt: String
    package let exitCode: Int?
    package let fileCount: Int
    package let lineCount: Int
    package let insertedCount: Int
    package let rejectedCount: Int
    package let conflictCount: Int
  }

  /// An application, those with most players first.
  package struct Application: Decodable, Sendable {
    package let appID: String
    package let firstOn: String?
    package let newestOn: String?
    package let playerCount: Int
    package let receiptFeed: String
  }

  package let state: State
  package let verdicts: [Verdict]
  package let applications: [Application]
  package let lastLoad: LastLoad?

  init(from connection: Connection) throws {
    guard let state = try connection.row(of: State.self, Self.stateQuery) else {
      throw PostgresError(
        sqlState: .internalError, message: "report.setting has no row for the time zone")
    }
    self.state = state
    let zone = Parameter.text(state.timeZone)
    verdicts = try connection.rows(
      """
      select app_id, stream, verdict, reason,
        to_char(newest_event_at at time zone $1, 'YYYY-MM-DD HH24:MI') as horizon, open_conflict_count
      from report.health
      order by app_id nulls last, stream nulls last
      """, [zone])
    applications = try connection.rows(
      """
      select app_id, to_char(first_event_at at time zone $1, 'YYYY-MM-DD') as first_on,
        to_char(newest_event_at at time zone $1, 'YYYY-MM-DD') as newest_on, player_count, receipt_feed
      from report.app
      order by player_count desc, app_id
      """, [zone])
    lastLoad = try connection.row(of: LastLoad.self, Self.lastLoadQuery, [zone])
  }

  private static let stateQuery = """
    select z.value as time_zone,
      (select value from report.setting where name = 'base-currency') as base_currency,
      to_char((select value from report.setting where name = 'refreshed_at')::timestamptz
        at time zone z.value, 'YYYY-MM-DD HH24:MI') as refreshed_at,
      to_char(now() at time zone z.value, 'YYYY-MM-DD HH24:MI') as written_at
    from report.setting z
    where z.name = 'time-zone'
    """

  private static let lastLoadQuery = """
    select load_id, to_char(started_at at time zone $1, 'YYYY-MM-DD HH24:MI') as started_at, exit_code,
      count(path) as file_count, coalesce(sum(line_count), 0)::bigint as line_count,
      coalesce(sum(inserted_count), 0)::bigint as inserted_count,
      coalesce(sum(rejected_count), 0)::bigint as rejected_count,
      coalesce(sum(conflict_count), 0)::bigint as conflict_count
    from report.load_history
    where load_id = (select max(load_id) from report.load_history)
    group by load_id, started_at, exit_code
    """
}
