/// The running subscriptions, by the day of their next payment.
///
/// A user has one subscription at a time, so memory is bounded by the number of users.
struct SubscriptionBook: Sendable {
  /// A new subscription begins at the earliest this many milliseconds after the end of one.
  private static let pause: Int64 = 17 * SampleTimeline.dayMilliseconds

  private let days: SampleDays
  private var chainsByDay: [Int: [SubscriptionChain]] = [:]
  /// The time from which each user with a subscription may begin another one.
  private var freeFrom: [UInt32: Int64] = [:]

  init(days: SampleDays) {
    self.days = days
  }

  /// True for a user who has had a subscription.
  func contains(_ user: UInt32) -> Bool { freeFrom[user] != nil }

  /// True for a user who may begin a subscription.
  func isFree(_ user: UInt32, at time: Int64) -> Bool { time >= freeFrom[user] ?? .min }

  /// Notes a subscription after a payment; a next payment behind the span is never made.
  mutating func note(_ chain: SubscriptionChain, continues: Bool) {
    freeFrom[chain.user] = continues ? .max : chain.end + Self.pause
    if continues, chain.nextPayment < days.end {
      chainsByDay[days.index(of: chain.nextPayment), default: []].append(chain)
    }
  }

  /// Takes the subscriptions with a payment on a day, in the order of time.
  ///
  /// If there are more than `limit`, the others end.
  mutating func takeDue(on day: Int, limit: Int) -> [SubscriptionChain] {
    let due = chainsByDay.removeValue(forKey: day) ?? []
    return due.prefix(limit).sorted {
      ($0.nextPayment, $0.user) < ($1.nextPayment, $1.user)
    }
  }
}
