extension RecordStream {
  /// Purchase receipts: one payment each, known by its `paymentSeq`.
  ///
  /// - Source: `TCGBPurchasableReceipt` of the iOS SDK; the spellings of the other SDKs and of the
  ///   server API beside it.
  package static let receipt: RecordStream = {
    let receipt = Receipt()
    return RecordStream(
      name: "receipt", recordNoun: "purchase receipts", targetTable: "game.receipt",
      fileNamePrefixes: ["receipt"],
      columns: [
        Column("payment_seq", .text),
        Column("app_id", .text),
        Column("user_id", .text),
        Column("gamebase_product_id", .text),
        Column("market_item_id", .text),
        Column("item_seq", .bigint),
        Column("product_type", .text),
        Column("product_type_raw", .text),
        Column("store_code", .text),
        Column("currency", .text),
        Column("amount_minor", .bigint),
        Column("price_raw", .text),
        Column("price_repaired", .boolean),
        Column("price_imprecise", .boolean),
        Column("purchased_at", .timestamptz),
        Column("expires_at", .timestamptz),
        Column("payment_id", .text),
        Column("original_payment_id", .text),
        Column("payload", .text),
        Column("purchase_token_sha256", .bytea),
        Column("purchase_token", .text),
        Column("is_sandbox", .boolean),
        Column("is_promotion", .boolean),
      ],
      keyColumnCount: 1, isPartitionedByMonth: false, fields: receipt.names,
      encode: receipt.encode)
  }()
}

/// The fields of a receipt under all their names, and the way from them to a row.
private struct Receipt {
  let names: FieldNames
  private let userID, appID, eventTime, paymentSeq, productID, marketItemID, itemSeq: Field
  private let productType, storeCode, currency, price, purchaseTime, expiryTime: Field
  private let paymentID, originalPaymentID, payload, token: Field
  private let sandbox, promotion, purchaseType: Field

  init() {
    var names = FieldNames()
    paymentSeq = names.add("paymentSeq", as: .mandatoryIdentifier, into: ["payment_seq"])
    userID = names.add("userId", as: .userID, into: ["user_id"], isCarried: true)
    appID = names.add("appId", as: .identifier, into: ["app_id"], isCarried: true)
    eventTime = names.add("eventTime", as: .time, into: ["extra"], isCarried: true)
    productID = names.add("gamebaseProductId", as: .identifier, into: ["gamebase_product_id"])
    marketItemID = names.add(
      "marketItemId", "productId", as: .identifier, into: ["market_item_id"])
    itemSeq = names.add("itemSeq", "productSeq", as: .itemNumber, into: ["item_seq"])
    productType = names.add(
      "productType", as: .productType, into: ["product_type", "product_type_raw"])
    storeCode = names.add("storeCode", "marketId", as: .identifier, into: ["store_code"])
    purchaseTime = names.add(
      "purchaseTime", "purchaseTimeMillis", as: .mandatoryTime, into: ["purchased_at"])
    currency = names.add("currency", as: .currency, into: ["currency"], judgedBy: [purchaseTime])
    price = names.add(
      "price", as: .price,
      into: ["amount_minor", "price_raw", "price_repaired", "price_imprecise"],
      judgedBy: [currency])
    expiryTime = names.add(
      "expiryTime", "expiryTimeMillis", as: .expiryTime, into: ["expires_at"])
    paymentID = names.add("paymentId", as: .identifier, into: ["payment_id"])
    originalPaymentID = names.add(
      "originalPaymentId", as: .identifier, into: ["original_payment_id"])
    payload = names.add("payload", as: .freeText, into: ["payload"])
    token = names.add(
      "purchaseToken", "accessToken", as: .token, into: ["purchase_token_sha256"])
    sandbox = names.add(
      "sandboxPayment", "isTestPurchase", "bIsTestPurchase", as: .flag, into: ["is_sandbox"])
    promotion = names.add(
      "promotionPayment", "isPromotion", "bIsPromotion", as: .flag, into: ["is_promotion"])
    purchaseType = names.add(
      "purchaseType", as: .purchaseType, into: ["is_sandbox", "is_promotion"])
    self.names = names
  }

  func encode(_ line: DecodedLine, _ row: RowBuffer) throws(Rejection) {
    row.text(try line.mandatoryIdentifier(paymentSeq))
    row.appID(try line.identifier(appID), line.rules)
    row.text(try line.userID(userID))
    row.text(try line.identifier(productID))
    row.text(try line.identifier(marketItemID))
    row.bigint(try line.itemNumber(itemSeq))

    let type = try line.productType(productType)
    if let type { row.text(type.type.text) } else { row.null() }
    row.text(type?.differingText)
    row.text(try line.identifier(storeCode))

    let purchasedAt = try line.mandatoryTime(purchaseTime)
    let currency = try line.currency(currency, at: purchasedAt)
    let price = try line.price(price, minorUnit: currency.minorUnit)
    row.currency(currency)
    row.bigint(price.amountMinor)
    row.text(price.isRepaired || price.isImprecise ? price.text : nil)
    row.boolean(price.isRepaired)
    row.boolean(price.isImprecise)
    row.time(purchasedAt)
    row.time(try line.expiryTime(expiryTime))

    row.text(try line.identifier(paymentID))
    row.text(try line.identifier(originalPaymentID))
    row.text(try line.freeText(payload))
    let token = try line.token(token)
    row.bytes(token)
    row.text(line.rules.storesPurchaseTokens ? token?.text : nil)

    let said = try line.purchaseType(purchaseType)
    row.boolean(try line.flag(sandbox, orImpliedBy: said == .test, from: purchaseType))
    row.boolean(try line.flag(promotion, orImpliedBy: said == .promotion, from: purchaseType))
    _ = try line.time(eventTime)
  }
}
