/// The records of one stream in the order in which they arrive as lines.
///
/// Records arrive a little out of order, and some of them 1 to 5 days late. Memory holds one block
/// of a day and the late records.
struct Deliveries: Sendable {
  /// A record, and whether it arrives with the lines of a later day.
  struct Delivery: Sendable {
    var record: SampleRecord
    var isLate: Bool
  }

  private let seed: UInt64
  private let plan: StreamPlan
  private let days: SampleDays
  private var source: any RecordSource

  private var day = -1
  /// The records that have arrived on the day.
  private var arrived = 0
  /// The late records that arrive on the day, and how many of them have.
  private var latecomers: [SampleRecord] = []
  private var latecomersArrived = 0
  /// The late records by the day of their arrival.
  private var late: [Int: [SampleRecord]] = [:]

  private var order: ArrivalOrder
  private var lateOrder = SpreadOrder(count: 1, bits: 0)
  private var lateCount = 0
  private var block: [SampleRecord] = []
  /// The day's events that have been put into blocks, and those that have left them.
  private var blockEnd = 0
  private var taken = 0
  /// The late records of the day so far.
  private var sentLate = 0

  init(seed: UInt64, plan: StreamPlan, days: SampleDays, source: any RecordSource) {
    self.seed = seed
    self.plan = plan
    self.days = days
    self.source = source
    order = ArrivalOrder(seed: seed, day: 0, count: 0, slotLength: 1)
    block.reserveCapacity(ArrivalOrder.blockLength)
  }

  /// The next record to arrive; call it as often as the plan has records.
  mutating func next() -> Delivery {
    while day < 0 || arrived == plan.records[day] { beginNextDay() }
    // Latecomers come between the others at equal distances.
    let records = plan.records[day]
    let isLatecomer =
      (arrived + 1) * latecomers.count / records > arrived * latecomers.count / records
    arrived += 1
    if isLatecomer {
      latecomersArrived += 1
      return Delivery(record: latecomers[latecomersArrived - 1], isLate: true)
    }
    while true {
      if let record = takeEvent() { return Delivery(record: record, isLate: false) }
    }
  }

  private mutating func beginNextDay() {
    // The last events of a day may all be late.
    while day >= 0, taken < plan.late.events[day] { _ = takeEvent() }
    day += 1
    let events = plan.late.events[day]
    source.beginDay(day, events: events)
    arrived = 0
    latecomers = late.removeValue(forKey: day) ?? []
    latecomersArrived = 0
    order = ArrivalOrder(
      seed: seed, day: day, count: events,
      slotLength: days.timeline(of: day, slots: events).meanSlotLength)
    lateCount = plan.late.leaving[day].reduce(0, +)
    lateOrder = SpreadOrder(
      count: events, bits: SeededRandom.mix(seed, Salt.late, UInt64(day)))
    block.removeAll(keepingCapacity: true)
    blockEnd = 0
    taken = 0
    sentLate = 0
  }

  /// Takes the next event of the day in the order of arrival; nil if it arrives on a later day.
  private mutating func takeEvent() -> SampleRecord? {
    if taken == blockEnd { fillBlock() }
    let slot = order.slot(ofLine: taken)
    var record = block[slot % ArrivalOrder.blockLength]
    taken += 1
    source.number(&record)
    guard lateOrder.position(of: slot) < lateCount else { return record }
    late[day + delay(ofLate: sentLate), default: []].append(record)
    sentLate += 1
    return nil
  }

  private mutating func fillBlock() {
    block.removeAll(keepingCapacity: true)
    let count = min(ArrivalOrder.blockLength, plan.late.events[day] - blockEnd)
    for _ in 0..<count { block.append(source.next()) }
    blockEnd += count
  }

  /// The delay in days of the day's n-th late record.
  private func delay(ofLate number: Int) -> Int {
    var rest = number
    for (index, count) in plan.late.leaving[day].enumerated() {
      if rest < count { return index + 1 }
      rest -= count
    }
    return LateSchedule.longestDelay
  }
}
