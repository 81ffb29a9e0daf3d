internal import Postgres

/// The rule for the name of the reports' time zone, with suggestions for names that break it.
///
/// PostgreSQL accepts many more names. Offsets such as `+9` and `Etc/GMT+9` mean the opposite of
/// what most people expect, 9 hours west of Greenwich; abbreviations such as `KST` or `CST` are
/// ambiguous and know no daylight saving time.
struct TimeZoneName {
  let name: String

  static let standard = "UTC"
  static let example = "Asia/Seoul"

  /// True for UTC, and for a name of the form `Area/City`, whether or not the server knows it.
  var isAccepted: Bool {
    name == Self.standard
      || name.contains("/") && !Self.refusedPrefixes.contains { name.hasPrefix($0) }
  }

  private static let refusedPrefixes = ["Etc/", "posix/", "right/"]

  /// The number of suggestions.
  private static let suggestedNames = 3

  /// Checks the name against the server's list of zones.
  ///
  /// - Throws: `LoadError` with exit code 64 and suggestions when the name is not accepted.
  func check(on connection: Connection) throws {
    let zones = try Zone.all(on: connection)
    if isAccepted, zones.contains(where: { $0.name == name }) { return }
    let suggestions = suggestions(among: zones)
    throw LoadError(
      .usage,
      "time-zone: \(printable(name)) \(reason); use "
        + (suggestions.isEmpty
        ? ["\(Self.standard), or a name such as \(Self.example)"] : suggestions)
        .joined(separator: ", "))
  }

  private var reason: String {
    if offset != nil {
      return
        "is an offset, whose sign PostgreSQL reads the other way round (+9 is west of Greenwich)"
    }
    return isAccepted
      ? "is no time zone of the server" : "is not a zone by area and city"
  }

  // MARK: - Suggestions

  /// A zone of the server, with its offset and abbreviation of today.
  private struct Zone: Decodable {
    let name: String
    let abbreviation: String
    /// Minutes east of Greenwich.
    let offset: Int

    static func all(on connection: Connection) throws -> [Zone] {
      try connection.rows(
        of: Zone.self,
        """
        select name, abbrev as abbreviation,
            (extract(epoch from utc_offset) / 60)::integer as offset
          from pg_catalog.pg_timezone_names order by name collate "C"
        """)
    }
  }

  /// The minutes east of Greenwich that an offset most likely stands for; nil: the name is no
  /// offset.
  ///
  /// The sign is that of everyday use: `+9`, `UTC+9`, `GMT+09:00` and `Etc/GMT+9` are Seoul.
  var offset: Int? {
    let form = /(?i)(?:etc\/)?(?:utc|gmt)?([+-])([0-9]{1,2})(?::?([0-9]{2}))?/
    guard let match = name.wholeMatch(of: form), let hours = Int(match.2) else { return nil }
    let minutes = hours * 60 + (match.3.flatMap { Int($0) } ?? 0)
    return match.1 == "-" ? -minutes : minutes
  }

  /// Accepted names that the given one may stand for: the example first, then by name.
  private func suggestions(among zones: [Zone]) -> [String] {
    let accepted = zones.filter { TimeZoneName(name: $0.name).isAccepted }
    let typed = name.lowercased()
    func names(_ isMeant: (Zone) -> Bool) -> [String]? {
      let found = accepted.filter(isMeant).map(\.name)
      guard !found.isEmpty else { return nil }
      let preferred = found.filter { $0 == Self.example } + found.filter { $0 != Self.example }
      return Array(preferred.prefix(Self.suggestedNames))
    }
    if let offset, let found = names({ $0.offset == offset }) { return found }
    if let found = names({ $0.name.lowercased() == typed }) { return found }
    if let found = names({ $0.abbreviation.lowercased() == typed }) { return found }
    // A known name of another form, such as ROK or right/Asia/Seoul.
    if let known = zones.first(where: { $0.name.lowercased() == typed }),
      let found = names({ $0.offset == known.offset && $0.abbreviation == known.abbreviation })
    {
      return found
    }
    return nearestNames(to: name, among: accepted.map(\.name), atMost: Self.suggestedNames)
  }
}
