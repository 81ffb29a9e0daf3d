/// Assigns the events of a day to players in proportion to weights, without a list of the events.
///
/// Each player has the whole number of events below or above the exact proportion.
struct EventAssignment: Sendable {
  /// The sums of the weights up to each player.
  private let sums: [UInt64]
  private let events: UInt64
  private let order: SpreadOrder
  private let offset: UInt64

  init(weights: [UInt64], events: Int, bits: UInt64) {
    var sums = weights
    for index in sums.indices.dropFirst() { sums[index] += sums[index - 1] }
    self.sums = sums
    self.events = UInt64(events)
    order = SpreadOrder(count: events, bits: bits)
    offset = (sums.last ?? 0) > 0 ? SeededRandom.mix(bits) % (sums.last ?? 1) : 0
  }

  /// The index of the player with the n-th event in time.
  func player(ofEvent number: Int) -> Int {
    let position = UInt64(order.position(of: number))
    let product = position.multipliedFullWidth(by: sums[sums.count - 1])
    let (low, carry) = product.low.addingReportingOverflow(offset)
    let point = events.dividingFullWidth((product.high + (carry ? 1 : 0), low)).quotient
    // The first sum above the point.
    return sums.withUnsafeBufferPointer { sums in
      var start = 0
      var count = sums.count
      while count > 0 {
        let half = count / 2
        if sums[start + half] <= point {
          start += half + 1
          count -= half + 1
        } else {
          count = half
        }
      }
      return start
    }
  }
}

/// The events of one kind on a day, in the order of time.
struct DayEvents: Sendable {
  /// One event.
  struct Event: Sendable {
    /// Milliseconds since 1970-01-01 UTC.
    var time: Int64
    /// An index into the players of the day.
    var player: Int
    /// The random numbers of the event.
    var random: SeededRandom
  }

  private let seed: UInt64
  private let day: Int
  private let count: Int
  private let timeline: SampleTimeline
  private let assignment: EventAssignment
  private var number = 0

  /// The time of the next event; nil behind the last one.
  private(set) var nextTime: Int64?
  private var nextRandom: SeededRandom

  /// - Parameter weights: one for each player; their sum is positive if there are events.
  init(seed: UInt64, day: Int, days: SampleDays, count: Int, weights: [UInt64]) {
    self.seed = seed
    self.day = day
    self.count = count
    timeline = days.timeline(of: day, slots: count)
    assignment = EventAssignment(
      weights: weights, events: count,
      bits: SeededRandom.mix(seed, Salt.assignment, UInt64(day)))
    nextRandom = SeededRandom(seed: seed, salt: Salt.record, index: 0)
    prepare()
  }

  /// Takes the next event; call it only while `nextTime` is not nil.
  mutating func next() -> Event {
    let event = Event(
      time: nextTime ?? 0, player: assignment.player(ofEvent: number), random: nextRandom)
    number += 1
    prepare()
    return event
  }

  private mutating func prepare() {
    guard number < count else {
      nextTime = nil
      return
    }
    nextRandom = SeededRandom(
      seed: seed, salt: Salt.record, index: UInt64(day) << 32 | UInt64(number))
    nextTime = timeline.moment(inSlot: number, bits: nextRandom.next())
  }
}
