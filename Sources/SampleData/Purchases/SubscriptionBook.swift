/// The running subscriptions, by the day of their next payment.
///
/// A user has one subscription at most, so memory is bounded by the number of users.
struct SubscriptionBook: Sendable {
  private let days: SampleDays
  private var chainsByDay: [Int: [SubscriptionChain]] = [:]
  private var subscribers: Set<UInt32> = []

  init(days: SampleDays) {
    self.days = days
  }

  /// True for a user who has or had a subscription.
  func contains(_ user: UInt32) -> Bool { subscribers.contains(user) }

  /// Notes a subscription whose next payment is due; a payment behind the span is never made.
  mutating func add(_ chain: SubscriptionChain) {
    subscribers.insert(chain.user)
    if chain.nextPayment < days.end {
      chainsByDay[days.index(of: chain.nextPayment), default: []].append(chain)
    }
  }

  /// Notes a user whose subscription has ended with its first payment.
  mutating func close(_ user: UInt32) { subscribers.insert(user) }

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
