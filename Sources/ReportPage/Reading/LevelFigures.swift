internal import Postgres

/// One level: how many users reached it, where they stopped, and how long it took them.
package struct LevelFigures: Decodable, Sendable {
  package let userLevel: Int
  package let reachedUserCount: Int
  /// Users who stopped at the level and have recorded nothing higher for seven days.
  package let stoppedUserCount: Int
  /// Median minutes from the first observation; nil without a level-up to the level.
  package let minutesSinceFirst: Amount?
  /// Median minutes from the previous level.
  package let minutesSincePrevious: Amount?

  /// The levels of one application, lowest first.
  static func all(of appID: String, from connection: Connection) throws -> [LevelFigures] {
    try connection.rows(
      """
      select f.user_level, f.reached_user_count, f.stopped_7d_count as stopped_user_count,
        t.p50_minutes_since_first_observed as minutes_since_first,
        t.p50_minutes_since_previous_level as minutes_since_previous
      from report.level_funnel f
      left join report.level_time t on t.app_id = f.app_id and t.user_level = f.user_level
      where f.app_id = $1
      order by f.user_level
      """, [.text(appID)])
  }
}
