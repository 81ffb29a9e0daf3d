/// How far users come, where they stop, and how long it takes them.
struct LevelSection {
  struct Band {
    let levels: String
    let reached: String
    let share: String
    /// The width of the bar, from 0 to 100.
    let width: String
    let stopped: String
    let sinceFirst: String
    let sincePrevious: String
  }

  let bands: [Band]
  /// What a row of several levels tells; nil when each row is one level.
  let note: String?

  private static let largestBandCount = 24

  init(_ levels: [LevelFigures]) {
    let size = max(1, (levels.count + Self.largestBandCount - 1) / Self.largestBandCount)
    let most = Double(max(levels.map(\.reachedUserCount).max() ?? 0, 1))
    bands = stride(from: 0, to: levels.count, by: size).compactMap { start in
      let band = levels[start..<min(start + size, levels.count)]
      guard let first = band.first, let last = band.last else { return nil }
      let share = Double(first.reachedUserCount) / most
      return Band(
        levels: band.count > 1 ? "\(first.userLevel) to \(last.userLevel)" : "\(first.userLevel)",
        reached: Numbers.count(first.reachedUserCount), share: Numbers.percent(share, digits: 0),
        width: Numbers.place(share * 100),
        stopped: Numbers.count(band.reduce(0) { $0 + $1.stoppedUserCount }),
        sinceFirst: Numbers.duration(minutes: first.minutesSinceFirst),
        sincePrevious: Numbers.duration(minutes: first.minutesSincePrevious))
    }
    note =
      size > 1
      ? "A row has \(size) levels: users who reached the first of them, and who stopped in any of them. "
        + "The times are those of the first."
      : nil
  }
}
