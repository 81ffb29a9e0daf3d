/// How long users stay, and on how many of their days they play.
///
/// Of the users of a day, about 40 % play on the next day, 20 % after a week, 8 % after thirty
/// days and 2 % after a year: the survival below times the mean share of days played.
struct Retention: Sendable {
  /// A lifetime that no span reaches the end of.
  static let endless = 1_000_000

  /// The users of 65536 who play again this many days after their first day, or later.
  private static let survival: [(day: Int, users: Int)] = [
    (0, 65_536), (1, 43_200), (3, 30_800), (7, 21_900), (14, 14_400), (30, 8600), (60, 5800),
    (90, 4450), (180, 2750), (365, 1700), (730, 980),
  ]

  /// The shares of the days within a lifetime that a user plays, of 65536; the mean is 0.61.
  private static let playedShares: [UInt32] = [26_200, 32_800, 39_300, 45_900, 55_700]

  private let seed: UInt64
  private let survival = Retention.survival
  private let playedShares = Retention.playedShares

  init(seed: UInt64) {
    self.seed = seed
  }

  /// The days from a user's first day to the last one, 0...
  func lifetime(of user: UInt32) -> Int {
    // User 0 stays, so that every day has a player and a payer.
    if user == 0 { return Self.endless }
    let rank = Int(SeededRandom.mix(seed, Salt.lifetime, UInt64(user)) >> 48)
    for (knot, next) in zip(survival, survival.dropFirst()) where rank >= next.users {
      return knot.day
        + (knot.users - 1 - rank) * (next.day - knot.day) / (knot.users - next.users)
    }
    return Self.endless
  }

  /// The share of days that a user plays, of 65536.
  func playedShare(of user: UInt32, habits: UInt64) -> UInt32 {
    user == 0 ? 65_536 : playedShares[Int(habits % 5)]
  }

  /// True when a user plays on a day after the first; `activity` is the day's, in permille.
  static func plays(share: UInt32, activity: UInt64, bits: UInt64) -> Bool {
    // The mean activity of a week is 1004 permille.
    (bits >> 48) * 1000 < UInt64(share) * activity
  }
}
