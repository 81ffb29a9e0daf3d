internal import Postgres

/// The subscriptions of one application.
package struct SubscriptionFigures: Sendable {
  /// One week: what came in, what went out, and what is active at its end.
  package struct Week: Decodable, Sendable {
    package let week: String
    package let newCount: Int
    package let resubscribedCount: Int
    package let renewedCount: Int
    package let convertedCount: Int
    package let expiredCount: Int
    package let activePaid: Int
    package let activeTrial: Int
    package let isComplete: Bool
    /// False while a late renewal can still undo an expiry.
    package let isExpiryFinal: Bool
  }

  /// How the monthly recurring revenue of one currency changed in one month.
  package struct Movement: Decodable, Sendable {
    package let currency: String
    package let month: String
    package let startingAmount: Amount
    package let newAmount: Amount
    package let reactivatedAmount: Amount
    package let expansionAmount: Amount
    package let contractionAmount: Amount
    package let churnedAmount: Amount
    package let endingAmount: Amount
    package let isComplete: Bool
  }

  /// The trials of one product that began in one month.
  package struct Trials: Decodable, Sendable {
    package let month: String
    package let productName: String
    package let trialCount: Int
    package let convertedCount: Int
    package let lostCount: Int
    package let pendingCount: Int
    package let rate: Amount?
  }

  /// Oldest first, at most 26.
  package let weeks: [Week]
  /// Oldest month first, at most 12 of each currency that ever had some.
  package let movements: [Movement]
  /// Newest month first, at most 40 rows.
  package let trials: [Trials]

  init(of appID: String, from connection: Connection) throws {
    let app = Parameter.text(appID)
    weeks = try connection.rows(of: Week.self, Self.weekQuery, [app]).reversed()
    movements = try connection.rows(
      """
      with m as (
        select * from report.mrr_movement_by_month
        where app_id = $1 and month > (
          select max(month) - interval '12 months' from report.mrr_movement_by_month where app_id = $1)
      )
      select currency, month, starting_amount, new_amount, reactivated_amount, expansion_amount,
        contraction_amount, churned_amount, ending_amount, is_complete
      from m
      where currency in (select currency from m where starting_amount + ending_amount + new_amount > 0)
      order by currency, month
      """, [app])
    trials = try connection.rows(
      """
      select month, product_name, trial_count, converted_count, lost_count, pending_count, rate
      from report.trial_conversion_by_month
      where app_id = $1
      order by month desc, trial_count desc, product_name
      limit 40
      """, [app])
  }

  private static let weekQuery = """
    with d as (
      select day, sum(new_count + continued_count) as new_count,
        sum(resubscribed_count) as resubscribed_count, sum(renewed_count) as renewed_count,
        sum(converted_count) as converted_count, sum(expired_count) as expired_count,
        sum(active_paid) as active_paid, sum(active_trial) as active_trial,
        bool_and(is_complete) as is_complete, bool_and(is_expiry_final) as is_expiry_final
      from report.subscription_by_day
      where app_id = $1 and day > (
        select max(period_start) - 182 from report.payers_by_period where app_id = $1 and period = 'week')
      group by day
    )
    select date_trunc('week', day::timestamp)::date as week, sum(new_count)::bigint as new_count,
      sum(resubscribed_count)::bigint as resubscribed_count, sum(renewed_count)::bigint as renewed_count,
      sum(converted_count)::bigint as converted_count, sum(expired_count)::bigint as expired_count,
      (array_agg(active_paid order by day desc))[1]::bigint as active_paid,
      (array_agg(active_trial order by day desc))[1]::bigint as active_trial,
      bool_and(is_complete) as is_complete, bool_and(is_expiry_final) as is_expiry_final
    from d
    group by week
    order by week desc
    limit 26
    """
}
