internal import Loading
package import Postgres

/// All figures of one page, read from one state of the database.
package struct Report {
  package struct Application {
    package let name: String
    /// The main figures: on the page at the head, and lines on the terminal.
    package let tiles: [(name: String, value: String, detail: String)]
    let sections: [HTML]
  }

  /// The applications of a page without a choice; more make a page that nobody reads.
  package static let largestApplicationCount = 6

  package let banner: Banner
  /// Those with most players first.
  package let applications: [Application]
  /// Applications of the database that the page leaves out.
  package let omittedApplicationCount: Int
  let loads: [HTML]

  /// Reads the figures in the caller's read-only transaction.
  ///
  /// - Parameters:
  ///   - chosen: the applications to show; empty: all, up to the limit.
  ///   - hasSections: false for the banner and the main figures alone.
  /// - Throws: `LoadError` with exit code 64 when a chosen application has no accepted line; the
  ///   server's errors.
  package init(
    from connection: Connection, applications chosen: [String], hasSections: Bool
  ) throws {
    let known = try connection.rows(
      of: String.self, "select app_id from report.app order by player_count desc, app_id")
    if let appID = chosen.first(where: { !known.contains($0) }) {
      let names = known.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", ")
      throw LoadError(
        .usage,
        "no accepted line belongs to the application \(appID); the reports have "
          + (known.isEmpty ? "none yet" : names))
    }
    let shown =
      chosen.isEmpty
      ? Array(known.prefix(Self.largestApplicationCount)) : known.filter(chosen.contains)
    let currency = try connection.query(Queries.settings)[0, 0]
    func read(_ sections: [Section], _ parameters: [Parameter] = []) throws -> [HTML] {
      guard hasSections else { return [] }
      return try sections.compactMap {
        try $0.html(parameters, baseCurrency: currency, from: connection)
      }
    }
    banner = try Banner(of: shown, baseCurrency: currency, from: connection)
    applications = try shown.map { appID in
      let tiles = try connection.query(Queries.tiles, [.text(appID), .text(currency)])
      return Application(
        name: Self.name(of: appID),
        tiles: tiles.indices.map { row in
          let unit = tiles[row, 1].flatMap { _ in tiles[row, 2] } ?? ""
          return (tiles.shown(row, 0), tiles.shown(row, 1) + unit, tiles[row, 3] ?? "")
        },
        sections: try read(Sections.ofApplication, [.text(appID)]))
    }
    omittedApplicationCount = chosen.isEmpty ? known.count - shown.count : 0
    loads = try read(Sections.ofLoads)
  }

  /// The name of an application; nil for failures that belong to none.
  static func name(of appID: String?) -> String {
    guard let appID else { return "no application" }
    return appID.isEmpty ? "unknown application" : printable(appID)
  }
}

/// The queries of the head and of the main figures.
enum Queries {
  /// Sets the time zone of the reports for the transaction, and returns the base currency.
  ///
  /// Only the error of `at time zone` names a zone that the server does not know.
  static let settings = """
    select (select value from report.setting where name = 'base-currency'),
      case when now() at time zone value is not null then set_config('timezone', value, true) end
    from report.setting
    where name = 'time-zone'
    """

  static let health = """
    select app_id, coalesce(stream, 'unknown stream'), verdict, \(Sections.minute("newest_event_at")), reason
    from report.health
    where app_id is null or app_id = any ($1::text[])
    order by app_id nulls last, stream nulls last
    """

  /// Facts as texts; `$1` is the base currency.
  static let facts = """
    select unnest(array_remove(array[
      'Written ' || \(Sections.minute("now()")),
      'days of the zone ' || current_setting('timezone'),
      coalesce('base currency ' || $1, 'no base currency'),
      coalesce((select 'refreshed ' || \(Sections.minute("value::timestamptz"))
        from report.setting where name = 'refreshed_at'), 'not refreshed yet'),
      (select \(Sections.count("sum(open_conflict_count)")) || ' open conflicts' from report.health
        having sum(open_conflict_count) > 0),
      (select format('last load %s, %s: %s files, %s lines, %s refused, %s conflicts, %s', load_id,
          \(Sections.minute("started_at")), \(Sections.count("count(path)")), \(Sections.count("coalesce(sum(line_count), 0)")),
          \(Sections.count("coalesce(sum(rejected_count), 0)")), \(Sections.count("coalesce(sum(conflict_count), 0)")),
          coalesce('exit ' || exit_code, 'not finished'))
        from report.load_history
        where load_id = (select max(load_id) from report.load_history)
        group by load_id, started_at, exit_code)
      ], null))
    """

  /// The name, the value, its unit and the detail of the main figures of the application `$1` in the
  /// base currency `$2`.
  static let tiles = """
    with week as (
      select period_start as day, p.payer_count, new_payer_count, repeat_payer_count, base_amount, arppu,
        unconverted_count as gaps, lag(p.payer_count) over w as payers_before,
        lag(case when unconverted_count = 0 then base_amount end) over w as amount_before
      from report.payers_by_period p
      join report.arppu_converted_by_period a using (app_id, period, period_start)
      where app_id = $1 and period = 'week' and p.is_complete
      window w as (order by period_start)
      order by period_start desc limit 1
    ), subscription as (
      select sum(active_paid)::bigint as paid, sum(active_trial)::bigint as trials
      from report.subscription_by_day
      where app_id = $1
      group by day order by day desc limit 1
    ), flag as (
      select coalesce(sum(purchase_count), 0)::bigint as purchases, sum(unknown_sandbox_count) as unknown,
        (select count(*) from report.revenue_converted_by_period
          where app_id = $1 and period = 'day' and period_start >= \(Sections.firstDay)) as days
      from report.revenue_by_day
      where app_id = $1 and day >= \(Sections.firstDay)
    )
    select t.name, t.value, t.unit, t.detail
    from report.app a
    cross join flag
    left join subscription s on true
    left join week w on true
    cross join lateral (values
      (1, 'Revenue, last complete week', case when w.gaps = 0 then \(Sections.amount("w.base_amount", "$2")) end, ' ' || $2,
        case when $2 is null then 'no base currency is set' when w.day is null then 'no week is complete'
          when w.gaps > 0 then format('from %s, purchases without an exchange rate: %s', w.day, \(Sections.count("w.gaps")))
          else 'from ' || w.day || coalesce(to_char((w.base_amount / nullif(w.amount_before, 0) - 1) * 100,
            '", "FMSG999999990.0" % on the week before"'), '') end),
      (2, 'Payers, last complete week', w.payer_count, null,
        case when w.day is null then 'no week is complete'
          else format('%s new, %s repeat', \(Sections.count("w.new_payer_count")), \(Sections.count("w.repeat_payer_count")))
            || coalesce('; ' || \(Sections.count("w.payers_before")) || ' the week before', '') end),
      (3, 'Revenue per payer, last complete week', \(Sections.amount("w.arppu", "$2")), ' ' || $2,
        case when w.arppu is null then 'no figure in a base currency' else 'ARPPU' end),
      (4, 'Active subscriptions', coalesce(s.paid, 0), null,
        case when s.paid is null then 'no subscription was sold' when s.trials = 1 then 'and 1 trial'
          else format('and %s trials', \(Sections.count("s.trials"))) end),
      (5, 'Players', a.player_count, null, format('events from %s to %s',
        coalesce(a.first_event_at::date::text, '–'), coalesce(a.newest_event_at::date::text, '–'))),
      (6, 'Unknown sandbox flags', round(100.0 * flag.unknown / nullif(flag.purchases, 0), 1), ' %',
        format('of %s purchases in %s days; they count as production', \(Sections.count("flag.purchases")), flag.days))
    ) t (place, name, value, unit, detail)
    where a.app_id = $1
    order by t.place
    """
}
