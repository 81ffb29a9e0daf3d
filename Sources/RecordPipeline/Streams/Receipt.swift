extension RecordStream {
  /// Purchase receipts, one for each payment; `paymentSeq` identifies the payment.
  ///
  /// - Source: `TCGBPurchasableReceipt` of the iOS SDK, and the spellings of the other SDKs and of the server
  ///   API.
  package static let receipt = RecordStream(
    name: "receipt", recordNoun: "purchase receipts", table: "receipt",
    fileNamePrefixes: ["receipt"], naturalKey: ["payment_seq"]
  ) {
    Field<MandatoryIdentifier>("paymentSeq", into: "payment_seq")
  } values: {
    Field<AppID>("appId", into: "app_id")
    Field<UserID>("userId", into: "user_id")
    Field<Identifier>("gamebaseProductId", into: "gamebase_product_id")
    Field<Identifier>("marketItemId", "productId", into: "market_item_id")
    Field<ItemNumber>("itemSeq", "productSeq", into: "item_seq")
    Field<NormalizedProductType>("productType", into: "product_type", "product_type_raw")
    Field<Identifier>("storeCode", "marketId", into: "store_code")
    Payment(
      currency: Field("currency", into: "currency"),
      price: Field("price", into: "amount_minor", "price_raw", "price_repaired", "price_imprecise"),
      time: Field("purchaseTime", "purchaseTimeMillis", into: "purchased_at"))
    Field<ExpiryTime>("expiryTime", "expiryTimeMillis", into: "expires_at")
    Field<Identifier>("paymentId", into: "payment_id")
    Field<Identifier>("originalPaymentId", into: "original_payment_id")
    Field<FreeText>("payload", into: "payload")
    Field<PurchaseToken>(
      "purchaseToken", "accessToken", into: "purchase_token_sha256", "purchase_token")
    PurchaseFlags(
      type: Field("purchaseType"),
      sandbox: Field("sandboxPayment", "isTestPurchase", "bIsTestPurchase", into: "is_sandbox"),
      promotion: Field("promotionPayment", "isPromotion", "bIsPromotion", into: "is_promotion"))
    Field<CheckedTime>("eventTime")
  }
}

/// Currency, price and time of a purchase.
///
/// They are checked together: the time decides which currencies are valid, and the currency decides
/// the minor unit of the price.
private struct Payment: StreamPart {
  let currency: Field<NormalizedCurrency>
  let price: Field<Price>
  let time: Field<MandatoryTime>

  func declare(in stream: inout StreamDeclaration) -> Writer {
    stream.columns += currency.columns + price.columns + time.columns
    let time = stream.addNames(of: time)
    let currency = stream.addNames(of: currency, dependingOn: [time])
    let price = stream.addNames(of: price, dependingOn: [currency])
    return Writer(currency: currency, price: price, time: time)
  }

  struct Writer: PartWriter {
    let currency, price, time: FieldSlots

    @inline(__always)
    func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection) {
      let paidAt = try line.required(time, MandatoryTime.normalize)
      let currency = try line.currency(currency, at: paidAt)
      let price = try line.price(price, minorUnit: currency.minorUnit)
      row.text(packedLetters: currency.packedCode)
      row.bigint(price.amountMinor)
      row.text(price.keptText)
      row.boolean(price.isRepaired)
      row.boolean(price.isImprecise)
      row.time(paidAt)
    }
  }
}

/// The sandbox flag and the promotion flag.
///
/// Android gives one of them as `purchaseType` instead.
private struct PurchaseFlags: StreamPart {
  let type: Field<PurchaseType>
  let sandbox: Field<Flag>
  let promotion: Field<Flag>

  func declare(in stream: inout StreamDeclaration) -> Writer {
    let columns = sandbox.columns + promotion.columns
    stream.columns += columns
    return Writer(
      sandbox: stream.addNames(of: sandbox), promotion: stream.addNames(of: promotion),
      type: stream.addNames(of: type, endingIn: columns))
  }

  struct Writer: PartWriter {
    let sandbox, promotion, type: FieldSlots

    @inline(__always)
    func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection) {
      let type = try line.value(self.type, PurchaseType.normalize)
      row.boolean(try line.flag(sandbox, orImpliedBy: type == .test, from: self.type))
      row.boolean(try line.flag(promotion, orImpliedBy: type == .promotion, from: self.type))
    }
  }
}
