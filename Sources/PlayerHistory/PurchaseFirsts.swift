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
  private enum Group: Hashable {
    case paid
    case currency(TextID)
    case product(currency: TextID, product: TextID, store: TextID, isPaid: Bool)
    case level(currency: TextID, attribution: LevelAtInstant.Attribution, level: Int32?)
  }

  private var firstPaidOn: Day?
  /// The day of the last purchase in each group.
  private var last: [Group: Day] = [:]

  mutating func next(_ receipt: Receipt, on day: Day, at level: LevelAtInstant) -> PurchaseFirsts {
    func periods(of group: Group) -> Periods {
      .begun(on: day, after: last.updateValue(day, forKey: group))
    }
    let (currency, isPaid) = (receipt.currency, receipt.isPaid)
    var firsts = PurchaseFirsts()
    guard isPaid || receipt.isSandbox == true else { return firsts }
    let product = Group.product(
      currency: currency, product: receipt.product, store: receipt.store, isPaid: isPaid)
    firsts.isFirstOfProduct = periods(of: product).contains(.day)
    guard isPaid else { return firsts }
    firsts.paid = periods(of: .paid)
    firsts.inCurrency = periods(of: .currency(currency))
    firstPaidOn = firstPaidOn ?? day
    firsts.ofNewPayer = [.day, .week, .month]
    firsts.ofNewPayer.subtract(.begun(on: day, after: firstPaidOn))
    let paid = Group.level(
      currency: currency, attribution: level.attribution, level: level.level)
    firsts.isFirstAtLevel = periods(of: paid).contains(.ever)
    return firsts
  }
}
