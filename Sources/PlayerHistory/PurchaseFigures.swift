/// The figures of a receipt among all rows of its player.
package struct PurchaseFigures: Equatable, Sendable {
  package var purchasedOn: Day
  package var isPaid: Bool
  package var level: LevelAtInstant
  package var firsts: PurchaseFirsts

  package init(purchasedOn: Day, isPaid: Bool, level: LevelAtInstant, firsts: PurchaseFirsts) {
    self.purchasedOn = purchasedOn
    self.isPaid = isPaid
    self.level = level
    self.firsts = firsts
  }
}

/// The groups in which a purchase is the first one of its player.
///
/// Users do not add up over rows, but firsts do: each user has one in each group. So a report that
/// counts users adds up firsts. All are of paid purchases but `sandboxOfProductDay`. Of purchases
/// at one instant, the smallest payment number comes first.
package struct PurchaseFirsts: OptionSet, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let ever = PurchaseFirsts(rawValue: 1 << 0)
  package static let ofDay = PurchaseFirsts(rawValue: 1 << 1)
  package static let ofWeek = PurchaseFirsts(rawValue: 1 << 2)
  package static let ofMonth = PurchaseFirsts(rawValue: 1 << 3)
  /// The first in its currency.
  package static let inCurrency = PurchaseFirsts(rawValue: 1 << 4)
  package static let inCurrencyOfDay = PurchaseFirsts(rawValue: 1 << 5)
  package static let inCurrencyOfWeek = PurchaseFirsts(rawValue: 1 << 6)
  package static let inCurrencyOfMonth = PurchaseFirsts(rawValue: 1 << 7)
  /// The first of its day in its currency, product and store.
  package static let ofProductDay = PurchaseFirsts(rawValue: 1 << 8)
  /// The first in its currency at its level and attribution.
  package static let atLevel = PurchaseFirsts(rawValue: 1 << 9)
  /// The first sandbox purchase of its day in its currency, product and store.
  package static let sandboxOfProductDay = PurchaseFirsts(rawValue: 1 << 10)
  /// The player's first paid purchase falls on the same day.
  package static let ofNewPayerOfDay = PurchaseFirsts(rawValue: 1 << 11)
  package static let ofNewPayerOfWeek = PurchaseFirsts(rawValue: 1 << 12)
  package static let ofNewPayerOfMonth = PurchaseFirsts(rawValue: 1 << 13)
}

/// Finds the firsts of one player's purchases, which come in the order of time and payment number.
struct FirstPurchases {
  private struct Product: Hashable {
    let currency: TextID
    let product: TextID
    let store: TextID
  }

  private struct Level: Hashable {
    let currency: TextID
    let attribution: LevelAtInstant.Attribution
    let level: Int32?
  }

  private var firstPaidOn: Day?
  private var lastPaidOn: Day?
  private var lastPaidInCurrency: [TextID: Day] = [:]
  private var lastPaidOfProduct: [Product: Day] = [:]
  private var lastSandboxOfProduct: [Product: Day] = [:]
  private var paidLevels: Set<Level> = []

  mutating func next(_ receipt: Receipt, on day: Day, at level: LevelAtInstant) -> PurchaseFirsts {
    let product = Product(
      currency: receipt.currency, product: receipt.product, store: receipt.store)
    var firsts: PurchaseFirsts = []
    if receipt.isSandbox == true,
      lastSandboxOfProduct.updateValue(day, forKey: product) != day
    {
      firsts.insert(.sandboxOfProductDay)
    }
    guard receipt.isPaid else { return firsts }
    let new = firstPaidOn ?? day
    if firstPaidOn == nil { firsts.insert(.ever) }
    firstPaidOn = new
    if new == day { firsts.insert(.ofNewPayerOfDay) }
    if new.week == day.week { firsts.insert(.ofNewPayerOfWeek) }
    if new.month == day.month { firsts.insert(.ofNewPayerOfMonth) }

    if lastPaidOn != day { firsts.insert(.ofDay) }
    if lastPaidOn?.week != day.week { firsts.insert(.ofWeek) }
    if lastPaidOn?.month != day.month { firsts.insert(.ofMonth) }
    lastPaidOn = day
    let before = lastPaidInCurrency.updateValue(day, forKey: receipt.currency)
    if before == nil { firsts.insert(.inCurrency) }
    if before != day { firsts.insert(.inCurrencyOfDay) }
    if before?.week != day.week { firsts.insert(.inCurrencyOfWeek) }
    if before?.month != day.month { firsts.insert(.inCurrencyOfMonth) }
    let paid = Level(
      currency: receipt.currency, attribution: level.attribution, level: level.level)
    if paidLevels.insert(paid).inserted { firsts.insert(.atLevel) }

    if lastPaidOfProduct.updateValue(day, forKey: product) != day { firsts.insert(.ofProductDay) }
    return firsts
  }
}
