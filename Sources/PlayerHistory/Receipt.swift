/// A purchase receipt of a player, with the columns that figures of players depend on.
package struct Receipt: Equatable, Sendable {
  package var paymentSeq: TextID
  package var purchasedAt: Instant
  package var currency: TextID
  /// In the minor unit; nil without a price.
  package var amountMinor: Int64?
  package var product: TextID
  package var store: TextID
  package var isSandbox: Bool?
  package var isPromotion: Bool?
  /// True when a 32-bit float may not have held the price exactly.
  package var isImprecise = false
  package var expiresAt: Instant?
  /// True for the types AUTO_RENEWABLE and CONSUMABLE_AUTO_RENEWABLE.
  package var isRenewable: Bool
  package var paymentID: TextID
  package var originalPaymentID: TextID
  package var file: Int64
  package var line: Int64
  /// The result of an earlier fold; nil for a receipt that is new to the player's state.
  package var stored: StoredPurchase?
  /// For the first receipt of a stored subscription whether receipts before it are missing; nil when
  /// that has to be found out.
  package var wasContinued: Bool?

  package init(
    paymentSeq: TextID, purchasedAt: Instant, currency: TextID, amountMinor: Int64?,
    product: TextID = .null, store: TextID = .null, isSandbox: Bool? = false,
    isPromotion: Bool? = false, isImprecise: Bool = false, expiresAt: Instant? = nil,
    isRenewable: Bool = false,
    paymentID: TextID = .null, originalPaymentID: TextID = .null, file: Int64 = 0, line: Int64 = 0
  ) {
    self.paymentSeq = paymentSeq
    self.purchasedAt = purchasedAt
    self.currency = currency
    self.amountMinor = amountMinor
    self.product = product
    self.store = store
    self.isSandbox = isSandbox
    self.isPromotion = isPromotion
    self.isImprecise = isImprecise
    self.expiresAt = expiresAt
    self.isRenewable = isRenewable
    self.paymentID = paymentID
    self.originalPaymentID = originalPaymentID
    self.file = file
    self.line = line
  }

  /// A missing flag means production.
  package var isProduction: Bool { isSandbox != true }
  package var isPaid: Bool {
    isProduction && isPromotion != true && (amountMinor ?? 0) > 0
  }
  package var isTrial: Bool { amountMinor == 0 && isPromotion != true }
  package var isSubscription: Bool { isProduction && isRenewable && expiresAt != nil }
}

/// The result of an earlier fold for a receipt; later rows of the player do not change it.
package struct StoredPurchase: Equatable, Sendable {
  package var isObservation: Bool

  package init(isObservation: Bool) { self.isObservation = isObservation }
}
