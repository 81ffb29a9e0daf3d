/// Generates the receipt of each line.
struct ReceiptSamples: Sendable {
  private let seed: UInt64
  private let timeline: SampleTimeline
  private let firstLine: Int
  private let startMilliseconds: Int64
  private let population: Population
  private let catalog = ProductCatalog()
  private let payloadCount: Int
  private let writer: ReceiptWriter

  // The last day is cached, because consecutive lines are mostly of the same day.
  private var day: Int64 = -1
  private var firstLineOfDay = 0
  private var dateDigits: UInt64 = 0

  init(options: SampleOptions, timeline: SampleTimeline, population: Population) {
    seed = SampleStream.receipt.lineSeed(options.seed)
    self.timeline = timeline
    firstLine = options.part * options.count
    startMilliseconds = options.startMilliseconds
    self.population = population
    let payloads = PayloadTexts()
    payloadCount = payloads.count
    writer = ReceiptWriter(
      seed: seed, catalog: catalog, payloads: payloads, population: population)
  }

  /// Appends the receipt of a line of this file, from 0.
  ///
  /// The slot decides its time, but not its key.
  mutating func put(
    _ number: Int, slot: Int, spelling: LineSpelling, into line: inout [UInt8]
  ) {
    let receipt = draw(firstLine + number, slot: firstLine + slot)
    let shape =
      switch spelling {
      case .original: receipt.origin
      case .plain: receipt.origin.isServer ? Receipt.Shape.android : receipt.origin
      case .other(let bits): Self.shape(otherThan: receipt.origin, bits)
      }
    writer.put(receipt, as: shape, into: &line)
  }

  private static func shape(otherThan origin: Receipt.Shape, _ bits: UInt64) -> Receipt.Shape {
    let others = UInt64(Receipt.Shape.allCases.count - 1)
    let step = 1 + Int(bits % others)
    return Receipt.Shape.allCases[(origin.rawValue + step) % Receipt.Shape.allCases.count]
  }

  private mutating func draw(_ line: Int, slot: Int) -> Receipt {
    var random = SeededRandom(seed: seed, salt: Salt.record, index: UInt64(line))
    var receipt = Receipt()
    drawTime(of: &receipt, line: line, slot: slot, &random)
    receipt.user = population.payer(&random)
    receipt.app = population.traits(of: receipt.user).app
    receipt.tokenSeed = random.next()
    receipt.tokenLength = 146 + random.below(11)
    receipt.paymentSeed = random.next()
    receipt.quirk = random.below(UInt64(100))
    drawOrigin(of: &receipt, &random)
    drawProduct(of: &receipt, &random)
    drawFlags(of: &receipt, &random)
    drawPayload(of: &receipt, &random)
    if receipt.origin.isServer {
      // The server prints whole seconds.
      receipt.purchaseTime = max(
        startMilliseconds, receipt.purchaseTime - receipt.purchaseTime % 1000)
      receipt.expiryTime -= receipt.expiryTime % 1000
    }
    return receipt
  }

  /// Chooses the time and the key.
  ///
  /// Keys begin with the date and ascend from line to line, so the time of a slot on another day is
  /// not used.
  private mutating func drawTime(
    of receipt: inout Receipt, line: Int, slot: Int, _ random: inout SeededRandom
  ) {
    let slotStart = timeline.start(ofSlot: line)
    let lineDay = slotStart / SampleTimeline.dayMilliseconds
    if lineDay != day {
      day = lineDay
      firstLineOfDay = timeline.firstSlot(onDay: lineDay)
      dateDigits = CivilDate(day: lineDay).digits
    }
    let moment = timeline.moment(inSlot: slot, bits: random.next())
    receipt.purchaseTime = moment / SampleTimeline.dayMilliseconds == lineDay ? moment : slotStart
    // The vendor numbers the payments of a day from 10000001.
    receipt.paymentSeq = dateDigits * 100_000_000 + 10_000_001 + UInt64(line - firstLineOfDay)
  }

  private func drawOrigin(of receipt: inout Receipt, _ random: inout SeededRandom) {
    let bits = random.next()
    let draw = bits >> 32 % 100
    let share = bits & 0xFFFF_FFFF
    switch draw {
    case ..<45:
      receipt.origin = .iOS
      receipt.store = .appStore
    case ..<85:
      receipt.origin = .android
      receipt.store = Self.androidStore(share % 100)
    case ..<95:
      receipt.origin = draw < 93 ? .unity : .unreal
      receipt.store = share % 10 < 4 ? .appStore : Self.androidStore(share / 16 % 100)
    default:
      receipt.origin = draw < 99 ? .server : .serverMillis
      receipt.store = share % 10 < 5 ? .appStore : Self.androidStore(share / 16 % 100)
    }
    receipt.hasStoreCode = receipt.origin.isServer || receipt.quirk % 4 != 0
  }

  private static func androidStore(_ share: UInt64) -> Receipt.Store {
    switch share {
    case ..<78: .google
    case ..<92: .oneStore
    case ..<97: .galaxy
    default: .huawei
    }
  }

  private func drawProduct(of receipt: inout Receipt, _ random: inout SeededRandom) {
    let choices =
      receipt.store.hasSubscriptions ? catalog.products.count : catalog.consumableCount
    let bits = random.next() >> 32
    // Squaring makes the front of the catalog sell best.
    let skewed = (bits * bits).multipliedFullWidth(by: UInt64(choices)).high
    receipt.product = Int(skewed)
    receipt.currency = catalog.currency(for: receipt.product, &random)
    receipt.hasGamebaseProductID = !random.chance(1, in: 20)
    receipt.hasPaymentID = !random.chance(1, in: 10)
    guard let days = catalog.products[receipt.product].periodDays else { return }
    let period = days * SampleTimeline.dayMilliseconds
    receipt.expiryTime = receipt.purchaseTime + period
    // A user's payments for one product are one subscription, numbered by the elapsed periods.
    receipt.paymentSeed = SeededRandom.mix(
      seed, Salt.subscription, receipt.user &* 64 &+ UInt64(receipt.product))
    receipt.renewal =
      receipt.paymentSeed >> 62 + UInt64((receipt.purchaseTime - startMilliseconds) / period)
  }

  private func drawFlags(of receipt: inout Receipt, _ random: inout SeededRandom) {
    let isSandbox = random.chance(3, in: 100)
    let isPromotion = random.chance(1, in: 100)
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
