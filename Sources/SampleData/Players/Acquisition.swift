/// The days on which users come to each application: a peak at its launch, then a steady stream
/// with busier weekends.
///
/// Users are numbered in the order in which they come, so that a day's newcomers are a range. User
/// 0 comes on the first day.
struct Acquisition: Sendable {
  private let appCount: Int
  /// The first user of each day and application, and behind them the number of users.
  private let firstUsers: [UInt32]

  init(users: Int, appCount: Int, days: SampleDays, seed: UInt64) {
    self.appCount = appCount
    var weights: [UInt64] = []
    weights.reserveCapacity(days.count * appCount)
    for day in 0..<days.count {
      for app in 0..<appCount {
        weights.append(
          Self.weight(
            app: app, of: appCount, age: day - Self.launch(of: app, of: appCount, days: days.count),
            weekday: days.activity(on: day),
            noise: SeededRandom.mix(seed, Salt.acquisition, UInt64(day * appCount + app))))
      }
    }
    var counts = Apportionment.shares(of: users - 1, by: weights)
    counts[0] += 1
    firstUsers = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + UInt32($1)) }
  }

  /// The users who play an application for the first time on a day.
  func newcomers(on day: Int, app: Int) -> Range<UInt32> {
    let index = day * appCount + app
    return firstUsers[index]..<firstUsers[index + 1]
  }

  /// The day on which an application opens; the first one opens on day 0.
  static func launch(of app: Int, of appCount: Int, days: Int) -> Int {
    app * days / (3 * appCount)
  }

  /// How many users come on a day, in no unit; each application has half as many as the one before.
  private static func weight(
    app: Int, of appCount: Int, age: Int, weekday: UInt64, noise: UInt64
  ) -> UInt64 {
    guard age >= 0 else { return 0 }
    let distance = UInt64(age + 7)
    // On the day of the launch nine times, after a week three times the steady stream.
    let daily = 1000 + 8000 * 49 / (distance * distance)
    let noisePercent = 90 + noise % 21
    return (1 << UInt64(appCount - 1 - app)) * daily * weekday * noisePercent
  }
}
