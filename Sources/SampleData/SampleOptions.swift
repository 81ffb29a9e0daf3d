/// A kind of record for which sample lines can be generated, by its name in the data contract.
package enum SampleStream: String, CaseIterable, Sendable {
  case receipt = "receipt"
  case levelUp = "level_up"
  case gameUser = "game_user"
  case item = "item"
  /// Event messages; some of them bring receipts that the receipts have, too.
  case event = "event"

  /// The number of the stream, which gives its lines random numbers of their own.
  var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The options of sample lines: their number, files, days and users.
///
/// The same options and seed give the same bytes on any machine.
package struct SampleOptions: Sendable, Equatable {
  /// The application ids that users can have.
  package static let applications = [
    "Qb2FhTzN", "Kd7RmWxP", "Zt4LsVnC", "Hf9GbYqJ", "Mw3XcTrD", "Pn6VkSzB", "Rj8QdLhF", "Ws5NtGvK",
  ]

  /// The seed of all random choices; any value.
  package var seed: UInt64
  /// The lines of each stream in all its files, good, repeated, bad and blank ones together.
  package var lines: [SampleStream: Int]
  /// The first day, counted from 1970-01-01 UTC.
  ///
  /// A loader refuses times more than a day ahead of its clock. The generator does not check this,
  /// because it reads no clock.
  package var firstDay: Int
  /// The number of days.
  package var days: Int
  /// The number of users, the same for every stream.
  package var users: Int
  /// The number of applications; each has about half as many users as the one before.
  package var apps = 1
  /// The share of lines that a loader must refuse; 0...1.
  package var badShare = 0.002
  /// The share of lines that repeat an earlier good line of the file; 0...1.
  package var repeatShare = 0.02
  /// The share of blank lines; 0...1.
  package var blankShare = 0.0
  /// The share of records that arrive with those of a day that is 1 to 5 days later; 0...0.5.
  package var lateShare = 0.0
  /// The share of lines that correct a line of the file before; 0...0.1.
  package var correctionShare = 0.0
  /// The number of files of each stream, with equal numbers of lines; nil: a file per day, with as
  /// many lines as the game has on that day.
  package var files: Int? = 1

  /// Collects the options; `users` defaults to one for twenty lines, within 100...1000000.
  ///
  /// The default days are those of July 2025. They are fixed, because days relative to the clock
  /// would change the bytes every day.
  package init(
    seed: UInt64 = 1, lines: [SampleStream: Int], firstDay: Int = 20_270, days: Int = 31,
    users: Int? = nil
  ) {
    self.seed = seed
    self.lines = lines
    self.firstDay = firstDay
    self.days = days
    self.users = users ?? max(100, min((lines.values.max() ?? 0) / 20, 1_000_000))
  }

  /// Collects the options of streams with as many lines each, in the default days.
  package init(seed: UInt64 = 1, count: Int, users: Int? = nil) {
    let streams = SampleStream.allCases.map { ($0, count) }
    self.init(seed: seed, lines: Dictionary(uniqueKeysWithValues: streams), users: users)
  }

  /// The number of files of each stream.
  package var fileCount: Int { files ?? days }

  /// The reason why these options are invalid, as a sentence for users; nil when they are valid.
  package var problem: String? {
    // Each record of a day has a millisecond of its own, which makes all natural keys unique.
    let room = max(20_000_000, 2_000_000 * min(days, 100_000))
    let rules: KeyValuePairs = [
      "A share of lines must lie in 0...1.":
        [badShare, repeatShare, blankShare].allSatisfy((0...1).contains),
      // The tolerance is for sums such as 0.7 + 0.2 + 0.1, which are inexact in doubles.
      "The shares of bad, repeated and blank lines add up to more than 1.":
        badShare + repeatShare + blankShare < 1.000_001,
      "The share of late lines must lie in 0...0.5.": (0...0.5).contains(lateShare),
      "The share of corrections must lie in 0...0.1.": (0...0.1).contains(correctionShare),
      // The bounds of the data contract, less the last year, so that no expiry is after 2100.
      "The days must lie between 2000-01-01 and 2099-01-01, and there must be at least one.":
        (10_957..<47_117).contains(firstDay) && days >= 1 && days <= 47_117 - firstDay,
      "The number of lines must not be negative.": lines.values.allSatisfy { $0 >= 0 },
      "The days have room for \(room) lines of a stream; choose more days.":
        lines.values.allSatisfy { $0 <= room },
      "There must be at least one file.": fileCount >= 1,
      "Users must lie in 1...100000000.": (1...100_000_000).contains(users),
      "The number of applications must lie in 1...\(Self.applications.count).":
        (1...Self.applications.count).contains(apps),
    ]
    return rules.first { !$0.value }?.key
  }
}

/// The counts that a correct loader reports when it loads the generated lines of one file into a
/// database that has the stream's earlier files and no others.
package struct SampleCounts: Sendable, Equatable {
  /// All lines, blank ones included.
  package internal(set) var lines = 0
  /// Lines that repeat an earlier line of the file; the loader counts them as duplicates.
  package internal(set) var repeats = 0
  /// Lines of JSON white space only.
  package internal(set) var blanks = 0
  /// Lines that the loader refuses.
  package internal(set) var bad = 0
  /// Lines that supply a value which a line of the file before lacks, or contradict that line.
  package internal(set) var corrections = 0
  /// Good lines of records that happened 1 to 5 days before those of the lines around them.
  package internal(set) var late = 0

  /// Lines that become a new row.
  package var inserted: Int { lines - repeats - blanks - bad - corrections }
}
