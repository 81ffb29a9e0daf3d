/// One user's subscription: a first payment, and the renewals that follow it.
///
/// Most trials and a part of the periods are not renewed. A few users come back more than 16 days
/// after the end. Times are whole seconds, because servers print no smaller unit.
struct SubscriptionChain: Sendable {
  /// The numbers that the receipts of a subscription hold.
  enum Links: Sendable {
    /// The payment's own number and that of the first payment.
    case paymentAndOriginal
    /// Only the payment's own number, in which Google counts the renewals: `GPA.…..0`, `..1`.
    case payment
    /// Only the number of the first payment.
    case original
    /// None: the user, product and store are the same.
    case product
  }

  var user: UInt32
  var app: UInt8
  var product: Int
  var currency: Int
  var store: Receipt.Store
  var links: Links
  var hasStoreCode: Bool
  var isSandbox: Bool
  /// The random bits of the first payment's number.
  var seed: UInt64
  /// The number of the next payment, from 0.
  var renewal: UInt64 = 0
  /// True when the next payment begins a free trial.
  var startsWithTrial: Bool
  /// The time of the next payment; milliseconds since 1970-01-01 UTC.
  var nextPayment: Int64
  /// The end of the paid periods so far; milliseconds since 1970-01-01 UTC.
  var end: Int64 = 0

  /// Starts a subscription with a payment; `mayTry` is true for a user's first one.
  init(
    of player: ActivePlayer, store: Receipt.Store, country: UInt64, catalog: ProductCatalog,
    at time: Int64, mayTry: Bool, _ random: inout SeededRandom
  ) {
    user = player.user
    app = player.app
    self.store = store
    product = catalog.subscription(&random)
    currency = catalog.currency(ofCountry: country, tier: catalog.products[product].tier)
    links =
      switch (random.below(UInt64(100)), store) {
      case (..<12, _): .product
      case (..<40, .google): .payment
      case (..<40, _): .original
      default: .paymentAndOriginal
      }
    hasStoreCode = random.chance(3, in: 4)
    isSandbox = random.chance(3, in: 100)
    startsWithTrial =
      mayTry && catalog.products[product].trialDays != nil && random.chance(1, in: 2)
    nextPayment = time
    seed = SeededRandom.mix(random.next())
  }

  /// Makes the next payment: fills in its receipt, and decides about the one after it.
  ///
  /// - Returns: false when no payment follows.
  mutating func pay(_ receipt: inout Receipt, _ product: ProductCatalog.Product) -> Bool {
    let isTrial = startsWithTrial && renewal == 0
    let days = (isTrial ? product.trialDays : product.periodDays) ?? 0
    end = max(end, nextPayment) + days * SampleTimeline.dayMilliseconds
    end -= end % 1000
    receipt.isTrial = isTrial
    receipt.expiryTime = end
    receipt.product = self.product
    receipt.tier = product.tier
    receipt.currency = currency
    receipt.paymentSeed = seed
    receipt.renewal = renewal
    receipt.hasPaymentID = links == .paymentAndOriginal || links == .payment
    receipt.hasOriginalPaymentID = links == .paymentAndOriginal || links == .original
    receipt.hasStoreCode = hasStoreCode
    renewal += 1
    return continues(afterTrial: isTrial, periodDays: days)
  }

  private mutating func continues(afterTrial isTrial: Bool, periodDays: Int64) -> Bool {
    var random = SeededRandom(seed: seed, salt: Salt.subscription, index: renewal)
    let renewPercent: UInt64 = isTrial ? 46 : periodDays > 300 ? 55 : 87
    if random.chance(renewPercent, in: 100) {
      nextPayment = end + Self.renewalDelay(&random)
    } else if random.chance(1, in: 8) {
      nextPayment = end + Int64(17 * 86_400 + random.below(UInt64(58 * 86_400))) * 1000
      // Google gives a new order number to a new purchase after the end.
      if store == .google {
        seed = SeededRandom.mix(seed)
        renewal = 0
        startsWithTrial = false
      }
    } else {
      return false
    }
    return true
  }

  /// The time from the end of a period to the payment of the next one: stores often charge in the
  /// hours before the end, and try again for days when a card is refused.
  private static func renewalDelay(_ random: inout SeededRandom) -> Int64 {
    let seconds: Int64 =
      switch random.below(UInt64(100)) {
      case ..<45: -60 - Int64(random.below(UInt64(7200)))
      case ..<80: 0
      case ..<94: Int64(random.below(UInt64(86_400)))
      default: 86_400 + Int64(random.below(UInt64(14 * 86_400)))
      }
    return seconds * 1000
  }
}
