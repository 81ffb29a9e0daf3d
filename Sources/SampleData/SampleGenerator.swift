internal import RecordPipeline

let dayMilliseconds: Int64 = 86_400_000

/// Writes the history of a game, as one walk over its days.
///
/// On each day some players visit the game; a visit brings records of all streams. Memory holds the
/// lines of a day and the players who may come back.
package final class SampleGenerator {
  /// Event messages of some visits: the category, in how many of 1000 visits it comes, and the data.
  private static let occasions = [
    ("observerLaunching", 140, #"{"code":200,"message":"Welcome"}"#),
    ("observerNetwork", 40, #"{"code":1,"message":"Wi-Fi"}"#),
    // An error as JSON in a string, within the string of the data.
    ("observerHeartbeat", 20, #"{"code":7,"extras":"{\"message\":\"banned\"}"}"#),
    ("loggedOut", 60, #"{"message":"Welcome back","extras":"{}"}"#),
    ("idPRevoked", 15, #"{"code":601,"idPType":"appleid","authMappingList":["guest"]}"#),
    ("serverPushAppKickoutMessageReceived", 5, kickout), ("serverPushAppKickout", 4, kickout),
    ("serverPushTransferKickout", 4, kickout),
  ]

  private static let kickout = #"{"popup":{"messages":{"en":{"title":"Kicked"}}}}"#

  private let options: SampleOptions
  private let lanes: [SampleStream: Lane]
  /// The players who may come back, in the order of their numbers.
  private var players: [Player] = []
  /// The number of players who have come so far.
  private var arrivals = 0
  /// The day, counted from the first one; -1 before it.
  private var day = -1
  /// The vendor's number of the newest payment: the date and eight digits.
  private var paymentSeq = 0
  /// The time within the visit that is written, and the random numbers of the visit.
  private var (time, random) = (Int64(0), SeededRandom(0, player: 0))

  /// - Precondition: `options.problem` is nil; check it first for options from users.
  package init(_ options: SampleOptions) {
    precondition(options.problem == nil, options.problem ?? "")
    self.options = options
    lanes = Dictionary(uniqueKeysWithValues: options.streams.map { ($0, Lane($0, options)) })
  }

  /// The lines of a stream that are written so far, those that a loader refuses, and the bytes.
  package func counts(of stream: SampleStream) -> (lines: Int, bad: Int, bytes: Int) {
    lanes[stream]?.counts ?? (0, 0, 0)
  }

  /// Walks over the next day; returns its lines.
  package func nextDay() -> [SampleStream: [UInt8]] {
    day += 1
    paymentSeq = (Int(calendarDay(midnight).filter { $0 != "-" }) ?? 0) * 100_000_000 + 10_000_000
    players.removeAll { $0.lastDay < day && $0.subscription?.nextPayment == nil }
    while arrivals < options.users, Player.firstDay(arrivals, options) == day {
      players.append(Player(arrivals, options))
      arrivals += 1
    }
    for (start, index) in visits() {
      let player = players[index]
      time = start
      random = SeededRandom(options.seed, player: player.number, part: Int(time))
      if time == player.subscription?.nextPayment { renew(player) } else { visit(of: player) }
    }
    return lanes.mapValues { $0.endDay(daysLeft: options.days - 1 - day) }
  }

  /// The day, counted from 1970-01-01, and its first millisecond.
  private var date: Int { options.firstDay + day }
  private var midnight: Int64 { Int64(date) * dayMilliseconds }

  /// The visits of the day and the payments of subscriptions, in the order of time, each with the
  /// index of its player.
  private func visits() -> [(time: Int64, index: Int)] {
    // 1970-01-01 was a Thursday; on weekends, people play more.
    let isWeekend = (date + 3) % 7 >= 5
    var visits: [(time: Int64, index: Int)] = []
    for (index, player) in players.enumerated() {
      if let time = player.subscription?.nextPayment, time < midnight + dayMilliseconds {
        visits.append((time, index))
      }
      guard player.lastDay >= day else { continue }
      var random = SeededRandom(options.seed, player: player.number, part: day)
      let plays = random.below(isWeekend ? 90 : 100) < player.habit || player.firstDay == day
      // Most come in the evening of Korea. A visit ends before midnight.
      let time = (random.below(82_800_000) + random.below(82_800_000)) / 2
      if plays { visits.append((midnight + Int64(time), index)) }
    }
    return visits.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
  }

  /// A visit of at most 45 minutes: messages, level-ups, a look at the shop, purchases, a snapshot.
  private func visit(of player: Player) {
    receiveMessages(player)
    // New players climb fast.
    let age = day - player.firstDay
    let most = player.tempo * (age == 0 ? 8 : age < 7 ? 4 : age < 30 ? 3 : 2) / 2
    for _ in 0..<random.below(most + 1) {
      wait()
      player.levelUps += 1
      add(.levelUp, writer(player).state("levelUpTime"))
    }
    if random.chance(25) {
      let first = random.below(Shop.products.count)
      for product in (first...first + random.below(3)).map({ $0 % Shop.products.count }) {
        let price = price(of: product, in: player.currency)
        // Each month another product is not sold.
        let isSold = (product + date / 30) % 10 > 0
        add(.item, writer(player).item(product, price, isSold: isSold))
      }
    }
    for _ in 0..<random.below([1, 3, 7, 12][player.spending]) {
      wait()
      buy(player)
    }
    wait()
    if random.chance(95) { add(.gameUser, writer(player).state("eventTime")) }
  }

  private func wait() { time += 1 + Int64(random.below(40_000)) }

  /// Event messages: a push of one of two campaigns a day, which some players open or answer, and
  /// occasions.
  private func receiveMessages(_ player: Player) {
    let (writer, later) = (writer(player), LineWriter(player: player, time: time + 1))
    if random.chance(35) {
      let campaign = random.below(2)
      let (id, title) = ("push-\(date * 2 + campaign)", ["Sale 50 %", "새 시즌"][campaign])
      let push = #"{"id":"\#(id)","title":"\#(title)","extras":"{\"link\":\"game:\/\/sale\"}"}"#
      addEvent("pushReceivedMessage", push, writer)
      if random.chance(30) {
        addEvent("pushClickMessage", push, later)
      } else if random.chance(15) {
        let answer = #"{"actionType":"REPLY","userText":"\"GG\"","message":{"id":"\#(id)"}}"#
        addEvent("pushClickAction", answer, later)
      }
    }
    for (category, share, data) in Self.occasions where random.below(1000) < share {
      addEvent(category, data, writer)
    }
  }

  // MARK: - Purchases

  private func buy(_ player: Player) {
    // A new subscription begins after the grace period of the one before.
    let mayResubscribe = player.subscription.map {
      $0.nextPayment == nil && time > $0.end + 17 * dayMilliseconds
    }
    if ["AS", "GG"].contains(player.store), mayResubscribe ?? true, random.chance(8) {
      player.subscription = Subscription(mayTry: mayResubscribe == nil, &random)
      return renew(player)
    }
    let product = 2 * (player.spending - 1) + random.below(6)
    // A few purchases are made abroad, in dollars.
    let price = price(of: product, in: random.chance(2) ? Shop.dollar : player.currency)
    var purchase = Purchase(product: product, price: price, bits: random.next())
    purchase.isPromotion = !player.isTester && !player.hasOldSDK && random.chance(1)
    sell(purchase, to: player)
  }

  private func renew(_ player: Player) {
    player.subscription?.pay(at: time, &random)
    guard let paid = player.subscription else { return }
    var price = price(of: paid.product, in: player.currency)
    if paid.isTrial { price.amount = 0 }
    let purchase = Purchase(
      product: paid.product, price: price, bits: paid.bits, subscription: paid)
    sell(purchase, to: player)
  }

  private func price(of product: Int, in currency: Int) -> Price {
    Price(of: product, in: currency, isDearer: 2 * day >= options.days)
  }

  /// A receipt, which in some cases also arrives in a message, as all promotions do.
  private func sell(_ purchase: Purchase, to player: Player) {
    paymentSeq += 1
    let writer = writer(player)
    let receipt = writer.receipt(purchase, paymentSeq: paymentSeq)
    add(.receipt, receipt)
    if purchase.isPromotion || random.chance(25) { addEvent("purchaseUpdated", receipt, writer) }
  }

  // MARK: - Lines

  private func writer(_ player: Player) -> LineWriter { LineWriter(player: player, time: time) }

  private func addEvent(_ category: String, _ data: String, _ writer: LineWriter) {
    let id = random.chance(75) ? random.code() : nil
    add(.event, writer.event(category, data, id: id))
  }

  /// Adds a line; `line` is evaluated only for a stream that is written.
  private func add(_ stream: SampleStream, _ line: @autoclosure () -> String) {
    let fate = SeededRandom(random.next(), player: 0)
    lanes[stream]?.add(line(), fate)
  }
}
