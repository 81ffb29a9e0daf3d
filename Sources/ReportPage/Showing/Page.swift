internal import Foundation
internal import Mustache
internal import SHA256

/// The whole report as one HTML document that needs no network and no script.
package struct Page {
  private struct Application {
    let anchor: String
    let name: String
    let tiles: [Tile]
    let revenue: RevenueSection?
    let cohorts: CohortSection
    let levels: LevelSection?
    let subscriptions: SubscriptionSection?
  }

  private struct Content {
    let style: String
    /// The source of the only style sheet that the content security policy allows.
    let stylePolicy: String
    let banner: Banner
    let omitted: String?
    let applications: [Application]
    let loads: LoadSection
    let absent: [String]
  }

  /// The document.
  package let html: String

  /// What no view fakes, because the records do not have it.
  private static let absent = [
    "Daily active users, sessions and play time: the records contain no logins.",
    "Refunds, chargebacks, taxes, store fees and proceeds: all amounts are gross.",
    "Country, device and operating system.",
    "Attribution and advertising.",
    "Trials without a receipt of price 0, and churn before the end of a subscription.",
  ]

  package init(_ figures: ReportFigures) throws {
    let style = Templates.style
    let digest = Data(SHA256.digest(of: style.utf8)).base64EncodedString()
    let omitted = figures.omittedApplicationCount
    let content = Content(
      style: style, stylePolicy: "'sha256-\(digest)'", banner: Banner(figures),
      omitted: omitted == 0
        ? nil
        : omitted == 1
          ? "One further application has fewer players; --app-id shows it."
          : "\(omitted) further applications have fewer players; --app-id shows one of them.",
      applications: zip(figures.applications, 1...).map { one, number in
        let revenue = RevenueSection(one.revenue, in: figures)
        return Application(
          anchor: "app-\(number)", name: ForeignText.application(one.feed.appID),
          tiles: Tile.all(of: one, in: figures), revenue: revenue,
          cohorts: CohortSection(one.cohorts, in: figures),
          levels: one.levels.isEmpty ? nil : LevelSection(one.levels),
          subscriptions: SubscriptionSection(
            one.subscriptions, currencies: revenue?.currencies.map(\.code) ?? [], in: figures))
      }, loads: LoadSection(figures.loads), absent: Self.absent)
    html = try Templates.library().render(content, withTemplate: "page") ?? ""
  }
}
