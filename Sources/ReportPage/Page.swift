internal import Foundation
internal import SHA256

/// The report as one HTML document that needs no network and no script.
package struct Page {
  /// The document.
  package let html: String

  /// The figures that no view has, because the records lack them.
  private static let absent = [
    "Daily active users, sessions and play time: the records contain no logins.",
    "Refunds, chargebacks, taxes, store fees and proceeds: all amounts are gross.",
    "Country, device and operating system.",
    "Attribution and advertising.",
    "Trials without a receipt of price 0, and churn before the end of a subscription.",
  ]

  package init(_ report: Report) {
    let style = String(decoding: PackageResources.page_css, as: UTF8.self)
    // The source of the only style sheet that the content security policy allows.
    let digest = Data(SHA256.digest(of: style.utf8)).base64EncodedString()
    let applications = zip(1..., report.applications).map { (anchor: "app-\($0)", one: $1) }
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
      \(report.banner.html)<nav aria-label="Applications">
      <ul>
      \(applications.map { "<li><a href=\"#\($0.anchor)\"><bdi>\($0.one.name)</bdi></a></li>\n" })\
      <li><a href="#loads">Loads</a></li>
      <li><a href="#absent">What is missing</a></li>
      </ul>
      </nav>
      <main id="figures">
      \(Self.omitted(report.omittedApplicationCount))\
      \(applications.map { Self.card($0.anchor, $0.one.name, Self.figures(of: $0.one)) })\
      \(Self.card("loads", "Health of the loads", "\(report.loads)"))\
      \(Self.card("absent", "What these feeds cannot say", "<ul>\(Self.absent.map { "<li>\($0)</li>" })</ul>\n"))\
      </main>
      <footer><p>Paler bars and figures with * are not final. Amounts are gross. The page has no user \
      ids.</p></footer>
      </body>
      </html>

      """
    html = document.text
  }

  private static func figures(of application: Report.Application) -> HTML {
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

  private static func omitted(_ count: Int) -> HTML? {
    guard count > 0 else { return nil }
    return
      "<p class=\"note\">Applications with fewer players: \(String(count)) more; --app-id shows one.</p>"
  }
}
