internal import Postgres

/// How many users of a cohort come back, and what they have paid.
package struct CohortFigures: Sendable {
  /// The users first observed in one week, on one day after it.
  package struct Retention: Decodable, Sendable {
    package let cohort: String
    package let dayN: Int
    package let cohortSize: Int
    /// The users of the days that are mature; 0 while none is.
    package let matureSize: Int
    package let observedCount: Int
    package let isMature: Bool
  }

  /// The amount that the users of one month had paid through one day, in the base currency.
  package struct Value: Decodable, Sendable {
    package let cohort: String
    package let dayN: Int
    package let cohortSize: Int
    package let matureSize: Int
    package let payerCount: Int?
    package let amountPerUser: Amount?
    package let unconvertedCount: Int?
    package let isMature: Bool
  }

  /// Oldest cohort first, at most 14.
  package let retention: [Retention]
  /// Oldest cohort first, at most 13.
  package let values: [Value]

  init(of appID: String, from connection: Connection) throws {
    let app = Parameter.text(appID)
    retention = try connection.rows(
      """
      select date_trunc('week', cohort_on::timestamp)::date as cohort, day_n,
        sum(cohort_size)::bigint as cohort_size, coalesce(sum(mature_size), 0)::bigint as mature_size,
        coalesce(sum(observed_count), 0)::bigint as observed_count, bool_and(is_mature) as is_mature
      from report.retention_by_cohort
      where app_id = $1 and day_n in (1, 2, 3, 5, 7, 14, 28, 60, 90) and cohort_on >= (
        select date_trunc('week', max(cohort_on)::timestamp)::date - 91
        from report.retention_by_cohort where app_id = $1)
      group by cohort, day_n
      order by cohort, day_n
      """, [app])
    values = try connection.rows(
      """
      select cohort_start as cohort, day_n, cohort_size, mature_size, payer_count,
        base_amount_per_user as amount_per_user, unconverted_count, is_mature
      from report.value_by_cohort
      where app_id = $1 and cohort_kind = 'first_observed' and period = 'month'
        and day_n in (0, 7, 14, 30, 60, 90, 180, 365) and cohort_start >= (
          select (max(period_start) - interval '12 months')::date
          from report.observed_by_period where app_id = $1 and period = 'month')
      order by cohort_start, day_n
      """, [app])
  }
}

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
