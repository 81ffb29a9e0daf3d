internal import Foundation
internal import Loading
internal import Postgres
internal import SHA256

extension Report {
  /// The figures that no view has, because the records lack them.
  private static let absent = [
    "Daily active users, sessions and play time: the records contain no logins.",
    "Refunds, chargebacks, taxes, store fees and proceeds: all amounts are gross.",
    "Country, device and operating system.",
    "Attribution and advertising.",
    "Trials without a receipt of price 0, and churn before the end of a subscription.",
  ]

  /// The report as one HTML document that needs no network and no script.
  package var page: String {
    let style = String(decoding: PackageResources.page_css, as: UTF8.self)
    // The source of the only style sheet that the content security policy allows.
    let digest = Data(SHA256.digest(of: style.utf8)).base64EncodedString()
    let applications = zip(1..., applications).map { (anchor: "app-\($0)", one: $1) }
    let omitted: HTML? =
      omittedApplicationCount == 0
      ? nil
      : """
      <p class="note">Applications with fewer players: \(String(omittedApplicationCount)) more; \
      --app-id shows one.</p>
      """
    let document: HTML = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <meta name="color-scheme" content="light dark">
      <title>Gamebase report</title>
      <style>\(HTML(stringLiteral: style))</style>
      </head>
      <body>
      <a class="skip" href="#figures">Skip to the figures</a>
      \(banner.html)<nav aria-label="Applications">
      <ul>
      \(applications.map { "<li><a href=\"#\($0.anchor)\"><bdi>\($0.one.name)</bdi></a></li>\n" })\
      <li><a href="#loads">Loads</a></li>
      <li><a href="#absent">What is missing</a></li>
      </ul>
      </nav>
      <main id="figures">
      \(omitted)\
      \(applications.map { Self.card($0.anchor, $0.one.name, Self.figures(of: $0.one)) })\
      \(Self.card("loads", "Health of the loads", "\(loads)"))\
      \(Self.card("absent", "What these feeds cannot say", "<ul>\(Self.absent.map { "<li>\($0)</li>" })</ul>\n"))\
      </main>
      <footer><p>Paler bars and figures with * are not final. Amounts are gross. The page has no user \
      ids.</p></footer>
      </body>
      </html>

      """
    return document.text
  }

  private static func figures(of application: Application) -> HTML {
    let tiles = application.tiles.map { name, value, detail -> HTML in
      "<div><dt>\(name)</dt><dd><strong>\(value)</strong> <span>\(detail)</span></dd></div>\n"
    }
    return "<dl class=\"tiles\">\n\(tiles)</dl>\n\(application.sections)"
  }

  private static func card(_ anchor: String, _ title: String, _ content: HTML) -> HTML {
    """
    <section class="card" id="\(anchor)" aria-labelledby="\(anchor)-title">
    <h2 id="\(anchor)-title"><bdi>\(title)</bdi></h2>
    \(content)</section>

    """
  }
}

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
