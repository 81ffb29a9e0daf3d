/// The generated shop: forty products, each with a price in every currency of its tier.
struct ProductCatalog: Sendable {
  /// A product; its texts are the bytes that lines hold.
  struct Product: Sendable {
    let gamebaseProductID: [UInt8]
    let marketItemID: [UInt8]
    let itemSeq: UInt64
    let kind: ProductKind
    /// The days that one payment of a subscription covers; nil for other products.
    let periodDays: Int64?
    /// The days of a free trial; nil for products without one.
    let trialDays: Int64?
    /// An index into the price tiers.
    let tier: Int
  }

  /// A price as each platform writes it.
  struct PriceTexts: Sendable {
    /// The 32-bit float widened to 64 bits, as iOS prints it: `4.989999771118164`, `1000`.
    let widened: [UInt8]
    /// The 32-bit float in its own digits, as Android and engines print it: `4.99`, `1000.0`.
    let float: [UInt8]
    /// The decimal as a server prints it: `4.99`, `1000`.
    let decimal: [UInt8]
  }

  let products: [Product]
  let currencies: [[UInt8]]

  private let prices: [[PriceTexts?]]
  private let free: PriceTexts
  private let currencyDraws: [Int]
  /// The subscriptions, each as often as it is chosen.
  private let subscriptionDraws: [Int]
  /// The other products of each price tier.
  private let consumables: [[Int]]

  /// The index of US dollars, the fallback, because every tier has a price in them.
  private let dollar: Int

  init() {
    let products = Self.makeProducts()
    self.products = products
    let subscriptions = products.indices.filter { products[$0].periodDays != nil }
    subscriptionDraws = zip(subscriptions, [6, 5, 3, 2, 3, 2]).flatMap {
      repeatElement($0, count: $1)
    }
    consumables = (0..<PriceTable.tierCount).map { tier in
      products.indices.filter { products[$0].tier == tier && products[$0].periodDays == nil }
    }
    currencies = PriceTable.rows.map { Array($0.currency.utf8) }
    prices = PriceTable.rows.map { row in
      (0..<PriceTable.tierCount).map { tier in
        tier < row.minorUnits.count
          ? Self.texts(minorUnits: row.minorUnits[tier], digits: row.digits) : nil
      }
    }
    free = Self.texts(minorUnits: 0, digits: 0)
    dollar = PriceTable.rows.firstIndex { $0.currency == "USD" } ?? 0
    currencyDraws = PriceTable.rows.enumerated().flatMap { index, row in
      repeatElement(index, count: row.weight)
    }
  }

  /// A random product of a price tier that is not a subscription.
  func consumable(inTier tier: Int, _ random: inout SeededRandom) -> Int {
    consumables[tier][random.below(consumables[tier].count)]
  }

  /// A random subscription.
  func subscription(_ random: inout SeededRandom) -> Int {
    subscriptionDraws[random.below(subscriptionDraws.count)]
  }

  /// The currency of a country, chosen by random bits; dollars if it has no price in the tier.
  func currency(ofCountry bits: UInt64, tier: Int) -> Int {
    let currency = currencyDraws[Int(bits % UInt64(currencyDraws.count))]
    return prices[currency][tier] == nil ? dollar : currency
  }

  /// The price of a tier; nil when it has none in the currency.
  func price(ofTier tier: Int, in currency: Int) -> PriceTexts? { prices[currency][tier] }

  /// The price of a free trial.
  var freePrice: PriceTexts { free }

  private static func texts(minorUnits: Int, digits: Int) -> PriceTexts {
    let scale = [1, 10, 100, 1000][digits]
    let (whole, fraction) = minorUnits.quotientAndRemainder(dividingBy: scale)
    var decimal: [UInt8] = []
    decimal.put(number: UInt64(whole))
    if fraction > 0 {
      decimal.put(".")
      decimal.put(number: UInt64(fraction), width: digits)
      while decimal.last == 0x30 { decimal.removeLast() }
    }
    let float = Float(Double(minorUnits) / Double(scale))
    var widened = Array("\(Double(float))".utf8)
    if fraction == 0 { widened.removeLast(2) }  // Apple's writer prints no ".0".
    return PriceTexts(widened: widened, float: Array("\(float)".utf8), decimal: decimal)
  }

  private static func makeProducts() -> [Product] {
    var products: [Product] = []
    func add(
      _ id: String, _ kind: ProductKind = .consumable, tier: Int, days: Int64? = nil,
      trial: Int64? = nil
    ) {
      let itemSeq = 1_000_001 + products.count
      products.append(
        Product(
          gamebaseProductID: Array(id.utf8),
          // Most games use the same product id in the console and in the store.
          marketItemID: Array((kind == .consumable ? id : "sky.\(id)").utf8),
          itemSeq: UInt64(itemSeq), kind: kind, periodDays: days, trialDays: trial, tier: tier))
    }
    for (tier, amount) in [80, 200, 330, 600, 1300, 2100, 2900, 4500, 8000, 17_000].enumerated() {
      add("gem_\(amount)", tier: tier)
    }
    for (step, family) in ["starter", "ticket", "stamina", "growth"].enumerated() {
      for size in 1...5 { add("\(family)_\(size)", tier: min(size + step, 9)) }
    }
    for season in 1...4 { add("season_\(season)", tier: 4) }
    add("vip_weekly", .autoRenewable, tier: 1, days: 7)
    add("vip_monthly", .autoRenewable, tier: 4, days: 30, trial: 7)
    add("vip_plus", .autoRenewable, tier: 6, days: 30, trial: 7)
    add("vip_yearly", .autoRenewable, tier: 8, days: 365, trial: 14)
    add("gems_30d", .consumableAutoRenewable, tier: 3, days: 30)
    add("gems_plus_30d", .consumableAutoRenewable, tier: 5, days: 30)
    return products
  }
}

/// The product types of the vendor that samples use.
enum ProductKind: Sendable {
  case consumable, autoRenewable, consumableAutoRenewable

  /// The vendor's name of the type.
  var text: StaticString {
    switch self {
    case .consumable: "CONSUMABLE"
    case .autoRenewable: "AUTO_RENEWABLE"
    case .consumableAutoRenewable: "CONSUMABLE_AUTO_RENEWABLE"
    }
  }

  /// The name in the Unity SDK, which lacks one underscore.
  var unityText: StaticString {
    self == .autoRenewable ? "AUTORENEWABLE" : text
  }
}
