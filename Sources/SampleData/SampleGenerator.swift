/// The lines that a generator has written of a stream.
package struct SampleCounts: Sendable, Equatable {
  package internal(set) var lines = 0
  /// Lines that come a second time.
  package internal(set) var repeats = 0
  /// Lines that a loader refuses.
  package internal(set) var bad = 0
  /// Lines that come 1 to 5 days after their record.
  package internal(set) var late = 0
  /// Lines that supply a value which an earlier line lacks, or contradict that line.
  package internal(set) var corrections = 0
}

/// Writes the history of a game, as one walk over its days.
///
/// On each day some players visit the game; a visit brings records of all streams. Memory grows with
/// the number of players who may come back, not with the number of days or lines.
package struct SampleGenerator: Sendable {
  /// A stream: the counts of all its lines, and the lines that are not written yet, by their day modulo
  /// `reach`.
  private struct Lane {
    var counts = SampleCounts()
    var lines: [[UInt8]] = Array(repeating: [], count: SampleGenerator.reach)
  }

  /// The days from a record to the last day on which its line may come, and one more.
  private static let reach = 6
  /// The share of each hour of the UTC day, of 240 in all.
  ///
  /// The audience is Korean: quiet at 4 in the morning (19 UTC), busy at 21 (12 UTC).
  private static let hourShares = [
    7, 7, 8, 9, 10, 10, 9, 9, 10, 12, 14, 16, 18, 18, 16, 13, 10, 8, 6, 5, 5, 6, 7, 7,
  ]
  /// The weight of each price tier for a class of payers.
  private static let tiers = [
    [100], [30, 22, 16, 12, 9, 5, 3, 2, 1, 0], [10, 12, 14, 16, 18, 12, 8, 6, 3, 1],
    [1, 2, 3, 6, 12, 14, 16, 18, 16, 12],
  ]
  /// A player of a class buys less often than so many times in a visit.
  private static let purchaseBounds = [1, 3, 8, 40]

  private let options: SampleOptions
  private let isWritten: [Bool]
  private let writer: LineWriter
  private let faults: [[Fault]]
  private var lanes: [Lane]
  /// The players who may come back, in the order of their numbers, and the next one to come.
  private var players: [Player] = []
  private var newcomer: Player?
  /// The day, counted from the first one; -1 before it.
  private var day = -1
  private var paymentSeq: UInt64 = 0

  /// - Precondition: `options.problem` is nil; check it first for options from users.
  package init(_ options: SampleOptions) {
    precondition(options.problem == nil, options.problem ?? "")
    self.options = options
    isWritten = SampleStream.allCases.map(options.streams.contains)
    writer = LineWriter(options)
    faults = SampleStream.allCases.map(Fault.all)
    lanes = SampleStream.allCases.map { _ in Lane() }
    newcomer = Player(0, options: options)
  }

  /// The lines of a stream so far.
  package func counts(of stream: SampleStream) -> SampleCounts { lanes[stream.number].counts }

  /// Walks over the next day, and gives `write` its lines in chunks of whole ones.
  package mutating func nextDay(_ write: (SampleStream, [UInt8]) throws -> Void) rethrows {
    day += 1
    // The vendor numbers the payments of a day.
    paymentSeq = CivilDate(day: date).digits * 100_000_000 + 10_000_000
    for visit in visits() {
      let index = visit >> 1 & 0x7FFF_FFFF
      let time = Int64(date) * dayMilliseconds + Int64(visit >> 32)
      var player = players[index]
      let isPayment = visit & 1
      // Days from 0 on say who visits the game.
      var random = SeededRandom(
        options.seed, .visit, player.number, part: ~(day << 1 | isPayment))
      if isPayment == 1 {
        pay(&player, at: time, &random)
      } else {
        play(&player, from: time, &random)
      }
      players[index] = player
      try flush(above: 1 << 20, write)
    }
    try flush(above: 0, write)
  }

  private mutating func flush(
    above size: Int, _ write: (SampleStream, [UInt8]) throws -> Void
  ) rethrows {
    let place = day % Self.reach
    for stream in options.streams where lanes[stream.number].lines[place].count > size {
      try write(stream, lanes[stream.number].lines[place])
      lanes[stream.number].lines[place].removeAll(keepingCapacity: true)
    }
  }

  /// The day, counted from 1970-01-01.
  private var date: Int { options.firstDay + day }

  /// The visits of the day in the order of time: the millisecond of the day, the index of the player
  /// (31 bits), and 1 for a payment of a subscription.
  private mutating func visits() -> [Int] {
    players.removeAll { $0.lastDay < day && $0.subscription == nil }
    while let player = newcomer, player.firstDay == day {
      players.append(player)
      newcomer =
        player.number + 1 < options.users ? Player(player.number + 1, options: options) : nil
    }
    // 1970-01-01 was a Thursday; on weekends, people play more.
    let isWeekend = (date + 3) % 7 >= 5
    let midnight = Int64(date) * dayMilliseconds
    var visits: [Int] = []
    for index in players.indices {
      if let payment = players[index].subscription?.nextPayment,
        payment < midnight + dayMilliseconds
      {
        visits.append(Int(payment - midnight) << 32 | index << 1 | 1)
      }
      guard players[index].lastDay >= day else { continue }
      var random = SeededRandom(options.seed, .visit, players[index].number, part: day)
      let isIn = random.below(isWeekend ? 90 : 100) < players[index].habit
      guard isIn || players[index].firstDay == day else { continue }
      let hour = random.index(Self.hourShares)
      // A visit ends before midnight.
      let time = hour * 3_600_000 + random.below(hour == 23 ? 900_000 : 3_600_000)
      visits.append(time << 32 | index << 1)
    }
    return visits.sorted()
  }

  // MARK: - Records

  /// A visit of a player, of at most 45 minutes.
  private mutating func play(
    _ player: inout Player, from start: Int64, _ random: inout SeededRandom
  ) {
    var time = start
    if day % 7 == 2, (1140..<1185).contains(time / 60_000 % 1440) {
      // A maintenance before dawn; most clients learn of it before the login.
      var message = Message(Message.maintenance, &random)
      message.hasUser = random.chance(25)
      return add(.message(message), of: player, at: time, &random)
    }
    if random.chance(35) { push(to: player, at: time, &random) }
    for (kind, share) in Message.occasions where random.below(1000) < share {
      add(.message(Message(kind, &random)), of: player, at: time, &random)
    }
    look(at: player, percent: 55, &time, &random)
    // New players climb fast.
    let age = day - player.firstDay
    let most = player.tempo * (age == 0 ? 8 : age < 7 ? 4 : age < 30 ? 3 : 2) / 2
    for _ in 0..<random.below(most + 1) {
      time += 1 + Int64(random.below(40_000))
      add(.levelUp(player.levelUp(seed: options.seed)), of: player, at: time, &random)
    }
    if random.chance(25) {
      let first = random.below(writer.shop.products.count)
      for item in first...first + random.below(3) {
        add(.item(item % writer.shop.products.count), of: player, at: time, &random)
      }
    }
    for _ in 0..<random.below(Self.purchaseBounds[player.payerClass]) {
      time += 1 + Int64(random.below(40_000))
      buy(&player, at: time, &random)
    }
    look(at: player, percent: 40, &time, &random)
  }

  /// A push, which some players open or answer.
  private mutating func push(to player: Player, at time: Int64, _ random: inout SeededRandom) {
    var message = Message(Message.received, &random)
    // Two campaigns a day.
    message.campaign = UInt64(date) * 2 + random.next() % 2
    add(.message(message), of: player, at: time, &random)
    guard random.chance(40) else { return }
    var answer = Message(random.chance(75) ? Message.clicked : Message.answered, &random)
    (answer.campaign, answer.text) = (message.campaign, message.text)
    add(.message(answer), of: player, at: time + 1, &random)
  }

  /// A snapshot of one of the characters, in some cases.
  private mutating func look(
    at player: Player, percent: Int, _ time: inout Int64, _ random: inout SeededRandom
  ) {
    guard random.chance(percent) else { return }
    time += 1 + Int64(random.below(40_000))
    let slot = random.below(max(1, player.characterSlots))
    add(.snapshot(player.state(slot: slot, seed: options.seed)), of: player, at: time, &random)
  }

  private mutating func buy(_ player: inout Player, at time: Int64, _ random: inout SeededRandom) {
    let shop = writer.shop
    if player.store == .appStore || player.store == .google, player.subscription == nil,
      time >= player.freeFrom ?? 0, random.chance(8)
    {
      player.subscription = Subscription(mayTry: player.freeFrom == nil, from: shop, &random)
      return pay(&player, at: time, &random)
    }
    let products = shop.consumables[random.index(Self.tiers[player.payerClass])]
    let product = products[random.below(products.count)]
    let tier = shop.tier(of: product, date: date)
    paymentSeq += 1
    let purchase = Purchase(
      paymentSeq: paymentSeq, traits: random.next(), product: product, tier: tier,
      // A few purchases are made abroad, in dollars.
      currency: random.chance(2) ? Shop.dollar : shop.currency(of: player, tier: tier))
    sell(purchase, to: player, at: time, &random)
  }

  /// A payment of the player's subscription.
  private mutating func pay(_ player: inout Player, at time: Int64, _ random: inout SeededRandom) {
    guard var subscription = player.subscription else { return }
    paymentSeq += 1
    let purchase = subscription.pay(
      paymentSeq, of: player, at: time, shop: writer.shop, &random)
    player.subscription = subscription.nextPayment == nil ? nil : subscription
    player.freeFrom = subscription.end + 17 * dayMilliseconds
    sell(purchase, to: player, at: time, &random)
  }

  /// A receipt, which in some cases also arrives in a message, as all promotions do.
  private mutating func sell(
    _ purchase: Purchase, to player: Player, at time: Int64, _ random: inout SeededRandom
  ) {
    let record = SampleRecord(of: player, at: time, .purchase(purchase), &random)
    add(record, &random)
    guard purchase.isPromotion || random.chance(25) else { return }
    var message = Message(Message.purchased, &random)
    message.receipt = [record]
    add(.message(message), of: player, at: time, &random)
  }

  // MARK: - Lines

  private mutating func add(
    _ content: SampleRecord.Content, of player: Player, at time: Int64,
    _ random: inout SeededRandom
  ) {
    add(SampleRecord(of: player, at: time, content, &random), &random)
  }

  /// Writes a record; some lines are bad, late, repeated or corrected.
  private mutating func add(_ record: SampleRecord, _ random: inout SeededRandom) {
    var fate = random.split()
    let lane = record.stream.number
    guard isWritten[lane] else { return }
    if fate.fraction() <= options.badShare {
      lanes[lane].counts.bad += 1
      // Faults are edits of the spellings of client SDKs.
      var bad = record
      if bad.dialect == .server { bad.dialect = .android }
      return put(bad, in: lane, with: faults[lane][fate.below(faults[lane].count)])
    }
    let chance = fate.fraction() - options.lateShare
    let delay = 1 + fate.below(Self.reach - 1)
    if chance <= 0, day + delay < options.days {
      lanes[lane].counts.late += 1
      return put(record, in: lane, after: delay)
    }
    put(record, in: lane)
    let isLastDay = day + 1 == options.days
    if chance > 0, chance <= options.repeatShare {
      lanes[lane].counts.repeats += 1
      put(record.repeated(&fate), in: lane, after: isLastDay ? 0 : fate.below(2))
    } else if 1 - chance - options.lateShare < options.badShare / 2, !isLastDay,
      let corrected = record.corrected
    {
      lanes[lane].counts.corrections += 1
      put(corrected, in: lane, after: 1)
    }
  }

  private mutating func put(
    _ record: SampleRecord, in lane: Int, after days: Int = 0, with fault: Fault? = nil
  ) {
    lanes[lane].counts.lines += 1
    let place = (day + days) % Self.reach
    let start = lanes[lane].lines[place].count
    writer.put(record, into: &lanes[lane].lines[place])
    fault?.inject(into: &lanes[lane].lines[place], from: start)
    lanes[lane].lines[place].append(UInt8(ascii: "\n"))
  }
}
