/// The event messages of the game, in the order of time.
///
/// Pushes are sent to many players, and some of them answer. A part of the receipts also arrives in
/// messages, all promotions among them. In a maintenance nobody buys: it takes the longest time
/// without a purchase of one day in seven.
struct EventSource: RecordSource {
  private let seed: UInt64
  private let days: SampleDays
  private let population: Population
  private let receiptPlan: StreamPlan
  private var receipts: Deliveries
  private var roster: Roster
  private var moments: DayEvents
  private var number = 0
  /// The receipts of the day that arrive in messages, by time.
  private var bought: ArraySlice<Receipt> = []
  private var maintenance: Range<Int64>?
  /// The last push messages that players received.
  private var received: [EventMoment] = []

  /// The number of received pushes that can still be answered.
  private static let remembered = 64
  /// A shorter time without a purchase is no maintenance, in milliseconds.
  private static let shortestMaintenance: Int64 = 10 * 60_000

  init(options: SampleOptions, activity: GameActivity) {
    seed = SampleStream.event.lineSeed(options.seed)
    days = options.days
    population = Population(options: options)
    receiptPlan = StreamPlan(stream: .receipt, options: options, activity: activity)
    receipts = Deliveries(
      seed: SampleStream.receipt.lineSeed(options.seed), plan: receiptPlan, days: options.days,
      source: PurchaseSource(options: options, purchaseWeights: activity.purchaseWeights))
    roster = Roster(options: options)
    moments = DayEvents(seed: 0, day: 0, days: days, count: 0, weights: [])
  }

  mutating func beginDay(_ day: Int, events: Int) {
    roster.advance()
    let range = days.range(of: day)
    let ofDay = (0..<receiptPlan.records[day]).compactMap { _ in receipts.next().receipt }
      .filter { range.contains($0.purchaseTime) }
      .sorted { ($0.purchaseTime, $0.paymentSeq) < ($1.purchaseTime, $1.paymentSeq) }
    bought = ofDay.filter { $0.isPromotion == true || $0.paymentSeq % 4 == 0 }[...]
    maintenance = day % 7 == 2 ? Self.longestGap(in: ofDay.map(\.purchaseTime), of: range) : nil
    moments = DayEvents(
      seed: seed, day: day, days: days, count: events, weights: roster.active.map(\.snapshotWeight))
    number = 0
  }

  private static func longestGap(in times: [Int64], of day: Range<Int64>) -> Range<Int64>? {
    let ends = [day.lowerBound] + times + [day.upperBound]
    let gaps = zip(ends, ends.dropFirst()).map { $0 + 1..<max($0 + 1, $1) }
    return gaps.max { $0.count < $1.count }.flatMap { $0.count < shortestMaintenance ? nil : $0 }
  }

  mutating func next() -> SampleRecord {
    var event = moments.next()
    number += 1
    let player = roster.active[event.player]
    let traits = population.traits(of: player.user, app: player.app)
    var random = event.random
    var moment = EventMoment(
      user: player.user, anyUser: player.user, app: traits.app, time: event.time,
      number: random.chance(3, in: 4) ? random.next() : nil, kind: .loggedOut,
      shape: traits.isOnIOS ? .constant : random.chance(1, in: 4) ? .object : .string)
    if random.chance(7, in: 10) { moment.text = random.below(EventWriter.textCount) }
    defer { event.random = random }
    if maintenance?.contains(event.time) ?? false {
      moment.kind = .launching(code: 303)
      // Most clients learn the status before the login.
      if random.chance(3, in: 4) { moment.user = nil }
    } else if number % 10 == 0, let receipt = bought.first, receipt.purchaseTime <= event.time {
      bought.removeFirst()
      moment.kind = .purchase(receipt)
      (moment.user, moment.anyUser, moment.app) = (receipt.user, receipt.user, receipt.app)
    } else {
      draw(&moment, &random)
    }
    return .event(moment)
  }

  mutating func number(_ record: inout SampleRecord) {}

  private mutating func draw(_ moment: inout EventMoment, _ random: inout SeededRandom) {
    switch random.below(UInt64(100)) {
    case ..<40:
      moment.kind = .pushReceived
      // Two campaigns a day.
      moment.campaign = days.dateDigits(of: roster.day) * 10 + random.next() % 2
      moment.isForeground = random.chance(1, in: 2) ? random.chance(1, in: 3) : nil
      if received.count == Self.remembered { received.removeFirst() }
      received.append(moment)
    case ..<62: answer(&moment, with: .pushClicked, &random)
    case ..<70: answer(&moment, with: .pushAction(random.below(4)), &random)
    case ..<84: moment.kind = .launching(code: random.chance(1, in: 12) ? 201 : 200)
    case ..<88: moment.kind = .network(code: random.below(3))
    case ..<91: moment.kind = .heartbeat
    case ..<97: moment.kind = .loggedOut
    case ..<98: moment.kind = .idpRevoked
    case ..<99: moment.kind = .kickout
    default: moment.kind = .kickoutReceived
    }
  }

  /// Makes the message an answer to a push message that some player has received.
  private mutating func answer(
    _ moment: inout EventMoment, with kind: EventMoment.Kind, _ random: inout SeededRandom
  ) {
    guard !received.isEmpty else {
      moment.kind = .launching(code: 200)
      return
    }
    let push = received.remove(at: random.below(received.count))
    (moment.user, moment.anyUser, moment.app) = (push.user, push.anyUser, push.app)
    (moment.campaign, moment.text) = (push.campaign, push.text)
    moment.kind = kind
  }
}

extension Deliveries.Delivery {
  fileprivate var receipt: Receipt? {
    guard case .receipt(let receipt) = record else { return nil }
    return receipt
  }
}
