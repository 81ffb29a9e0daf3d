extension RecordStream {
  /// Purchase receipts, one for each payment; `paymentSeq` identifies the payment.
  ///
  /// - Source: `TCGBPurchasableReceipt` of the iOS SDK, and the spellings of the other SDKs and of the server
  ///   API.
  package static let receipt = RecordStream(
    name: "receipt", recordNoun: "purchase receipts", table: "receipt",
    fileNamePrefixes: ["receipt"],
    key: [.mandatory(.identifier, "paymentSeq", into: "payment_seq")],
    values: [
      .optional(.application, "appId", into: "app_id"),
      .mandatory(.user, "userId", into: "user_id"),
      .optional(.identifier, "gamebaseProductId", into: "gamebase_product_id"),
      .optional(.identifier, "marketItemId productId", into: "market_item_id"),
      .optional(.itemNumber, "itemSeq productSeq", into: "item_seq"),
      .optional(.productType, "productType", into: "product_type product_type_raw"),
      .optional(.identifier, "storeCode marketId", into: "store_code"),
      // Before the price, whose minor unit it gives.
      .mandatory(.currency, "currency", into: "currency"),
      .mandatory(.price, "price", into: "amount_minor price_raw price_repaired price_imprecise"),
      .mandatory(.time, "purchaseTime purchaseTimeMillis", into: "purchased_at"),
      .optional(.expiry, "expiryTime expiryTimeMillis", into: "expires_at"),
      .optional(.identifier, "paymentId", into: "payment_id"),
      .optional(.identifier, "originalPaymentId", into: "original_payment_id"),
      .optional(.text, "payload", into: "payload"),
      .optional(.token, "purchaseToken accessToken", into: "purchase_token_sha256 purchase_token"),
      // Before the two flags, in whose place Android gives it.
      .optional(.purchaseType, "purchaseType"),
      .optional(.sandboxFlag, "sandboxPayment isTestPurchase bIsTestPurchase", into: "is_sandbox"),
      .optional(.promotionFlag, "promotionPayment isPromotion bIsPromotion", into: "is_promotion"),
      .optional(.checkedTime, "eventTime"),
    ])
}
