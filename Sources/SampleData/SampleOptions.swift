/// A stream of sample lines, by its name in the data contract.
package enum SampleStream: String, CaseIterable, Sendable {
  case receipt
  case levelUp = "level_up"
  case gameUser = "game_user"
  case item
  /// Event messages; some of them bring receipts that the receipts have, too.
  case event
}

/// The size of a sample game; the same options give the same bytes on any machine.
package struct SampleOptions: Sendable {
  /// The application ids that users can have.
  package static let applications = [
    "Qb2FhTzN", "Kd7RmWxP", "Zt4LsVnC", "Hf9GbYqJ", "Mw3XcTrD", "Pn6VkSzB", "Rj8QdLhF", "Ws5NtGvK",
  ]

  /// The last day, counted from 1970-01-01 UTC, and the number of days that end with it.
  package var lastDay: Int
  package var days = 90
  /// The number of users who come on these days, in all applications.
  package var users = 5000
  /// The number of applications; each has about half as many users as the one before.
  package var apps = 1
  /// The seed of all random choices; any value.
  package var seed: UInt64 = 1
  /// The share of lines that a loader refuses, 0...1; half as many correct an earlier line.
  package var badShare = 0.002
  /// The streams whose lines are written; the lines of a stream are the same with or without others.
  package var streams = SampleStream.allCases

  package init(lastDay: Int) { self.lastDay = lastDay }

  /// The first day, counted from 1970-01-01 UTC.
  package var firstDay: Int { lastDay - days + 1 }

  /// The reason why these options are invalid, as a sentence for users; nil when they are valid.
  package var problem: String? {
    let rules: KeyValuePairs = [
      // The bounds of the data contract, less the last year, so that no expiry is after 2100.
      "The days must lie between 2000-01-01 and 2099-01-01, and there must be at least one.":
        (1...36_160).contains(days) && (10_957..<47_117).contains(lastDay) && firstDay >= 10_957,
      "The number of users must lie in 1...100000000.": (1...100_000_000).contains(users),
      "The number of applications must lie in 1...\(Self.applications.count).":
        (1...Self.applications.count).contains(apps),
      "The share of bad lines must lie in 0...1.": (0...1).contains(badShare),
    ]
    return rules.first { !$0.value }?.key
  }
}
