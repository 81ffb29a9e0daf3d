/// A purchase receipt of a player, with the columns that figures of players depend on.
package struct Receipt: Equatable, Sendable {
  package var paymentSeq: TextID
  package var purchasedAt: Instant
  package var currency: TextID
  /// In the minor unit; nil without a price.
  package var amountMinor: Int64?
  package var product = TextID.null
  package var store = TextID.null
  package var isSandbox: Bool?
  package var isPromotion: Bool?
  /// True when a 32-bit float may not have held the price exactly.
  package var isImprecise = false
  package var expiresAt: Instant?
  /// True for the types AUTO_RENEWABLE and CONSUMABLE_AUTO_RENEWABLE.
  package var isRenewable = false
  package var paymentID = TextID.null
  package var originalPaymentID = TextID.null

  /// A receipt without the values that can be absent.
  package init(paymentSeq: TextID, purchasedAt: Instant, currency: TextID) {
    self.paymentSeq = paymentSeq
    self.purchasedAt = purchasedAt
    self.currency = currency
  }

  /// A missing flag means production.
  package var isProduction: Bool { isSandbox != true }
  /// True for a paid purchase: revenue counts it, and its user is a payer.
  ///
  /// `docs/queries.md` repeats the rule.
  package var isPaid: Bool {
    isProduction && isPromotion != true && (amountMinor ?? 0) > 0
  }
  package var isTrial: Bool { amountMinor == 0 && isPromotion != true }
  package var isSubscription: Bool { isProduction && isRenewable && expiresAt != nil }
}
