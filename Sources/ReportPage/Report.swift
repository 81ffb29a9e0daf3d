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

  /// Reads the figures in one read-only transaction.
  ///
  /// - Parameters:
  ///   - chosen: the applications to show; empty: all, up to the limit.
  ///   - hasSections: false for the banner and the main figures alone.
  /// - Throws: `LoadError` with exit code 64 when a chosen application has no accepted line; the
  ///   server's errors.
  package init(
    from connection: Connection, applications chosen: [String] = [], hasSections: Bool = true
  ) throws {
    (banner, applications, omittedApplicationCount, loads) =
      try connection.transaction(.readOnlySnapshot) {
        let known = try connection.query(Queries.applications).rows.compactMap { $0[0] }
        if let appID = chosen.first(where: { !known.contains($0) }) {
          let names = known.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", ")
          throw LoadError(
            .usage,
            "no accepted line belongs to the application \(appID); the reports have "
              + (known.isEmpty ? "none yet" : names))
        }
        let shown =
          chosen.isEmpty
          ? Array(known.prefix(Self.largestApplicationCount)) : known.filter { chosen.contains($0) }
        let currency = try connection.query(Queries.settings).rows.first?[0]
        func read(_ sections: [Section], _ parameters: [Parameter] = []) throws -> [HTML] {
          guard hasSections else { return [] }
          return try sections.compactMap {
            try $0.html(parameters, baseCurrency: currency, from: connection)
          }
        }
        return (
          try Banner(of: shown, baseCurrency: currency, from: connection),
          try shown.map { appID in
            let tiles = try connection.query(Queries.tiles, [.text(appID), .text(currency)])
            return Application(
              name: Self.name(of: appID),
              tiles: tiles.indices.map { row in
                let unit = tiles[row, 1].flatMap { _ in tiles[row, 2] } ?? ""
                return (tiles.shown(row, 0), tiles.shown(row, 1) + unit, tiles[row, 3] ?? "")
              },
              sections: try read(Sections.ofApplication, [.text(appID)]))
          },
          chosen.isEmpty ? known.count - shown.count : 0,
          try read(Sections.ofLoads)
        )
      }
  }

  /// The name of an application; nil for failures that belong to none.
  static func name(of appID: String?) -> String {
    guard let appID else { return "no application" }
    return appID.isEmpty ? "unknown application" : printable(appID)
  }
}
