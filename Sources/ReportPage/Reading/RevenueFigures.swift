internal import Postgres

/// The revenue and the payers of one application.
package struct RevenueFigures: Sendable {
  /// One day in the base currency.
  package struct Day: Decodable, Sendable {
    package let day: String
    /// Of the converted purchases; nil when none is.
    package let amount: Amount?
    package let paidCount: Int
    package let unconvertedCount: Int
    package let isComplete: Bool

    /// The amount; nil while a purchase of the day has no exchange rate, because it would be too small.
    package var wholeAmount: Amount? { unconvertedCount == 0 ? amount : nil }
  }

  /// The paid purchases in one currency that have no exchange rate.
  package struct RateGap: Decodable, Sendable {
    package let currency: String
    package let unconvertedCount: Int
    package let firstPurchasedOn: String
    package let lastPurchasedOn: String
  }

  /// One week of one currency; promotions are no revenue and stand apart.
  package struct CurrencyWeek: Decodable, Sendable {
    package let currency: String
    package let week: String
    package let amount: Amount
    package let promotionAmount: Amount
    package let paidCount: Int
  }

  /// One week of payers, with the revenue per payer in the base currency.
  package struct Week: Decodable, Sendable {
    package let week: String
    package let payerCount: Int
    package let newPayerCount: Int
    package let repeatPayerCount: Int
    package let isComplete: Bool
    package let amount: Amount?
    package let arppu: Amount?
    package let unconvertedCount: Int

    /// The amount; nil while a purchase of the week has no exchange rate, because it would be too small.
    package var wholeAmount: Amount? { unconvertedCount == 0 ? amount : nil }
  }

  /// The revenue per payer of the newest complete week, in one currency.
  package struct CurrencyARPPU: Decodable, Sendable {
    package let currency: String
    package let week: String
    package let amount: Amount
    package let payerCount: Int
    package let arppu: Amount?
  }

  /// The part of the revenue that comes from the payers who paid most, in one currency.
  package struct Concentration: Decodable, Sendable {
    package let currency: String
    package let month: String
    package let topShare: Amount
    package let payerCount: Int
    package let shareOfAmount: Amount?
    package let isComplete: Bool
  }

  /// The purchases of the days, and those that count as production for want of a sandbox flag.
  package struct Flags: Decodable, Sendable {
    package let purchaseCount: Int
    package let unknownSandboxCount: Int
  }

  /// Oldest first, at most 91.
  package let days: [Day]
  package let rateGaps: [RateGap]
  /// Oldest first, at most 26 of each currency.
  package let currencyWeeks: [CurrencyWeek]
  /// Oldest first, at most 26.
  package let weeks: [Week]
  package let currencyARPPU: [CurrencyARPPU]
  package let concentration: [Concentration]
  package let flags: Flags

  init(of appID: String, from connection: Connection) throws {
    let app = Parameter.text(appID)
    days = try connection.rows(
      """
      select period_start as day, base_amount as amount, paid_count, unconverted_count, is_complete
      from report.revenue_converted_by_period
      where app_id = $1 and period = 'day'
      order by day desc limit 91
      """, [app]
    ).reversed()
    rateGaps = try connection.rows(
      """
      select currency, unconverted_count, first_purchased_on, last_purchased_on
      from report.rate_gap
      where app_id = $1
      order by currency
      """, [app])
    weeks = try connection.rows(of: Week.self, Self.weekQuery, [app]).reversed()
    let firstDay = Parameter.optional(days.first?.day)
    let firstWeek = Parameter.optional(weeks.first?.week)
    currencyWeeks = try connection.rows(
      """
      select currency, date_trunc('week', day::timestamp)::date as week, sum(amount) as amount,
        coalesce(sum(promotion_amount), 0) as promotion_amount, sum(paid_count)::bigint as paid_count
      from report.revenue_by_day
      where app_id = $1 and day >= $2::date
      group by currency, week
      order by currency, week
      """, [app, firstWeek])
    currencyARPPU = try connection.rows(
      """
      select currency, period_start as week, amount, payer_count, arppu
      from report.arppu_by_period
      where app_id = $1 and period = 'week' and payer_count > 0 and period_start = (
        select max(period_start) from report.payers_by_period
        where app_id = $1 and period = 'week' and is_complete)
      order by payer_count desc, currency
      """, [app])
    concentration = try connection.rows(Self.concentrationQuery, [app])
    flags =
      try connection.row(
        of: Flags.self,
        """
        select coalesce(sum(purchase_count), 0)::bigint as purchase_count,
          coalesce(sum(unknown_sandbox_count), 0)::bigint as unknown_sandbox_count
        from report.revenue_by_day
        where app_id = $1 and day >= $2::date
        """, [app, firstDay]) ?? Flags(purchaseCount: 0, unknownSandboxCount: 0)
  }

  private static let weekQuery = """
    select p.period_start as week, p.payer_count, p.new_payer_count, p.repeat_payer_count, p.is_complete,
      a.base_amount as amount, a.arppu, coalesce(a.unconverted_count, 0) as unconverted_count
    from report.payers_by_period p
    left join report.arppu_converted_by_period a
      on a.app_id = p.app_id and a.period = p.period and a.period_start = p.period_start
    where p.app_id = $1 and p.period = 'week'
    order by p.period_start desc
    limit 26
    """

  /// The newest complete month, else the running one.
  private static let concentrationQuery = """
    with newest as (
      select month from report.payer_concentration where app_id = $1
      group by month order by bool_or(is_complete) desc, month desc limit 1
    )
    select c.currency, c.month, c.top_share, c.payer_count, c.share_of_amount, c.is_complete
    from report.payer_concentration c
    join newest n on n.month = c.month
    where c.app_id = $1
    order by max(c.payer_count) over (partition by c.currency) desc, c.currency, c.top_share
    """
}
