internal import Loading
internal import Postgres

/// The head of the page: whether its figures can be trusted, and up to when they go.
package struct Banner {
  package struct Stream {
    package let name: String
    package let verdict: String
    package let reason: String
    package let horizon: String
  }

  /// The worst verdict, which is also the class of its colour.
  package let verdict: String
  package let sentence: String
  /// The verdicts by application, in the order of `report.health`.
  package private(set) var applications: [(name: String, streams: [Stream])] = []
  package let facts: [String]

  /// - Parameter appIDs: the applications of the page.
  init(of appIDs: [String], from connection: Connection) throws {
    let health = Rows(try connection.query(Self.health, [.texts(appIDs)]))
    for row in health.indices {
      let name = Report.name(of: health[row, "app_id"])
      if applications.last?.name != name { applications.append((name, [])) }
      applications[applications.count - 1].streams.append(
        Stream(
          name: health[row, "stream"].map { printable($0) } ?? "unknown stream",
          verdict: health[row, "verdict"] ?? "", reason: printable(health[row, "reason"] ?? ""),
          horizon: health[row, "horizon"] ?? Rows.none))
    }
    let verdicts = applications.flatMap { $0.streams.map(\.verdict) }
    verdict = verdicts.max { Self.rank($0) < Self.rank($1) } ?? "failed"
    let bad = verdicts.filter { $0 != "ok" }.count
    sentence =
      verdicts.isEmpty
      ? "Nothing is loaded."
      : bad == 0
        ? verdicts.count == 1
          ? "The only feed is in order." : "All \(verdicts.count) feeds are in order."
        : "\(bad) of \(verdicts.count) feeds \(bad == 1 ? "needs" : "need") a look before you trust the figures."
    facts = try connection.query(Self.facts).rows.compactMap { $0[0].map { printable($0) } }
  }

  /// From the best to the worst.
  private static let order = [
    "ok", "late", "stopped", "incomplete", "implausible", "failed", "not_refreshed",
  ]

  private static func rank(_ verdict: String) -> Int {
    order.firstIndex(of: verdict) ?? order.count
  }

  private static let health = """
    select app_id, stream, verdict, reason,
      to_char(newest_event_at at time zone \(Sections.zone), 'YYYY-MM-DD HH24:MI') as horizon
    from report.health
    where app_id is null or app_id = any ($1::text[])
    order by app_id nulls last, stream nulls last
    """

  private static let facts = """
    with s as (
      select max(value) filter (where name = 'time-zone') as zone,
        max(value) filter (where name = 'base-currency') as currency,
        max(value) filter (where name = 'refreshed_at')::timestamptz as refreshed_at
      from report.setting
    ), conflict as (
      select sum(open_conflict_count)::bigint as open from report.health
    ), load as (
      select load_id, started_at, exit_code, count(path) as files, coalesce(sum(line_count), 0)::bigint as lines,
        coalesce(sum(rejected_count), 0)::bigint as rejects, coalesce(sum(conflict_count), 0)::bigint as conflicts
      from report.load_history
      where load_id = (select max(load_id) from report.load_history)
      group by load_id, started_at, exit_code
    )
    select f.fact
    from s
    cross join conflict
    left join load l on true
    cross join lateral (values
      (1, 'Written ' || \(Sections.minute("now()", "s.zone"))),
      (2, 'days of the zone ' || s.zone),
      (3, coalesce('base currency ' || s.currency, 'no base currency')),
      (4, coalesce('refreshed ' || \(Sections.minute("s.refreshed_at", "s.zone")), 'not refreshed yet')),
      (5, case when open > 0 then \(Sections.count("open")) || ' open conflicts' end),
      (6, format('last load %s, %s: %s files, %s lines, %s refused, %s conflicts, ', l.load_id,
        \(Sections.minute("l.started_at", "s.zone")), \(Sections.count("l.files")), \(Sections.count("l.lines")),
        \(Sections.count("l.rejects")), \(Sections.count("l.conflicts")))
        || case when l.load_id is null then null else coalesce('exit ' || l.exit_code, 'not finished') end)
    ) f (place, fact)
    where f.fact is not null
    order by f.place
    """

  var html: HTML {
    """
    <header class="banner">
    <p class="kicker">Gamebase report</p>
    <h1>\(Self.badge(verdict)) \(sentence)</h1>
    <ul class="facts">
    \(facts.map { "<li>\($0)</li>\n" })</ul>
    <div class="feeds">
    \(applications.map { Self.html(of: $0.streams, name: $0.name) })</div>
    </header>

    """
  }

  private static func badge(_ verdict: String) -> HTML {
    "<span class=\"verdict v-\(verdict)\">\(verdict)</span>"
  }

  private static func html(of streams: [Stream], name: String) -> HTML {
    """
    <div class="scroll" tabindex="0" role="region" aria-label="Feeds of \(name)">
    <table class="feed">
    <caption><bdi>\(name)</bdi></caption>
    <thead><tr><th scope="col">Stream</th><th scope="col">Verdict</th><th scope="col">Horizon</th></tr></thead>
    <tbody>
    \(streams.map { html(of: $0) })</tbody>
    </table>
    </div>

    """
  }

  private static func html(of stream: Stream) -> HTML {
    """
    <tr><th scope="row"><bdi>\(stream.name)</bdi></th><td>\(badge(stream.verdict))</td>\
    <td>\(stream.horizon)</td></tr>
    <tr class="reason"><td colspan="3">\(stream.reason)</td></tr>

    """
  }
}
