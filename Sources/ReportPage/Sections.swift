/// The sections of the page: what they say, and the queries of their figures.
enum Sections {
  /// The base currency and its digits; no row without one.
  static let base = """
    (select s.value as currency, coalesce(c.minor_unit, 2)::integer as digits
      from report.setting s left join game.currency c on c.currency = s.value
      where s.name = 'base-currency' and s.value is not null)
    """

  static let zone = "(select value from report.setting where name = 'time-zone')"

  /// SQL for a count with commas between the thousands.
  static func count(_ number: String) -> String { "to_char(\(number), 'FM999,999,999,999,990')" }

  /// SQL for a time in a zone, to the minute.
  static func minute(_ time: String, _ zone: String) -> String {
    "to_char(\(time) at time zone \(zone), 'YYYY-MM-DD HH24:MI')"
  }

  private static let digits =
    "(select currency, coalesce(minor_unit, 2)::integer as digits from game.currency)"

  private static func duration(_ minutes: String) -> String {
    """
    case when \(minutes) < 120 then round(\(minutes)) || ' min'
      when \(minutes) < 2880 then round(\(minutes) / 60, 1) || ' h'
      else round(\(minutes) / 1440, 1) || ' d' end
    """
  }

  private static let noBase =
    "No base currency is set, so amounts of different currencies cannot be added."

  /// The sections of one application, `$1`.
  static let ofApplication = [
    Section(
      title: "Revenue",
      lead: "By day, in the base currency {base}. Promotions are no revenue. A day with a purchase "
        + "without an exchange rate has no bar.",
      notes: """
        select format('No exchange rate is known for %s %s (paid purchases: %s, from %s to %s), %s %% of the '
            || 'paid purchases in %1$s since %7$s.', g.currency,
          rtrim(to_char(g.amount, 'FM999,999,999,999,999,990.' || repeat('0', d.digits)), '.'),
          \(count("g.unconverted_count")), g.first_purchased_on, g.last_purchased_on,
          round(100.0 * g.unconverted_count / sum(r.paid_count), 1), g.since)
        from (
          select *, least(first_purchased_on, \(firstDay)) as since
          from report.rate_gap
          where app_id = $1
        ) g
        join report.revenue_by_day r on r.app_id = g.app_id and r.currency = g.currency and r.day >= g.since
        join \(digits) d on d.currency = g.currency
        group by g.currency, g.amount, g.unconverted_count, g.first_purchased_on, g.last_purchased_on, g.since, d.digits
        order by g.currency
        """,
      form: .bars(above: ["Revenue"], final: "Complete"),
      query: """
        select period_start as "Day", round(base_amount, b.digits) as "Revenue",
          paid_count as "Paid purchases", unconverted_count as "Without a rate", is_complete as "Complete"
        from report.revenue_converted_by_period
        cross join \(base) b
        where app_id = $1 and period = 'day' and period_start >= \(firstDay)
        order by period_start
        """, empty: noBase),
    Section(
      title: "Revenue by currency",
      lead:
        "Of the weeks below, in each currency alone. Promotions are no revenue and stand apart.",
      form: .table,
      query: """
        select r.currency as "Currency", round(sum(r.amount), d.digits) as "Revenue",
          round(coalesce(sum(r.promotion_amount), 0), d.digits) as "Promotions",
          sum(r.paid_count)::bigint as "Paid purchases"
        from report.revenue_by_day r
        join \(digits) d on d.currency = r.currency
        where r.app_id = $1 and r.day >= \(firstWeek)
        group by r.currency, d.digits
        order by 4 desc, 1
        """,
      details: (
        "Revenue by currency and week",
        """
        select r.currency as "Currency", w.week as "Week from", round(r.amount, d.digits) as "Revenue",
          round(r.promotion_amount, d.digits) as "Promotions", r.paid_count as "Paid purchases",
          w.is_complete as "Complete"
        from (
          select currency, date_trunc('week', day::timestamp)::date as week, sum(amount) as amount,
            coalesce(sum(promotion_amount), 0) as promotion_amount, sum(paid_count)::bigint as paid_count
          from report.revenue_by_day
          where app_id = $1 and day >= \(firstWeek)
          group by 1, 2
        ) r
        join (
          select period_start as week, is_complete from report.payers_by_period
          where app_id = $1 and period = 'week'
        ) w on w.week = r.week
        join \(digits) d on d.currency = r.currency
        order by 1, 2
        """
      ), empty: "No receipt of this application is loaded, so there is no revenue to show."),
    Section(
      title: "Payers", lead: "By week; a new payer paid for the first time.",
      form: .bars(above: ["Repeat", "New"], final: "Complete"),
      query: """
        select period_start as "Week from", payer_count as "Payers", new_payer_count as "New",
          repeat_payer_count as "Repeat", is_complete as "Complete"
        from report.payers_by_period
        where app_id = $1 and period = 'week' and period_start >= \(firstWeek)
        order by period_start
        """),
    Section(
      title: "Revenue per payer (ARPPU)", lead: "By week, in {base}.",
      form: .bars(above: ["Revenue per payer"], final: "Complete"),
      query: """
        select period_start as "Week from", payer_count as "Payers",
          case when unconverted_count = 0 then round(base_amount, b.digits) end as "Revenue",
          round(arppu, b.digits) as "Revenue per payer", unconverted_count as "Without a rate",
          is_complete as "Complete"
        from report.arppu_converted_by_period
        cross join \(base) b
        where app_id = $1 and period = 'week' and period_start >= \(firstWeek)
        order by period_start
        """),
    Section(
      title: "Revenue per payer by currency", lead: "Of the last complete week.", form: .table,
      query: """
        select a.currency as "Currency", a.period_start as "Week from", round(a.amount, d.digits) as "Revenue",
          a.payer_count as "Payers", round(a.arppu, d.digits) as "Revenue per payer"
        from report.arppu_by_period a
        join \(digits) d on d.currency = a.currency
        where a.app_id = $1 and a.period = 'week' and a.payer_count > 0 and a.period_start = (
          select max(period_start) from report.payers_by_period
          where app_id = $1 and period = 'week' and is_complete)
        order by a.payer_count desc, a.currency
        """),
    Section(
      title: "Concentration",
      lead:
        "The part of a month's revenue that the payers who paid most brought. Parts of payers are "
        + "rounded up, and currencies with fewer than ten payers are left out.",
      // The newest complete month, else the running one.
      form: .heat(caption: "Part of the revenue, by part of the payers"),
      query: """
        select currency || ', month from ' || month as "Currency", most as "Payers",
          round(100 * top_share) as "top # %", round(100 * share_of_amount) || ' %',
          floor(9.999 * share_of_amount), case when is_complete then 'final' else 'so far' end
        from (
          select *, bool_or(top_share = 1 and payer_count >= 10) over (partition by currency) as is_shown,
            max(payer_count) over (partition by currency) as most
          from report.payer_concentration
          where app_id = $1 and month = (
            select month from report.payer_concentration where app_id = $1
            group by month order by bool_or(is_complete) desc, month desc limit 1)
        ) c
        where is_shown and top_share < 1
        order by most desc, currency, top_share
        """),
    Section(
      title: "Retention",
      lead:
        "The part of the users of a week who were observed on exactly that day. An observation is a "
        + "purchase, a level-up or a snapshot, not a login. Hatched: the day has not come yet for any user "
        + "of the week. Dashed, with *: it has come for a part of them, and the figure is of that part.",
      form: .heat(
        caption: "Users of each week who were observed again, by days after their first observation"
      ),
      query: """
        with c as (
          select date_trunc('week', cohort_on::timestamp)::date as cohort, day_n,
            sum(cohort_size)::bigint as size, nullif(sum(mature_size), 0) as mature_size,
            sum(observed_count)::numeric as observed_count, bool_and(is_mature) as is_mature
          from report.retention_by_cohort
          where app_id = $1 and day_n in (1, 2, 3, 5, 7, 14, 28, 60, 90) and cohort_on >= (
            select date_trunc('week', max(cohort_on)::timestamp)::date - 91
            from report.retention_by_cohort where app_id = $1)
          group by 1, 2
        )
        select cohort as "First observed in the week from", size as "Users", day_n as "day #",
          round(100 * observed_count / mature_size) || ' %',
          floor(9.999 * observed_count / mature_size
            / greatest(max(observed_count / mature_size) over (), 0.0001)),
          case when mature_size is null then null when is_mature then 'final' else 'so far' end
        from c
        order by cohort, day_n
        """, empty: "No user was observed yet."),
    Section(
      title: "Value of a user",
      lead:
        "What a user of a month had paid on average by that day, in {base}, also counting those who paid "
        + "nothing. The chart shows whole cohorts, and its steps are of different length.",
      form: .heat(
        caption:
          "What users of each month had paid on average, by days after their first observation",
        hasLines: true),
      query: """
        select cohort_start as "First observed in the month from", cohort_size as "Users", day_n as "day #",
          round(base_amount_per_user, b.digits),
          floor(9.999 * base_amount_per_user / greatest(max(base_amount_per_user) over (), 0.000000001)),
          case when mature_size = 0 then null when base_amount_per_user is null then 'no rate'
            when is_mature then 'final' else 'so far' end
        from report.value_by_cohort
        cross join \(base) b
        where app_id = $1 and cohort_kind = 'first_observed' and period = 'month'
          and day_n in (0, 7, 14, 30, 60, 90, 180, 365) and cohort_start >= (
            select (max(period_start) - interval '12 months')::date
            from report.observed_by_period where app_id = $1 and period = 'month')
        order by cohort_start, day_n
        """, empty: noBase),
    Section(
      title: "Levels",
      lead:
        "Users who reached a level, those who stopped there seven days ago or longer, and the median "
        + "time, within 6 %. A row of several levels has the users who reached the first of them and who stopped in any "
        + "of them; the times are those of the first.",
      form: .table,
      // Above 24 levels, those that as many 24ths of the users reached share a row.
      query: """
        with l as (
          select f.user_level, f.reached_user_count, f.stopped_7d_count,
            t.p50_minutes_since_first_observed as first, t.p50_minutes_since_previous_level as previous,
            max(f.reached_user_count) over () as most,
            case when count(*) over () > 24
              then ceil(24.0 * f.reached_user_count / greatest(max(f.reached_user_count) over (), 1))
              else -f.user_level end as band
          from report.level_funnel f
          left join report.level_time t on t.app_id = f.app_id and t.user_level = f.user_level
          where f.app_id = $1
        ), b as (
          select min(user_level) as level, max(user_level) as last, max(reached_user_count) as reached, max(most) as most,
            sum(stopped_7d_count)::bigint as stopped, (array_agg(first order by user_level))[1] as first,
            (array_agg(previous order by user_level))[1] as previous
          from l
          group by band
        )
        select case when level = last then level::text else level || ' to ' || last end as "Level",
          reached as "Reached", round(100.0 * reached / greatest(most, 1)) || ' %' as "Part", stopped as "Stopped",
          \(duration("first")) as "Since the first observation",
          \(duration("previous")) as "Since the level before"
        from b
        order by level
        """),
    Section(
      title: "Subscriptions", lead: "In and out, by week; a paler bar can still change.",
      form: .bars(
        above: ["New", "Came back", "Trials that became paid"], below: ["Expired"], final: "Final"),
      query: """
        select date_trunc('week', day::timestamp)::date as "Week from",
          sum(new_count + continued_count)::bigint as "New", sum(resubscribed_count)::bigint as "Came back",
          sum(renewed_count)::bigint as "Renewed", sum(converted_count)::bigint as "Trials that became paid",
          sum(expired_count)::bigint as "Expired", bool_and(is_expiry_final) as "Final"
        \(subscriptionDays)
        group by 1
        order by 1
        """),
    Section(
      title: "Active subscriptions", lead: "At the end of the week.",
      form: .bars(above: ["Paid", "Trial"], final: "Complete"),
      query: """
        select week as "Week from", paid as "Paid", trial as "Trial", is_complete as "Complete"
        from (
          select date_trunc('week', day::timestamp)::date as week, day, sum(active_paid)::bigint as paid,
            sum(active_trial)::bigint as trial, max(day) over (partition by date_trunc('week', day::timestamp)) as last,
            bool_and(bool_and(is_complete)) over (partition by date_trunc('week', day::timestamp)) as is_complete
          \(subscriptionDays)
          group by day
        ) d
        where day = last
        order by week
        """),
    Section(
      title: "Monthly recurring revenue (MRR)",
      lead:
        "Start + new + came back + expansion − contraction − churned = end, the newest month first.",
      form: .table,
      query: """
        select m.currency as "Currency", m.month as "Month from", round(m.starting_amount, d.digits) as "Start",
          round(m.new_amount, d.digits) as "New", round(m.reactivated_amount, d.digits) as "Came back",
          round(m.expansion_amount, d.digits) as "Expansion", round(m.contraction_amount, d.digits) as "Contraction",
          round(m.churned_amount, d.digits) as "Churned", round(m.ending_amount, d.digits) as "End",
          m.is_complete as "Complete"
        from (
          select *, bool_or(starting_amount > 0 or ending_amount > 0 or new_amount > 0) over (partition by currency) as is_shown
          from report.mrr_movement_by_month
          where app_id = $1 and month > (
            select max(month) - interval '12 months' from report.mrr_movement_by_month where app_id = $1)
        ) m
        join \(digits) d on d.currency = m.currency
        where m.is_shown
        order by m.month desc, m.currency
        """),
    Section(
      title: "Trials", lead: "By the month of their start.",
      form: .bars(above: ["Became paid", "Did not", "Not decided"]),
      query: """
        select month as "Month from", sum(trial_count)::bigint as "Trials", sum(converted_count)::bigint as "Became paid",
          sum(lost_count)::bigint as "Did not", sum(pending_count)::bigint as "Not decided"
        from report.trial_conversion_by_month
        where app_id = $1 and month > \(firstTrialMonth)
        group by month
        order by month
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
      lead:
        "By the day of the load. A refused line is kept with its reason; a conflict is a line that "
        + "contradicts a stored row.",
      form: .bars(above: ["Refused", "Conflicts"]),
      query: """
        select loaded_on as "Day", sum(line_count)::bigint as "Stored", sum(reject_count)::bigint as "Refused",
          round(100.0 * sum(reject_count) / nullif(sum(line_count + reject_count), 0), 2) || ' %' as "Refused share",
          sum(conflict_count)::bigint as "Conflicts"
        from report.quality_by_day
        where loaded_on >= \(firstLoadDay)
        group by loaded_on
        order by loaded_on
        """),
    Section(
      title: "Failed files", form: .table,
      query: """
        select regexp_replace(path, '^.*/', '') as "File", coalesce(stream, 'unknown') as "Stream",
          \(minute("last_failed_at", zone)) as "Last failed", error as "Error"
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
        group by stream, code, field
        order by 4 desc, stream, code, field
        """),
    Section(
      title: "New fields",
      lead: "Members of lines without a column. They are kept, and no view shows them.",
      form: .table,
      query: """
        select coalesce(field, 'further names') as "Field", stream as "Stream",
          to_char(first_loaded_at at time zone \(zone), 'YYYY-MM-DD') as "First loaded", line_count as "Lines",
          regexp_replace(example_path, '^.*/', '') as "First file"
        from report.unknown_field_summary
        order by first_loaded_at desc, stream, field
        """),
  ]

  /// The first of the 91 days that the page shows.
  static let firstDay = """
    (select min(period_start) from (
      select period_start from report.revenue_converted_by_period where app_id = $1 and period = 'day'
      order by period_start desc limit 91) d)
    """

  /// The first of the 26 weeks that the page shows.
  private static let firstWeek = """
    (select min(period_start) from (
      select period_start from report.payers_by_period where app_id = $1 and period = 'week'
      order by period_start desc limit 26) w)
    """

  /// The first of the 30 days with loads that the page shows.
  private static let firstLoadDay = """
    (select min(loaded_on) from (
      select distinct loaded_on from report.quality_by_day order by loaded_on desc limit 30) d)
    """

  private static let firstTrialMonth = """
    (select max(month) - interval '12 months' from report.trial_conversion_by_month where app_id = $1)
    """

  private static let subscriptionDays = """
    from report.subscription_by_day
    where app_id = $1 and day >= \(firstWeek)
    """
}
