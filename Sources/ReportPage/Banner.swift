internal import Loading
internal import Postgres

/// The head of the page: whether its figures can be trusted, and up to when they go.
package struct Banner {
  /// The worst verdict, which is also the class of its colour.
  package let verdict: String
  package let sentence: String
  /// The feeds by application, in the order of `report.health`: stream, verdict, horizon, reason.
  package private(set) var applications: [(name: String, feeds: [[String]])] = []
  package let facts: [String]

  /// - Parameter appIDs: the applications of the page.
  init(of appIDs: [String], baseCurrency: String?, from connection: Connection) throws {
    let health = try connection.query(Queries.health, [.texts(appIDs)])
    for row in health.indices {
      let name = Report.name(of: health[row, 0])
      if applications.last?.name != name { applications.append((name, [])) }
      applications[applications.count - 1].feeds.append((1...4).map { health.shown(row, $0) })
    }
    let found = applications.flatMap { $0.feeds.map { $0[1] } }
    verdict = found.isEmpty ? "failed" : Health.worst(of: found)
    let bad = found.count { $0 != "ok" }
    sentence =
      switch (found.count, bad) {
      case (0, _): "Nothing is loaded."
      case (1, 0): "The only feed is in order."
      case (_, 0): "All \(found.count) feeds are in order."
      default:
        "\(bad) of \(found.count) feeds \(bad == 1 ? "needs" : "need") a look before you trust the figures."
      }
    let facts = try connection.query(Queries.facts, [.text(baseCurrency)])
    self.facts = facts.indices.map { printable(facts.shown($0, 0)) }
  }

  var html: HTML {
    """
    <header class="banner">
    <p class="kicker">Gamebase report</p>
    <h1>\(Self.badge(verdict)) \(sentence)</h1>
    <ul class="facts">
    \(facts.map { "<li>\($0)</li>\n" })</ul>
    <div class="feeds">
    \(applications.map { Self.table($0.name, $0.feeds) })</div>
    </header>

    """
  }

  private static func badge(_ verdict: String) -> HTML {
    "<span class=\"verdict v-\(verdict)\">\(verdict)</span>"
  }

  private static func table(_ name: String, _ feeds: [[String]]) -> HTML {
    Table.html(
      of: feeds.map { feed in
        """
        <tr><th scope="row"><bdi>\(feed[0])</bdi></th><td>\(badge(feed[1]))</td>\
        <td>\(feed[2])</td></tr>
        <tr class="reason"><td colspan="3">\(feed[3])</td></tr>

        """
      }, ["Stream", "Verdict", "Horizon"].map { "<th scope=\"col\">\($0)</th>" },
      label: "Feeds of \(name)", style: " class=\"feed\"",
      caption: "<caption><bdi>\(name)</bdi></caption>")
  }
}
