/// The sections of the page: what they say, and the queries of their figures.
enum Sections {
  private static let noBase =
    "No base currency is set, so amounts of different currencies cannot be added."

  /// The sections of one application, `$1`.
  static let ofApplication = [
    Section(
      title: "Revenue",
      lead: "By day, in the base currency {base}. Promotions are no revenue. A day with a purchase "
        + "without an exchange rate has no bar.",
      form: .bars(above: ["Revenue"]),
      query: """
        select period_start as "Day", \(amount("base_amount")) as "Revenue", paid_count as "Paid purchases",
          unconverted_count as "Without a rate", is_complete as "Complete"
        from report.revenue_converted_by_period
        where app_id = $1 and base_currency is not null and period = 'day' and period_start >= \(firstDay)
        order by period_start
        """, empty: noBase),
    Section(
      title: "Purchases without an exchange rate",
      lead: "The part is that of the paid purchases in the currency since the first day shown or, "
        + "when it is earlier, since the first purchase without a rate.",
      form: .table,
      query: """
        select g.currency as "Currency", \(amount("g.amount", "g.currency")) as "Amount",
          g.unconverted_count as "Paid purchases", g.first_purchased_on as "From", g.last_purchased_on as "To",
          round(100.0 * g.unconverted_count / sum(r.paid_count), 1) || ' %' as "Part"
        from report.rate_gap g
        join report.revenue_by_day r
          on r.app_id = g.app_id and r.currency = g.currency and r.day >= least(g.first_purchased_on, \(firstDay))
        where g.app_id = $1
        group by g.currency, g.amount, g.unconverted_count, g.first_purchased_on, g.last_purchased_on
        order by g.currency
        """),
    Section(
      title: "Revenue by currency",
      lead: "Of the weeks below, in each currency alone. Promotions are no revenue and stand "
        + "apart.",
      form: .table,
      query: """
        select currency as "Currency", \(amount("sum(amount)", "r.currency")) as "Revenue",
          \(amount("coalesce(sum(promotion_amount), 0)", "r.currency")) as "Promotions",
          sum(paid_count)::bigint as "Paid purchases"
        from report.revenue_by_day r
        where app_id = $1 and day >= \(firstWeek)
        group by currency order by 4 desc, 1
        """,
      details: (
        "Revenue by currency and week",
        """
        select currency as "Currency", period_start as "Week from", \(amount("sum(amount)", "r.currency")) as "Revenue",
          \(amount("coalesce(sum(promotion_amount), 0)", "r.currency")) as "Promotions",
          sum(paid_count)::bigint as "Paid purchases", is_complete as "Complete"
        from report.revenue_by_day r
        join report.payers_by_period w on w.app_id = r.app_id and w.period = 'week'
          and w.period_start = date_trunc('week', r.day::timestamp)::date
        where r.app_id = $1 and day >= \(firstWeek)
        group by currency, period_start, is_complete order by 1, 2
        """
      ), empty: "No receipt of this application is loaded, so there is no revenue to show."),
    Section(
      title: "Payers", lead: "By week; a new payer paid for the first time.",
      form: .bars(above: ["Repeat", "New"]),
      query: """
        select period_start as "Week from", payer_count as "Payers", new_payer_count as "New",
          repeat_payer_count as "Repeat", is_complete as "Complete"
        from report.payers_by_period
        where app_id = $1 and period = 'week' and period_start >= \(firstWeek)
        order by period_start
        """),
    Section(
      title: "Revenue per payer (ARPPU)", lead: "By week, in {base}.",
      form: .bars(above: ["Revenue per payer"]),
      query: """
        select period_start as "Week from", payer_count as "Payers",
          case when unconverted_count = 0 then \(amount("base_amount")) end as "Revenue",
          \(amount("arppu")) as "Revenue per payer", unconverted_count as "Without a rate", is_complete as "Complete"
        from report.arppu_converted_by_period
        where app_id = $1 and base_currency is not null and period = 'week' and period_start >= \(firstWeek)
        order by period_start
        """),
    Section(
      title: "Revenue per payer by currency", lead: "Of the last complete week.", form: .table,
      query: """
        select currency as "Currency", period_start as "Week from", \(amount("amount", "currency")) as "Revenue",
          payer_count as "Payers", \(amount("arppu", "currency")) as "Revenue per payer"
        from report.arppu_by_period
        where app_id = $1 and period = 'week' and payer_count > 0 and period_start = (
          select max(period_start) from report.payers_by_period where app_id = $1 and period = 'week' and is_complete)
        order by payer_count desc, currency
        """),
    Section(
      title: "Concentration",
      lead: "The part of a month's revenue that the payers who paid most brought. Parts of payers "
        + "are rounded up, and currencies with fewer than ten payers are left out.",
      // The newest complete month, else the running one.
      form: .heat(caption: "Part of the revenue, by part of the payers"),
      query: """
        select currency || ', month from ' || month as "Currency", most as "Payers",
          round(100 * top_share) as "top # %", round(100 * share_of_amount) || ' %',
          floor(9.999 * share_of_amount), case when is_complete then 'final' else 'so far' end
        from (
          select *, max(payer_count) over (partition by currency) as most
          from report.payer_concentration
          where app_id = $1 and month = (
            select month from report.payer_concentration where app_id = $1
            group by month order by bool_or(is_complete) desc, month desc limit 1)
        ) c
        where most >= 10 and top_share < 1
        order by most desc, currency, top_share
        """),
    Section(
      title: "Retention",
      lead: "The part of the users of a week who were observed on exactly that day. An observation "
        + "is a purchase, a level-up or a snapshot, not a login. Hatched: the day has not come yet "
        + "for any user of the week. Dashed, with *: it has come for a part of them, and the "
        + "figure is of that part.",
      form: .heat(
        caption: "Users of each week who were observed again, by days after their first observation"
      ),
      query: """
        select cohort as "First observed in the week from", size as "Users", day_n as "day #",
          round(100 * rate) || ' %', floor(9.999 * rate / greatest(max(rate) over (), 0.0001)), state
        from (
          select date_trunc('week', cohort_on::timestamp)::date as cohort, sum(cohort_size)::bigint as size, day_n,
            sum(observed_count)::numeric / nullif(sum(mature_size), 0) as rate,
            case when bool_and(is_mature) then 'final' when sum(mature_size) > 0 then 'so far' end as state
          from report.retention_by_cohort
          where app_id = $1 and day_n in (1, 2, 3, 5, 7, 14, 28, 60, 90) and cohort_on >= (
            select date_trunc('week', max(cohort_on)::timestamp)::date - 91
            from report.retention_by_cohort where app_id = $1)
          group by 1, day_n
        ) c
        order by cohort, day_n
        """, empty: "No user was observed yet."),
    Section(
      title: "Value of a user",
      lead: "What a user of a month had paid on average by that day, in {base}, also counting "
        + "those who paid nothing. The chart shows whole cohorts, and its steps are of different "
        + "length.",
      form: .heat(
        caption:
          "What users of each month had paid on average, by days after their first observation",
        hasLines: true),
      query: """
        select cohort_start as "First observed in the month from", cohort_size as "Users", day_n as "day #",
          \(amount("base_amount_per_user")),
          floor(9.999 * base_amount_per_user / greatest(max(base_amount_per_user) over (), 0.000000001)),
          case when mature_size = 0 then null when base_amount_per_user is null then 'no rate'
            when is_mature then 'final' else 'so far' end
        from report.value_by_cohort
        where app_id = $1 and base_currency is not null and cohort_kind = 'first_observed' and period = 'month'
          and day_n in (0, 7, 14, 30, 60, 90, 180, 365) and cohort_start >= (
            select max(period_start) - interval '12 months' from report.observed_by_period
            where app_id = $1 and period = 'month')
        order by cohort_start, day_n
        """, empty: noBase),
    Section(
      title: "Levels",
      lead: "Users who reached a level, those who stopped there seven days ago or longer, and the "
        + "median time, within 6 %. A row of several levels has the users who reached the first of "
        + "them and who stopped in any of them; the times are those of the first.",
      form: .table,
      // Above 24 levels, those that as many 24ths of the users reached share a row.
      query: """
        select distinct on (band) concat_ws(' to ', user_level, nullif(max(user_level) over same, user_level)) as "Level",
          reached as "Reached", round(100.0 * reached / greatest(most, 1)) || ' %' as "Part",
          (sum(stopped) over same)::bigint as "Stopped", \(duration("first")) as "Since the first observation",
          \(duration("previous")) as "Since the level before"
        from (
          select user_level, reached_user_count as reached, stopped_7d_count as stopped, most,
            p50_minutes_since_first_observed as first, p50_minutes_since_previous_level as previous,
            case when count(*) over () > 24 then ceil(24.0 * reached_user_count / greatest(most, 1)) else -user_level end as band
          from (
            select *, max(reached_user_count) over () as most from report.level_funnel where app_id = $1
          ) f
          left join report.level_time t using (app_id, user_level)
        ) l
        window same as (partition by band)
        order by band desc, user_level
        """),
    Section(
      title: "Subscriptions", lead: "In and out, by week; a paler bar can still change.",
      form: .bars(above: ["New", "Came back", "Trials that became paid"], below: ["Expired"]),
      query: """
        select date_trunc('week', day::timestamp)::date as "Week from",
          sum(new_count + continued_count)::bigint as "New", sum(resubscribed_count)::bigint as "Came back",
          sum(renewed_count)::bigint as "Renewed", sum(converted_count)::bigint as "Trials that became paid",
          sum(expired_count)::bigint as "Expired", bool_and(is_expiry_final) as "Final"
        from report.subscription_by_day
        where app_id = $1 and day >= \(firstWeek)
        group by 1 order by 1
        """),
    Section(
      title: "Active subscriptions", lead: "At the end of the week.",
      form: .bars(above: ["Paid", "Trial"]),
      query: """
        select distinct on (1) date_trunc('week', day::timestamp)::date as "Week from",
          sum(active_paid)::bigint as "Paid", sum(active_trial)::bigint as "Trial",
          bool_and(bool_and(is_complete)) over (partition by date_trunc('week', day::timestamp)) as "Complete"
        from report.subscription_by_day
        where app_id = $1 and day >= \(firstWeek)
        group by day order by 1, day desc
        """),
    Section(
      title: "Monthly recurring revenue (MRR)",
      lead: "Start + new + came back + expansion − contraction − churned = end, the newest month "
        + "first.",
      form: .table,
      query: """
        select currency as "Currency", month as "Month from", \(amount("starting_amount", "currency")) as "Start",
          \(amount("new_amount", "currency")) as "New", \(amount("reactivated_amount", "currency")) as "Came back",
          \(amount("expansion_amount", "currency")) as "Expansion",
          \(amount("contraction_amount", "currency")) as "Contraction",
          \(amount("churned_amount", "currency")) as "Churned", \(amount("ending_amount", "currency")) as "End",
          is_complete as "Complete"
        from (
          select *, bool_or(starting_amount > 0 or ending_amount > 0 or new_amount > 0) over (partition by currency) as is_shown
          from report.mrr_movement_by_month
          where app_id = $1 and month > (
            select max(month) - interval '12 months' from report.mrr_movement_by_month where app_id = $1)
        ) m
        where is_shown
        order by month desc, currency
        """),
    Section(
      title: "Trials", lead: "By the month of their start.",
      form: .bars(above: ["Became paid", "Did not", "Not decided"]),
      query: """
        select month as "Month from", sum(trial_count)::bigint as "Trials", sum(converted_count)::bigint as "Became paid",
          sum(lost_count)::bigint as "Did not", sum(pending_count)::bigint as "Not decided"
        from report.trial_conversion_by_month
        where app_id = $1 and month > \(firstTrialMonth)
        group by month order by month
        """,
      details: (
        "Trials by product; the rate leaves out trials that are not decided",
        """
        select product_name as "Product", month as "Month from", trial_count as "Trials",
          converted_count as "Became paid", lost_count as "Did not", pending_count as "Not decided",
          round(100 * rate, 1) || ' %' as "Rate"
        from report.trial_conversion_by_month
        where app_id = $1 and month > \(firstTrialMonth)
        order by month desc, trial_count desc, product_name
        """
      )),
  ]

  /// The sections on the loads of all applications.
  static let ofLoads = [
    Section(
      title: "Lines",
      lead: "By the day of the load. A refused line is kept with its reason; a conflict is a line "
        + "that contradicts a stored row.",
      form: .bars(above: ["Refused", "Conflicts"]),
      query: """
        select loaded_on as "Day", sum(line_count)::bigint as "Stored", sum(reject_count)::bigint as "Refused",
          round(100.0 * sum(reject_count) / nullif(sum(line_count + reject_count), 0), 2) || ' %' as "Refused share",
          sum(conflict_count)::bigint as "Conflicts"
        from report.quality_by_day
        where loaded_on >= \(firstLoadDay)
        group by loaded_on order by loaded_on
        """),
    Section(
      title: "Failed files", form: .table,
      query: """
        select regexp_replace(path, '^.*/', '') as "File", coalesce(stream, 'unknown') as "Stream",
          \(minute("last_failed_at")) as "Last failed", error as "Error"
        from report.open_failure
        order by last_failed_at desc, path
        """),
    Section(
      title: "Why lines were refused", form: .table,
      query: """
        select code as "Cause", coalesce(field, 'the whole line') as "Field", coalesce(stream, 'unknown') as "Stream",
          sum(reject_count)::bigint as "Lines"
        from report.reject_by_day
        where day >= \(firstLoadDay)
        group by stream, code, field order by 4 desc, stream, code, field
        """),
    Section(
      title: "New fields",
      lead: "Members of lines without a column. They are kept, and no view shows them.",
      form: .table,
      query: """
        select coalesce(field, 'further names') as "Field", stream as "Stream", first_loaded_at::date as "First loaded",
          line_count as "Lines", regexp_replace(example_path, '^.*/', '') as "First file"
        from report.unknown_field_summary
        order by first_loaded_at desc, stream, field
        """),
  ]

  // MARK: - Parts of queries

  /// A count with commas between the thousands.
  static func count(_ number: String) -> String { "to_char(\(number), 'FM999,999,999,999,990')" }

  /// A time to the minute.
  static func minute(_ time: String) -> String { "to_char(\(time), 'YYYY-MM-DD HH24:MI')" }

  /// An amount with the decimals of its currency.
  static func amount(_ sum: String, _ currency: String = "base_currency") -> String {
    "round(\(sum), (select minor_unit from game.currency c (code) where code = \(currency)))"
  }

  private static func duration(_ minutes: String) -> String {
    """
    case when \(minutes) < 120 then round(\(minutes)) || ' min'
      when \(minutes) < 2880 then round(\(minutes) / 60, 1) || ' h'
      else round(\(minutes) / 1440, 1) || ' d' end
    """
  }

  /// The first of the 91 days that the page shows.
  static let firstDay = """
    (select greatest(min(period_start), max(period_start) - 90) from report.revenue_converted_by_period
      where app_id = $1 and period = 'day')
    """

  /// The first of the 26 weeks that the page shows.
  private static let firstWeek = """
    (select max(period_start) - 175 from report.payers_by_period where app_id = $1 and period = 'week')
    """

  /// The first of the 30 days with loads that the page shows.
  private static let firstLoadDay = """
    (select min(loaded_on) from (
      select distinct loaded_on from report.quality_by_day order by loaded_on desc limit 30) d)
    """

  private static let firstTrialMonth = """
    (select max(month) - interval '12 months' from report.trial_conversion_by_month where app_id = $1)
    """
}
