/// The shop of the game: forty products, each with a price in every currency.
struct Shop: Sendable {
  struct Product: Sendable {
    let id: [UInt8]
    let marketItemID: [UInt8]
    let itemSeq: UInt64
    let type: StaticString
    /// An index into the price tiers.
    let tier: Int
    /// The days that a payment of a subscription covers; 0 for other products.
    let periodDays: Int64
    /// The days of a free trial; 0 for products without one.
    let trialDays: Int64
  }

  struct Currency: Sendable {
    let code: StaticString
    /// The number of decimals in ISO 4217.
    let digits: Int
    /// The price of a dollar's worth in minor units, and what is taken off for a price like 0.99.
    let unit: Int
    let discount: Int
    /// The percentage of players who pay in it.
    let players: Int
  }

  /// A price as each platform writes it.
  struct Price: Sendable {
    /// The 32-bit float widened to 64 bits, as iOS prints it: `4.989999771118164`, `1200`.
    let widened: [UInt8]
    /// The 32-bit float in its own digits, as Android and engines print it: `4.99`, `1200.0`.
    let float: [UInt8]
    /// The decimal as a server prints it: `4.99`, `1200`.
    let decimal: [UInt8]

    init(_ minorUnits: Int, digits: Int) {
      let amount = Double(minorUnits) / [1, 10, 100, 1000][digits]
      func text(_ number: Double) -> [UInt8] {
        Array("\(number)".utf8.dropLast(amount == amount.rounded() ? 2 : 0))
      }
      widened = text(Double(Float(amount)))
      float = Array("\(Float(amount))".utf8)
      decimal = text(amount)
    }
  }

  static let currencies = [
    Currency(code: "USD", digits: 2, unit: 100, discount: 1, players: 18),
    Currency(code: "KRW", digits: 0, unit: 1200, discount: 0, players: 38),
    Currency(code: "JPY", digits: 0, unit: 160, discount: 0, players: 14),
    Currency(code: "EUR", digits: 2, unit: 110, discount: 1, players: 8),
    Currency(code: "TWD", digits: 2, unit: 3000, discount: 0, players: 6),
    Currency(code: "IDR", digits: 2, unit: 1_500_000, discount: 0, players: 4),
    Currency(code: "THB", digits: 2, unit: 3500, discount: 0, players: 3),
    Currency(code: "BRL", digits: 2, unit: 600, discount: 10, players: 3),
    Currency(code: "GBP", digits: 2, unit: 100, discount: 1, players: 2),
    Currency(code: "HUF", digits: 2, unit: 40_000, discount: 100, players: 2),
    Currency(code: "VND", digits: 0, unit: 25_000, discount: 1000, players: 1),
    Currency(code: "KWD", digits: 3, unit: 305, discount: 0, players: 1),
  ]
  static let (dollar, won) = (0, 1)

  let products: [Product]
  /// The indices of the subscriptions, and of the other products of each tier.
  let subscriptions: [Int]
  let consumables: [[Int]]

  private let dearerFrom: Int
  /// The prices of each currency by tier; nil for amounts at which a 32-bit float is imprecise.
  private let prices: [[Price?]]
  private let free = Price(0, digits: 0)

  init(dearerFrom: Int) {
    self.dearerFrom = dearerFrom
    let tiers = [1, 2, 3, 5, 10, 15, 20, 30, 50, 100]
    prices = Self.currencies.map { currency in
      tiers.map { dollars in
        let amount = dollars * currency.unit - currency.discount
        return amount < 13_000_000 ? Price(amount, digits: currency.digits) : nil
      }
    }
    let products = Self.makeProducts()
    self.products = products
    subscriptions = products.indices.filter { products[$0].periodDays > 0 }
    consumables = tiers.indices.map { tier in
      products.indices.filter { products[$0].periodDays == 0 && products[$0].tier == tier }
    }
  }

  /// The tier of a product on a day since 1970-01-01; in the second half of the game, some products
  /// cost more.
  func tier(of product: Int, date: Int) -> Int {
    let isDearer = product % 10 == 1 && products[product].periodDays == 0 && date >= dearerFrom
    return min(products[product].tier + (isDearer ? 1 : 0), 9)
  }

  /// True when a product is sold on a day; each month another tenth of them is not.
  func isSold(_ product: Int, date: Int) -> Bool { (product + date / 30) % 10 > 0 }

  /// A player's currency; dollars if it has no price in the tier.
  func currency(of player: Player, tier: Int) -> Int {
    prices[player.currency][tier] == nil ? Self.dollar : player.currency
  }

  /// The price of a tier; nil for a free trial.
  func price(tier: Int?, currency: Int) -> Price { tier.flatMap { prices[currency][$0] } ?? free }

  private static func makeProducts() -> [Product] {
    var products: [Product] = []
    func add(
      _ id: String, _ type: StaticString = "CONSUMABLE", tier: Int, days: Int64 = 0,
      trial: Int64 = 0
    ) {
      products.append(
        Product(
          id: Array(id.utf8),
          // Most games use the same product id in the console and in the store.
          marketItemID: Array((days == 0 ? id : "sky.\(id)").utf8),
          itemSeq: UInt64(1_000_001 + products.count), type: type,
          tier: tier, periodDays: days, trialDays: trial))
    }
    for (tier, amount) in [80, 200, 330, 600, 1300, 2100, 2900, 4500, 8000, 17_000].enumerated() {
      add("gem_\(amount)", tier: tier)
    }
    for (step, family) in ["starter", "ticket", "stamina", "growth"].enumerated() {
      for size in 1...5 { add("\(family)_\(size)", tier: size + step) }
    }
    for season in 1...4 { add("season_\(season)", tier: 4) }
    add("vip_weekly", "AUTO_RENEWABLE", tier: 1, days: 7)
    add("vip_monthly", "AUTO_RENEWABLE", tier: 4, days: 30, trial: 7)
    add("vip_plus", "AUTO_RENEWABLE", tier: 6, days: 30, trial: 7)
    add("vip_yearly", "AUTO_RENEWABLE", tier: 8, days: 365, trial: 14)
    add("gems_30d", "CONSUMABLE_AUTO_RENEWABLE", tier: 3, days: 30)
    add("gems_plus_30d", "CONSUMABLE_AUTO_RENEWABLE", tier: 5, days: 30)
    return products
  }
}
