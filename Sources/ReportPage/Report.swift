internal import Loading
package import Postgres

/// All figures of one page, read from one state of the database.
package struct Report {
  package struct Application {
    package let name: String
    package let tiles: [Tile]
    let sections: [ReadSection]
  }

  /// The applications of a page without a choice; more make a page that nobody reads.
  package static let largestApplicationCount = 6

  package let banner: Banner
  /// Those with most players first.
  package let applications: [Application]
  /// Applications of the database that the page leaves out.
  package let omittedApplicationCount: Int
  let loads: [ReadSection]

  /// Reads the figures in one read-only transaction.
  ///
  /// - Parameters:
  ///   - chosen: the applications to show; empty: all, up to the limit.
  ///   - hasSections: false for the banner and the main figures alone.
  /// - Throws: `UnknownApplication`, and the server's errors.
  package init(
    from connection: Connection, applications chosen: [String] = [], hasSections: Bool = true
  ) throws {
    self = try connection.transaction(.readOnlySnapshot) {
      try Report(inTransactionOf: connection, applications: chosen, hasSections: hasSections)
    }
  }

  private init(
    inTransactionOf connection: Connection, applications chosen: [String], hasSections: Bool
  ) throws {
    let known = try connection.query(
      "select app_id from report.app order by player_count desc, app_id"
    ).rows.compactMap { $0[0] }
    if let appID = chosen.first(where: { !known.contains($0) }) {
      throw UnknownApplication(appID: appID, known: known)
    }
    let shown =
      chosen.isEmpty
      ? Array(known.prefix(Self.largestApplicationCount)) : known.filter { chosen.contains($0) }
    omittedApplicationCount = chosen.isEmpty ? known.count - shown.count : 0
    banner = try Banner(of: shown, from: connection)
    let base = try connection.query("select currency from \(Sections.base) b").rows.first?[0]
    func read(_ sections: [Section], _ parameters: [Parameter]) throws -> [ReadSection] {
      guard hasSections else { return [] }
      return try sections.compactMap {
        try ReadSection($0, parameters, baseCurrency: base, from: connection)
      }
    }
    applications = try shown.map { appID in
      Application(
        name: Self.name(of: appID), tiles: try Tile.all(of: appID, from: connection),
        sections: try read(Sections.ofApplication, [.text(appID)]))
    }
    loads = try read(Sections.ofLoads, [])
  }

  /// The name of an application; nil for failures that belong to none.
  static func name(of appID: String?) -> String {
    guard let appID else { return "no application" }
    return appID.isEmpty ? "unknown application" : printable(appID)
  }
}

/// An application was asked for that has no accepted line in the database.
package struct UnknownApplication: Error {
  package let appID: String
  package let known: [String]
}
