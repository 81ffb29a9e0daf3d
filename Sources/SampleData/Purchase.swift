/// The values of a receipt.
struct Purchase: Sendable {
  let paymentSeq: UInt64
  /// The random bits of the token and the payload.
  let bits: UInt64
  /// False for a line of an SDK before 2.45.0, which prints no store.
  var hasStoreCode: Bool
  var product = 0
  var hasProductID = true
  /// An index into the price tiers; nil for a free trial.
  var tier: Int?
  var currency = 0
  /// Milliseconds since 1970-01-01 UTC; 0 for a purchase without expiry.
  var expiry: Int64 = 0
  /// The random bits of the store's number of the payment.
  var payment: UInt64 = 0
  var namesPayment = true
  /// True for a line that names the first payment of its subscription.
  var namesOriginal = false
  /// The number of this payment among those of its subscription, from 0; nil for other products.
  var renewal: UInt64?
  var isSandbox = false
  var isPromotion = false

  /// A receipt with what every purchase has.
  init(paymentSeq: UInt64, _ random: inout SeededRandom) {
    self.paymentSeq = paymentSeq
    bits = random.next()
    hasStoreCode = random.chance(75)
  }
}

/// A player's subscription: a first payment, and the renewals that follow it.
///
/// Most trials and a part of the periods are not renewed. A few players come back more than 16 days
/// after the end.
struct Subscription: Sendable {
  let player: Player
  /// The time of the next payment; milliseconds since 1970-01-01 UTC.
  private(set) var nextPayment: Int64
  /// The end of the paid periods so far.
  private(set) var end: Int64 = 0
  /// True when no payment follows.
  private(set) var hasEnded = false

  private let product: Int
  private let isSandbox: Bool
  /// Receipts name their own payment, the first one, both, or none.
  ///
  /// Without names, only user, product and store link them. Google's numbers count the renewals.
  private let namesPayment: Bool
  private let namesOriginal: Bool
  /// The random bits of the first payment's number, and the number of the next payment, from 0.
  private var payment: UInt64
  private var renewal: UInt64 = 0
  /// True when the next payment begins a free trial.
  private var isTrial: Bool

  /// Starts a subscription; `mayTry` is true for a player's first one.
  init(
    of player: Player, at time: Int64, mayTry: Bool, from shop: Shop, _ random: inout SeededRandom
  ) {
    self.player = player
    nextPayment = time
    product = shop.subscriptions[random.below(shop.subscriptions.count)]
    isTrial = mayTry && shop.products[product].trialDays > 0 && random.chance(50)
    isSandbox = random.chance(3)
    payment = random.next()
    let links = random.below(100)
    namesPayment = links >= 40 || (links >= 12 && player.store == .google)
    namesOriginal = links >= 40 || (links >= 12 && player.store != .google)
  }

  /// Makes the next payment: fills in its receipt, and decides about the one after it.
  mutating func pay(_ purchase: inout Purchase, shop: Shop) {
    let product = shop.products[product]
    end = max(end, nextPayment)
    end += (isTrial ? product.trialDays : product.periodDays) * DayWalk.dayMilliseconds
    purchase.product = self.product
    purchase.tier = isTrial ? nil : product.tier
    purchase.currency = shop.currency(of: player, tier: product.tier)
    purchase.expiry = end
    purchase.hasStoreCode = payment % 4 > 0
    purchase.payment = payment
    purchase.renewal = renewal
    purchase.namesPayment = namesPayment
    purchase.namesOriginal = namesOriginal
    purchase.isSandbox = isSandbox
    renewal += 1

    var random = SeededRandom(payment, .subscription, Int(renewal))
    if random.chance(isTrial ? 46 : product.periodDays > 300 ? 55 : 87) {
      // Stores often charge in the hours before the end, and try again for days when a card is
      // refused.
      let delays = [-60 - random.below(7200), 0, random.below(86_400), random.below(15 * 86_400)]
      nextPayment = end + Int64(delays[random.index(percent: [45, 35, 14, 6])]) * 1000
    } else if random.chance(12) {
      nextPayment = end + Int64(17 * 86_400 + random.below(58 * 86_400)) * 1000
      // Google gives a new order number to a new purchase after the end.
      if player.store == .google { (payment, renewal) = (random.next(), 0) }
    } else {
      hasEnded = true
    }
    isTrial = false
  }
}

/// The purchases of the game, in the order of time.
///
/// Some of the players who play buy, and subscriptions are renewed, also those of players who have
/// left.
struct PurchaseSource: RecordSource {
  /// The purchases of a class of payers, and the weight of each price tier.
  private static let appetites = [0, 2, 6, 35]
  private static let tierPercents = [
    [100], [30, 22, 16, 12, 9, 5, 3, 2, 1, 0], [10, 12, 14, 16, 18, 12, 8, 6, 3, 1],
    [1, 2, 3, 6, 12, 14, 16, 18, 16, 12],
  ]

  private let seed: UInt64
  private let shop: Shop
  private var walk: DayWalk
  private var paymentSeq: UInt64 = 0
  /// The running subscriptions by the day of their next payment.
  private var subscriptions: [Int: [Subscription]] = [:]
  /// The subscriptions that are renewed today, the last one first.
  private var due: [Subscription] = []
  /// The time from which a player with a subscription may begin another one.
  private var freeFrom: [Int: Int64] = [:]

  init(options: SampleOptions) {
    seed = options.seed
    shop = Shop(days: options.days)
    walk = DayWalk(.receipt, options: options)
  }

  mutating func beginDay(records: Int) {
    // Renewals leave room for other purchases; the subscriptions beyond that end.
    due = (subscriptions.removeValue(forKey: walk.date + 1) ?? []).prefix(records * 6 / 10)
      .sorted { ($0.nextPayment, $0.player.number) > ($1.nextPayment, $1.player.number) }
    walk.beginDay(records: records - due.count) { Self.appetites[$0.payer.rawValue] }
    // The vendor numbers the payments of a day.
    paymentSeq = CivilDate(day: walk.date).digits * 100_000_000 + 10_000_000
  }

  mutating func next() -> SampleRecord {
    paymentSeq += 1
    if let subscription = due.last, subscription.nextPayment <= walk.nextTime ?? .max {
      due.removeLast()
      var random = SeededRandom(seed, .subscription, Int(paymentSeq))
      return pay(subscription, &random)
    }
    var (player, time, random) = walk.next()
    let free = freeFrom[player.number]
    if player.store == .appStore || player.store == .google, time >= free ?? 0, random.chance(15) {
      return pay(
        Subscription(of: player, at: time, mayTry: free == nil, from: shop, &random), &random)
    }
    var purchase = Purchase(paymentSeq: paymentSeq, &random)
    let products = shop.consumables[random.index(percent: Self.tierPercents[player.payer.rawValue])]
    purchase.product = products[random.below(products.count)]
    let tier = shop.tier(of: purchase.product, day: walk.day)
    purchase.tier = tier
    // A few purchases are made abroad, in dollars.
    purchase.currency = random.chance(2) ? Shop.dollar : shop.currency(of: player, tier: tier)
    purchase.hasProductID = random.chance(95)
    purchase.payment = random.next()
    purchase.namesPayment = random.chance(90)
    purchase.isSandbox = random.chance(3)
    purchase.isPromotion = !purchase.isSandbox && random.chance(1)
    return SampleRecord(of: player, at: time, &random, .purchase(purchase))
  }

  private mutating func pay(_ due: Subscription, _ random: inout SeededRandom) -> SampleRecord {
    var subscription = due
    var purchase = Purchase(paymentSeq: paymentSeq, &random)
    subscription.pay(&purchase, shop: shop)
    if subscription.hasEnded {
      freeFrom[due.player.number] = subscription.end + 17 * DayWalk.dayMilliseconds
    } else {
      freeFrom[due.player.number] = .max
      let day = Int(subscription.nextPayment / DayWalk.dayMilliseconds)
      subscriptions[day, default: []].append(subscription)
    }
    return SampleRecord(of: due.player, at: due.nextPayment, &random, .purchase(purchase))
  }
}
