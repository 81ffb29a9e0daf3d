/// The groups in which a purchase is the first one of its player.
///
/// Of purchases at one instant, the smallest payment number comes first.
package struct PurchaseFirsts: Hashable, Sendable {
  /// The periods in which it is the first paid one.
  package var paid: Periods = []
  /// The periods in which it is the first paid one in its currency.
  package var inCurrency: Periods = []
  /// The periods in which the player's first paid purchase lies, too.
  package var ofNewPayer: Periods = []
  /// The first of its day in its currency, product and store, among the paid or the sandbox ones.
  package var isFirstOfProduct = false
  /// The first paid one in its currency at its level and attribution.
  package var isFirstAtLevel = false
}

/// Finds the firsts of one player's purchases, which come in the order of time and payment number.
struct FirstPurchases {
  private struct Product: Hashable {
    let currency: TextID
    let product: TextID
    let store: TextID
    let isPaid: Bool
  }

  private struct Level: Hashable {
    let currency: TextID
    let attribution: LevelAtInstant.Attribution
    let level: Int32?
  }

  private var firstPaidOn: Day?
  private var lastPaidOn: Day?
  private var lastPaidInCurrency: [TextID: Day] = [:]
  private var lastOfProduct: [Product: Day] = [:]
  private var paidLevels: Set<Level> = []

  mutating func next(_ receipt: Receipt, on day: Day, at level: LevelAtInstant) -> PurchaseFirsts {
    var firsts = PurchaseFirsts()
    guard receipt.isPaid || receipt.isSandbox == true else { return firsts }
    let product = Product(
      currency: receipt.currency, product: receipt.product, store: receipt.store,
      isPaid: receipt.isPaid)
    firsts.isFirstOfProduct = lastOfProduct.updateValue(day, forKey: product) != day
    guard receipt.isPaid else { return firsts }
    firsts.paid = .begun(on: day, after: lastPaidOn)
    lastPaidOn = day
    firsts.ofNewPayer = [.day, .week, .month]
    firsts.ofNewPayer.subtract(.begun(on: day, after: firstPaidOn ?? day))
    firstPaidOn = firstPaidOn ?? day
    firsts.inCurrency = .begun(
      on: day, after: lastPaidInCurrency.updateValue(day, forKey: receipt.currency))
    let paid = Level(
      currency: receipt.currency, attribution: level.attribution, level: level.level)
    firsts.isFirstAtLevel = paidLevels.insert(paid).inserted
    return firsts
  }
}
