internal import Postgres

/// A main figure: on the page at the head of an application, and a line on the terminal.
package struct Tile {
  package let name: String
  package let value: String
  package let detail: String

  static func all(of appID: String, from connection: Connection) throws -> [Tile] {
    let rows = Rows(try connection.query(query, [.text(appID)]))
    return rows.indices.map { row in
      let unit = rows[row, 1] == nil ? nil : rows[row, 2]
      return Tile(
        name: rows.shown(row, 0), value: rows.shown(row, 1) + (unit.map { " \($0)" } ?? ""),
        detail: rows[row, 3] ?? "")
    }
  }

  var html: HTML {
    "<div><dt>\(name)</dt><dd><strong>\(value)</strong> <span>\(detail)</span></dd></div>\n"
  }

  private static let query = """
    with week as (
      select p.period_start as day, p.payer_count, p.new_payer_count, p.repeat_payer_count, a.base_amount, a.arppu,
        coalesce(a.unconverted_count, 0) as gaps, lag(p.payer_count) over w as payers_before,
        lag(case when a.unconverted_count = 0 then a.base_amount end) over w as amount_before
      from report.payers_by_period p
      left join report.arppu_converted_by_period a
        on a.app_id = p.app_id and a.period = p.period and a.period_start = p.period_start
      where p.app_id = $1 and p.period = 'week' and p.is_complete
      window w as (order by p.period_start)
      order by p.period_start desc limit 1
    ), subscription as (
      select sum(active_paid)::bigint as paid, sum(active_trial)::bigint as trials
      from report.subscription_by_day
      where app_id = $1 and day = (select max(day) from report.subscription_by_day where app_id = $1)
    ), flag as (
      select coalesce(sum(purchase_count), 0)::bigint as purchases,
        coalesce(sum(unknown_sandbox_count), 0)::bigint as unknown,
        (select count(*) from report.revenue_converted_by_period
          where app_id = $1 and period = 'day' and period_start >= \(Sections.firstDay)) as days
      from report.revenue_by_day
      where app_id = $1 and day >= \(Sections.firstDay)
    )
    select t.name, t.value, t.unit, t.detail
    from report.app a
    cross join flag
    cross join subscription s
    left join \(Sections.base) b on true
    left join week w on true
    cross join lateral (values
      (1, 'Revenue, last complete week', case when w.gaps = 0 then round(w.base_amount, b.digits) end, b.currency,
        case when b.currency is null then 'no base currency is set' when w.day is null then 'no week is complete'
          when w.gaps > 0
            then format('from %s, purchases without an exchange rate: %s', w.day, \(Sections.count("w.gaps")))
          else 'from ' || w.day || coalesce(
            to_char((w.base_amount / nullif(w.amount_before, 0) - 1) * 100, '", "FMSG999999990.0" % on the week before"'),
            '') end),
      (2, 'Payers, last complete week', w.payer_count, null,
        coalesce(format('%s new, %s repeat', \(Sections.count("w.new_payer_count")),
          \(Sections.count("w.repeat_payer_count"))) || coalesce('; ' || \(Sections.count("w.payers_before"))
          || ' the week before', ''), 'no week is complete')),
      (3, 'Revenue per payer, last complete week', round(w.arppu, b.digits), b.currency,
        case when w.arppu is null then 'no figure in a base currency' else 'ARPPU' end),
      (4, 'Active subscriptions', coalesce(s.paid, 0), null,
        case when s.paid is null then 'no subscription was sold' when s.trials = 1 then 'and 1 trial'
          else format('and %s trials', \(Sections.count("s.trials"))) end),
      (5, 'Players', a.player_count, null, format('events from %s to %s',
        coalesce(left(\(Sections.minute("a.first_event_at", Sections.zone)), 10), '\(Rows.none)'),
        coalesce(left(\(Sections.minute("a.newest_event_at", Sections.zone)), 10), '\(Rows.none)'))),
      (6, 'Unknown sandbox flags', round(100.0 * flag.unknown / nullif(flag.purchases, 0), 1), '%',
        format('of %s purchases in %s days; they count as production', \(Sections.count("flag.purchases")), flag.days))
    ) t (place, name, value, unit, detail)
    where a.app_id = $1
    order by t.place
    """
}
