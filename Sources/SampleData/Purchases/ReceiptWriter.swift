/// Writes a receipt in the spelling of an SDK or of the server API.
struct ReceiptWriter: Sendable {
  private static let base64 = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let base64URL = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private let base64 = ReceiptWriter.base64
  private let base64URL = ReceiptWriter.base64URL
  private let seed: UInt64
  private let catalog: ProductCatalog
  private let payloads: PayloadTexts
  private let population: Population

  init(
    seed: UInt64, catalog: ProductCatalog, payloads: PayloadTexts, population: Population
  ) {
    self.seed = seed
    self.catalog = catalog
    self.payloads = payloads
    self.population = population
  }

  /// Appends the receipt as an object, without a newline.
  func put(_ receipt: Receipt, spelling: LineSpelling, into line: inout [UInt8]) {
    let shape: Receipt.Shape =
      switch spelling {
      case .original: receipt.origin
      case .plain: receipt.origin.isServer ? .android : receipt.origin
      case .other(let bits): Self.shape(otherThan: receipt.origin, bits)
      }
    put(receipt, as: shape, into: &line)
  }

  private static func shape(otherThan origin: Receipt.Shape, _ bits: UInt64) -> Receipt.Shape {
    let shapes = Receipt.Shape.allCases
    let step = 1 + Int(bits % UInt64(shapes.count - 1))
    return shapes[(origin.rawValue + step) % shapes.count]
  }

  private func put(_ receipt: Receipt, as shape: Receipt.Shape, into line: inout [UInt8]) {
    if shape.isServer {
      putServerLine(receipt, inMilliseconds: shape == .serverMillis, into: &line)
    } else {
      putClientLine(receipt, as: shape, into: &line)
    }
  }

  private func putClientLine(
    _ receipt: Receipt, as shape: Receipt.Shape, into line: inout [UInt8]
  ) {
    let product = catalog.products[receipt.product]
    line.put(#"{"userId":""#)
    population.putUserID(receipt.user, into: &line)
    line.put(#"""#)
    if receipt.hasGamebaseProductID {
      line.put(#","gamebaseProductId":""#)
      line.put(product.gamebaseProductID)
      line.put(#"""#)
    }
    line.put(#","itemSeq":"#)
    line.put(number: product.itemSeq)
    putPrice(receipt, as: shape, into: &line)
    putKey(receipt, into: &line)
    line.put(#","purchaseToken":""#)
    putToken(receipt, escapingSlash: shape == .iOS, into: &line)
    line.put(#"","marketItemId":""#)
    line.put(product.marketItemID)
    putProductType(product.kind, as: shape, into: &line)
    putPaymentIDs(receipt, nullWhenAbsent: shape == .unity, into: &line)
    putTimes(receipt, as: shape, into: &line)
    putPayload(receipt, as: shape, into: &line)
    putFlags(receipt, as: shape, into: &line)
    if receipt.hasStoreCode {
      line.put(#","storeCode":""#)
      line.put(receipt.store.code)
      line.put(#"""#)
    }
    population.putAppID(receipt.app, into: &line)
    line.put("}")
  }

  private func putServerLine(
    _ receipt: Receipt, inMilliseconds: Bool, into line: inout [UInt8]
  ) {
    let shape: Receipt.Shape = inMilliseconds ? .serverMillis : .server
    let product = catalog.products[receipt.product]
    line.put(#"{"userId":""#)
    population.putUserID(receipt.user, into: &line)
    line.put(#"""#)
    putKey(receipt, into: &line)
    if receipt.hasGamebaseProductID {
      line.put(#","gamebaseProductId":""#)
      line.put(product.gamebaseProductID)
      line.put(#"""#)
    }
    line.put(#","productSeq":"#)
    line.put(number: product.itemSeq)
    line.put(#","productId":""#)
    line.put(product.marketItemID)
    putProductType(product.kind, as: shape, into: &line)
    if receipt.hasStoreCode {
      line.put(#","marketId":""#)
      line.put(receipt.store.code)
      line.put(#"""#)
    }
    putPrice(receipt, as: shape, into: &line)
    putPaymentIDs(receipt, nullWhenAbsent: false, into: &line)
    line.put(#","accessToken":""#)
    putToken(receipt, escapingSlash: false, into: &line)
    line.put(#"""#)
    putTimes(receipt, as: shape, into: &line)
    putPayload(receipt, as: shape, into: &line)
    putFlags(receipt, as: shape, into: &line)
    if receipt.store == .google { line.put(#","referenceStatus":"PURCHASED""#) }
    population.putAppID(receipt.app, into: &line)
    line.put("}")
  }

  private func putKey(_ receipt: Receipt, into line: inout [UInt8]) {
    line.put(#","paymentSeq":""#)
    line.put(number: receipt.paymentSeq, width: 16)
    line.put(#"""#)
  }

  private func putPrice(_ receipt: Receipt, as shape: Receipt.Shape, into line: inout [UInt8]) {
    let price =
      receipt.isTrial
      ? catalog.freePrice : catalog.price(ofTier: receipt.tier, in: receipt.currency)
    guard let price else { return }
    line.put(#","price":"#)
    switch shape {
    case .iOS: line.put(price.widened)
    case .android, .unity, .unreal: line.put(price.float)
    case .server, .serverMillis: line.put(price.decimal)
    }
    line.put(#","currency":""#)
    line.put(catalog.currencies[receipt.currency])
    line.put(#"""#)
  }

  private func putToken(_ receipt: Receipt, escapingSlash: Bool, into line: inout [UInt8]) {
    var random = SeededRandom(seed: seed, salt: Salt.token, index: receipt.tokenSeed)
    let alphabet = receipt.store == .appStore ? base64 : base64URL
    var rest = receipt.tokenLength
    while rest > 0 {
      var bits = random.next()
      for _ in 0..<min(10, rest) {
        let character = alphabet[Int(bits & 63)]
        // Apple's writer escapes the slash, which does not change the token.
        if character == 0x2F, escapingSlash { line.append(0x5C) }
        line.append(character)
        bits >>= 6
      }
      rest -= 10
    }
  }

  private func putProductType(
    _ kind: ProductKind, as shape: Receipt.Shape, into line: inout [UInt8]
  ) {
    line.put(#"","productType":""#)
    line.put(shape == .unity ? kind.unityText : kind.text)
    line.put(#"""#)
  }

  private func putPaymentIDs(
    _ receipt: Receipt, nullWhenAbsent: Bool, into line: inout [UInt8]
  ) {
    if receipt.hasPaymentID {
      line.put(#","paymentId":""#)
      putPaymentID(receipt, renewal: receipt.renewal ?? 0, into: &line)
      line.put(#"""#)
    }
    if receipt.renewal != nil, receipt.hasOriginalPaymentID {
      line.put(#","originalPaymentId":""#)
      putPaymentID(receipt, renewal: 0, into: &line)
      line.put(#"""#)
    } else if nullWhenAbsent {
      line.put(#","originalPaymentId":null"#)
    }
  }

  /// Appends the store's number of a payment of a subscription, or of a single payment.
  private func putPaymentID(_ receipt: Receipt, renewal: UInt64, into line: inout [UInt8]) {
    let bits = receipt.paymentSeed
    switch receipt.store {
    case .appStore:
      line.put(number: 2_000_000_000_000_000 + bits % 900_000_000_000_000 + renewal)
    case .google:
      line.put("GPA.")
      line.put(number: bits % 10_000, width: 4)
      line.put("-")
      line.put(number: bits >> 14 % 10_000, width: 4)
      line.put("-")
      line.put(number: bits >> 28 % 10_000, width: 4)
      line.put("-")
      line.put(number: bits >> 42 % 100_000, width: 5)
      if renewal > 0 {
        line.put("..")
        line.put(number: renewal - 1)
      }
    case .oneStore, .galaxy, .huawei:
      line.put(base36: bits, width: 12)
      line.put(number: bits % 100_000_000, width: 8)
    }
  }

  private func putTimes(_ receipt: Receipt, as shape: Receipt.Shape, into line: inout [UInt8]) {
    switch shape {
    case .server:
      line.put(#","purchaseTime":""#)
      line.put(seoulTime: receipt.purchaseTime)
      if receipt.expiryTime > 0 {
        line.put(#"","expiryTime":""#)
        line.put(seoulTime: receipt.expiryTime)
      }
      line.put(#"""#)
    case .serverMillis:
      line.put(#","purchaseTimeMillis":"#)
      line.put(number: UInt64(receipt.purchaseTime))
      line.put(#","expiryTimeMillis":"#)
      line.put(number: UInt64(receipt.expiryTime))
    case .iOS, .android, .unity, .unreal:
      line.put(#","purchaseTime":"#)
      putClientTime(receipt, as: shape, into: &line)
      line.put(#","expiryTime":"#)
      line.put(number: UInt64(receipt.expiryTime))
    }
  }

  /// Appends the time; a few iOS receipts write it as a double, and a few Android receipts as text.
  private func putClientTime(
    _ receipt: Receipt, as shape: Receipt.Shape, into line: inout [UInt8]
  ) {
    let isText = shape == .android && receipt.quirk == 50
    if isText { line.put(#"""#) }
    line.put(number: UInt64(receipt.purchaseTime))
    if isText { line.put(#"""#) }
    if shape == .iOS, receipt.quirk >= 97 { line.put(".0") }
  }

  private func putPayload(_ receipt: Receipt, as shape: Receipt.Shape, into line: inout [UInt8]) {
    if let payload = receipt.payload {
      line.put(#","payload":""#)
      payloads.put(payload, asciiOnly: shape == .unity, into: &line)
      line.put(#"""#)
    } else if receipt.hasEmptyPayload {
      line.put(#","payload":"""#)
    } else if shape == .unity {
      line.put(#","payload":null"#)
    }
  }

  /// Appends the flags that the receipt has and the spelling can hold.
  ///
  /// An unknown flag is never written as false.
  private func putFlags(_ receipt: Receipt, as shape: Receipt.Shape, into line: inout [UInt8]) {
    switch shape {
    case .iOS:
      putFlag(receipt.isSandbox, #","sandboxPayment":"#, into: &line)
      putFlag(receipt.isPromotion, #","promotionPayment":"#, into: &line)
    case .unity:
      putFlag(receipt.isSandbox, #","isTestPurchase":"#, into: &line)
      putFlag(receipt.isPromotion, #","isPromotion":"#, into: &line)
    case .unreal:
      putFlag(receipt.isSandbox, #","bIsTestPurchase":"#, into: &line)
      putFlag(receipt.isPromotion, #","bIsPromotion":"#, into: &line)
    case .server, .serverMillis:
      putFlag(receipt.isSandbox, #","isTestPurchase":"#, into: &line)
    case .android:
      if receipt.isSandbox == true {
        line.put(#","purchaseType":"Test""#)
      } else if receipt.isPromotion == true {
        line.put(
          receipt.quirk % 2 == 0
            ? #","purchaseType":"Promo""# : #","purchaseType":"Promotion""#)
      }
      // Fields of newer SDKs, which a loader need not know.
      if receipt.quirk < 3 { line.put(#","isPriority":true"#) }
      if receipt.quirk == 99 { line.put(#","regionCode":"KR","quantity":1"#) }
    }
  }

  private func putFlag(_ flag: Bool?, _ name: StaticString, into line: inout [UInt8]) {
    guard let flag else { return }
    line.put(name)
    line.put(flag ? "true" : "false")
  }
}
