/// The purchases of the game, in the order of time.
///
/// On each day, some of the active payers buy, and subscriptions are renewed, also those of users
/// who no longer play.
struct PurchaseSource: RecordSource {
  private let seed: UInt64
  private let days: SampleDays
  private let population: Population
  private let catalog = ProductCatalog()
  private let payloadCount = PayloadTexts().count
  private let purchaseWeights: PurchaseWeights
  private let tierDraws: [[Int]]

  private var roster: Roster
  private var buyers: [ActivePlayer] = []
  private var purchases: DayEvents
  private var book: SubscriptionBook
  /// The subscriptions that are renewed on the day, and how many of them have been.
  private var due: [SubscriptionChain] = []
  private var renewed = 0
  private var dateDigits: UInt64 = 0
  private var numbered: UInt64 = 0

  init(options: SampleOptions, purchaseWeights: PurchaseWeights) {
    seed = SampleStream.receipt.lineSeed(options.seed)
    days = options.days
    population = Population(options: options)
    self.purchaseWeights = purchaseWeights
    tierDraws = PayerClass.allCases.map { payer in
      payer.tierWeights.enumerated().flatMap { repeatElement($0, count: $1) }
    }
    roster = Roster(options: options)
    purchases = DayEvents(seed: 0, day: 0, days: days, count: 0, weights: [])
    book = SubscriptionBook(days: days)
  }

  mutating func beginDay(_ day: Int, events: Int) {
    roster.advance()
    // Renewals leave room for other purchases.
    due = book.takeDue(on: day, limit: events * 6 / 10)
    renewed = 0
    buyers = roster.active.filter(\.buysToday)
    purchases = DayEvents(
      seed: seed, day: day, days: days, count: events - due.count,
      weights: buyers.map { purchaseWeights.weight(of: $0) })
    dateDigits = days.dateDigits(of: day)
    numbered = 0
  }

  mutating func next() -> SampleRecord {
    if renewed < due.count, due[renewed].nextPayment <= purchases.nextTime ?? .max {
      renewed += 1
      return .receipt(renew(due[renewed - 1]))
    }
    return .receipt(purchase())
  }

  /// The vendor numbers the payments of a day from 10000001.
  mutating func number(_ record: inout SampleRecord) {
    guard case .receipt(var receipt) = record else { return }
    numbered += 1
    receipt.paymentSeq = dateDigits * 100_000_000 + 10_000_000 + numbered
    record = .receipt(receipt)
  }

  private mutating func renew(_ due: SubscriptionChain) -> Receipt {
    var chain = due
    var random = SeededRandom(
      seed: chain.seed, salt: Salt.subscription, index: ~chain.renewal)
    let traits = population.traits(of: chain.user, app: chain.app)
    var receipt = start(chain.user, traits, at: chain.nextPayment, &random)
    pay(&chain, &receipt, &random)
    return receipt
  }

  private mutating func purchase() -> Receipt {
    var event = purchases.next()
    let player = buyers[event.player]
    let traits = population.traits(of: player.user, app: player.app)
    var receipt = start(player.user, traits, at: event.time, &event.random)
    if receipt.store.hasSubscriptions, event.random.chance(1, in: 5),
      book.isFree(player.user, at: event.time)
    {
      receipt.purchaseTime = max(days.range(of: roster.day).lowerBound, event.time / 1000 * 1000)
      var chain = SubscriptionChain(
        of: player, store: receipt.store, country: traits.country, catalog: catalog,
        at: receipt.purchaseTime, mayTry: !book.contains(player.user), &event.random)
      pay(&chain, &receipt, &event.random)
      return receipt
    }
    let tiers = tierDraws[player.payer.rawValue]
    let tier = tiers[event.random.below(tiers.count)]
    receipt.product = catalog.consumable(inTier: tier, &event.random)
    receipt.tier = tier
    // A few purchases are made abroad.
    let country = event.random.chance(1, in: 50) ? event.random.next() : traits.country
    receipt.currency = catalog.currency(ofCountry: country, tier: tier)
    receipt.hasGamebaseProductID = !event.random.chance(1, in: 20)
    receipt.hasPaymentID = !event.random.chance(1, in: 10)
    drawFlags(
      of: &receipt, isSandbox: event.random.chance(3, in: 100),
      isPromotion: event.random.chance(1, in: 100))
    drawPayload(of: &receipt, &event.random)
    if receipt.origin.isServer {
      // The server prints whole seconds.
      receipt.purchaseTime = max(
        days.range(of: roster.day).lowerBound, receipt.purchaseTime / 1000 * 1000)
    }
    return receipt
  }

  /// Starts a receipt with what every purchase has.
  private func start(
    _ user: UInt32, _ traits: UserTraits, at time: Int64, _ random: inout SeededRandom
  ) -> Receipt {
    var receipt = Receipt()
    receipt.user = user
    receipt.app = traits.app
    receipt.purchaseTime = time
    receipt.store = Receipt.Store(of: traits)
    receipt.tokenSeed = random.next()
    receipt.tokenLength = 146 + random.below(11)
    receipt.paymentSeed = random.next()
    receipt.quirk = random.below(UInt64(100))
    receipt.origin =
      switch (random.below(UInt64(100)), traits.engine) {
      case (..<4, _): .server
      case (4, _): .serverMillis
      case (_, .unity): .unity
      case (_, .unreal): .unreal
      case (_, .none): traits.isOnIOS ? .iOS : .android
      }
    receipt.hasStoreCode = receipt.origin.isServer || receipt.quirk % 4 != 0
    return receipt
  }

  private mutating func pay(
    _ chain: inout SubscriptionChain, _ receipt: inout Receipt, _ random: inout SeededRandom
  ) {
    drawFlags(of: &receipt, isSandbox: chain.isSandbox, isPromotion: false)
    drawPayload(of: &receipt, &random)
    let continues = chain.pay(&receipt, catalog.products[chain.product])
    book.note(chain, continues: continues)
  }

  private func drawFlags(of receipt: inout Receipt, isSandbox: Bool, isPromotion: Bool) {
    switch receipt.origin {
    case .android:
      // One field holds one of the two flags, and only when it is true.
      if isSandbox { receipt.isSandbox = true } else if isPromotion { receipt.isPromotion = true }
    case .server, .serverMillis:
      receipt.isSandbox = isSandbox
    case .iOS, .unity, .unreal:
      // SDKs before 2.36.0 write neither flag.
      guard isSandbox || isPromotion || receipt.quirk >= 45 else { return }
      receipt.isSandbox = isSandbox
      receipt.isPromotion = isPromotion
    }
  }

  private func drawPayload(of receipt: inout Receipt, _ random: inout SeededRandom) {
    switch random.below(UInt64(100)) {
    case ..<70: break
    case ..<80: receipt.hasEmptyPayload = true
    default:
      receipt.payload = Receipt.Payload(
        template: random.below(payloadCount), number: random.below(UInt64(1_000_000)))
    }
  }
}
