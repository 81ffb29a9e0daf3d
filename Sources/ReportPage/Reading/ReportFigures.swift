package import Postgres

/// All figures of one page, read from one state of the database.
package struct ReportFigures: Sendable {
  /// The figures of one application.
  package struct Application: Sendable {
    package let feed: FeedFigures.Application
    package let revenue: RevenueFigures
    package let cohorts: CohortFigures
    /// Lowest level first.
    package let levels: [LevelFigures]
    package let subscriptions: SubscriptionFigures
  }

  /// The applications of a page without a choice; more make a page that nobody reads.
  package static let largestApplicationCount = 6

  package let feeds: FeedFigures
  package let loads: LoadFigures
  /// Those with most players first.
  package let applications: [Application]
  /// Applications of the database that the page leaves out.
  package let omittedApplicationCount: Int
  /// The digits after the decimal point, by currency.
  package let minorUnits: [String: Int]

  /// Reads the figures in one read-only transaction.
  ///
  /// - Parameter chosen: the applications to show; empty: all, up to the limit.
  /// - Throws: `UnknownApplication`, and the server's errors.
  package init(from connection: Connection, applications chosen: [String] = []) throws {
    self = try connection.transaction(.readOnlySnapshot) {
      try ReportFigures(inTransactionOf: connection, applications: chosen)
    }
  }

  private init(inTransactionOf connection: Connection, applications chosen: [String]) throws {
    feeds = try FeedFigures(from: connection)
    loads = try LoadFigures(zone: feeds.state.timeZone, from: connection)
    let known = feeds.applications
    for appID in chosen where !known.contains(where: { $0.appID == appID }) {
      throw UnknownApplication(appID: appID, known: known.map(\.appID))
    }
    let shown =
      chosen.isEmpty
      ? Array(known.prefix(Self.largestApplicationCount))
      : known.filter { chosen.contains($0.appID) }
    omittedApplicationCount = chosen.isEmpty ? known.count - shown.count : 0
    applications = try shown.map { feed in
      Application(
        feed: feed, revenue: try RevenueFigures(of: feed.appID, from: connection),
        cohorts: try CohortFigures(of: feed.appID, from: connection),
        levels: try LevelFigures.all(of: feed.appID, from: connection),
        subscriptions: try SubscriptionFigures(of: feed.appID, from: connection))
    }
    minorUnits = try MinorUnit.all(from: connection)
  }
}

/// An application was asked for that has no accepted line in the database.
package struct UnknownApplication: Error {
  package let appID: String
  package let known: [String]
}

private struct MinorUnit: Decodable {
  let currency: String
  let minorUnit: Int

  static func all(from connection: Connection) throws -> [String: Int] {
    let units = try connection.rows(
      of: MinorUnit.self,
      "select currency, minor_unit from game.currency where minor_unit is not null")
    return Dictionary(units.map { ($0.currency, $0.minorUnit) }) { first, _ in first }
  }
}

/// A number as the database writes it: exact as text, and rounded for the place of a mark in a chart.
package struct Amount: Decodable, Sendable, Equatable {
  /// The exact decimal digits.
  package let text: String
  /// The nearest double; for positions and shares, never for a printed amount.
  package let value: Double

  package static let zero = Amount("0")

  package init(_ text: String) {
    self.text = text
    value = Double(text) ?? 0
  }

  package init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }
}
