internal import Postgres

/// The paid purchases of one currency that have no exchange rate in the reports.
package struct UnconvertedCurrency: Sendable, Equatable {
  package let currency: String
  /// The sum of their prices, in the major unit, as text.
  package let amount: String
  package let purchases: Int
  /// The days in the reporting zone, such as `2025-07-01` and `2025-07-03 to 2025-07-09`.
  package let days: [String]

  package init(currency: String, amount: String, purchases: Int, days: [String]) {
    self.currency = currency
    self.amount = amount
    self.purchases = purchases
    self.days = days
  }

  /// - Parameter connection: with the owner's rights.
  static func all(on connection: Connection) throws -> [UnconvertedCurrency] {
    try connection.rows(
      of: Row.self,
      """
      with day as (
        select p.currency, p.period_start as day, sum(p.paid_count) as purchases,
            sum(p.amount_minor * c.minor_unit_value) as amount,
            p.period_start - row_number() over (partition by p.currency order by p.period_start)::integer as island
          from rollup.currency_period p
          join game.currency c on c.currency = p.currency
          where p.period = 'day' and not exists (
            select from rollup.day_rate r where r.currency = p.currency and r.day = p.period_start)
          group by p.currency, p.period_start
      ), span as (
        select currency, min(day) as first_day, sum(purchases) as purchases, sum(amount) as amount,
            min(day) || case when max(day) > min(day) then ' to ' || max(day) else '' end as days
          from day
          group by currency, island
      )
      select currency, sum(amount) as amount, sum(purchases) as purchases,
          string_agg(days, ',' order by first_day) as days
        from span
        group by currency
        order by currency
      """
    ).map {
      UnconvertedCurrency(
        currency: $0.currency, amount: $0.amount, purchases: $0.purchases,
        days: $0.days.split(separator: ",").map(String.init))
    }
  }

  private struct Row: Decodable {
    let currency: String
    let amount: String
    let purchases: Int
    let days: String
  }
}
