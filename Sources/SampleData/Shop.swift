/// The shop of the game: products with a price in every currency.
enum Shop {
  /// The products, from cheap to dear, and then the subscriptions: the price in dollars, before a
  /// cent is taken off, the days that a payment covers, and those of a free trial.
  static let products: [(id: String, type: String, dollars: Int, days: Int64, trial: Int64)] = [
    ("gem_80", "CONSUMABLE", 1, 0, 0), ("ticket_10", "CONSUMABLE", 2, 0, 0),
    ("starter_pack", "CONSUMABLE", 3, 0, 0), ("gem_330", "CONSUMABLE", 5, 0, 0),
    ("stamina_pack", "CONSUMABLE", 5, 0, 0), ("season_pass", "CONSUMABLE", 10, 0, 0),
    ("gem_1300", "CONSUMABLE", 15, 0, 0), ("growth_pack", "CONSUMABLE", 20, 0, 0),
    ("gem_4500", "CONSUMABLE", 50, 0, 0), ("gem_8000", "CONSUMABLE", 100, 0, 0),
    ("vip_weekly", "AUTO_RENEWABLE", 2, 7, 0), ("vip_monthly", "AUTO_RENEWABLE", 10, 30, 7),
    ("vip_yearly", "AUTO_RENEWABLE", 50, 365, 14),
    ("gems_30d", "CONSUMABLE_AUTO_RENEWABLE", 5, 30, 0),
  ]
  static let subscriptions = 10..<products.count

  /// The minor units of the major one by ISO 4217, a dollar's worth and what is taken off for a price
  /// like 0.99 in minor units, and the percentage of players who pay in the currency.
  static let currencies: [(code: String, minor: Int, unit: Int, off: Int, players: Int)] = [
    ("USD", 100, 100, 1, 18), ("KRW", 1, 1200, 0, 38), ("JPY", 1, 160, 0, 14),
    ("EUR", 100, 110, 1, 7), ("TWD", 100, 3000, 0, 5), ("IDR", 100, 1_500_000, 0, 4),
    ("THB", 100, 3500, 0, 3), ("BRL", 100, 600, 10, 3), ("GBP", 100, 100, 1, 2),
    ("HUF", 100, 40_000, 100, 2), ("VND", 1, 25_000, 1000, 2), ("KWD", 1000, 305, 0, 2),
  ]
  static let (dollar, won) = (0, 1)
}

/// An amount in minor units, and an index into the currencies of the shop.
struct Price: Sendable {
  var amount: Int
  let currency: Int

  /// The price of a product; in dollars where a 32-bit float is imprecise.
  ///
  /// - Parameter isDearer: true in the second half of the game, in which some products cost more.
  init(of product: Int, in currency: Int, isDearer: Bool) {
    let dollars = Shop.products[product].dollars + (isDearer && product % 5 == 1 ? 1 : 0)
    func amount(_ currency: Int) -> Int {
      dollars * Shop.currencies[currency].unit - Shop.currencies[currency].off
    }
    self.currency = amount(currency) < 13_000_000 ? currency : Shop.dollar
    self.amount = amount(self.currency)
  }

  /// The number in a line.
  ///
  /// iOS prints a 32-bit float widened to 64 bits (`4.989999771118164`, `1200`), Android the float in
  /// its own digits (`4.99`, `1200.0`), a server the decimal (`4.99`, `1200`).
  func text(_ dialect: Dialect) -> String {
    let number = Double(amount) / Double(Shop.currencies[currency].minor)
    if dialect == .android { return "\(Float(number))" }
    if number == number.rounded() { return "\(Int(number))" }
    return dialect == .iOS ? "\(Double(Float(number)))" : "\(number)"
  }
}
