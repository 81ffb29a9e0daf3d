/// Writes records as lines in the dialects of the SDKs and of the server API.
struct LineWriter: Sendable {
  static let channels: [JSONText] = [
    "KR-01", "KR-02", "KR-03", "JP-01", "JP-02", "TW-01", "EU-01", "NA-01", "SEA-01",
    JSONText("한국-4", ascii: #"\ud55c\uad6d-4"#),
  ]
  static let classes: [JSONText] = [
    "warrior", "mage", "archer", "priest", "rogue", "paladin",
    JSONText("음유시인", ascii: #"\uc74c\uc720\uc2dc\uc778"#),
  ]
  /// The texts before and after the number of a payload; the first one is an empty payload.
  static let payloads: [(before: JSONText, after: StaticString)] = [
    ("", ""), ("order-", ""), (#"{\"orderId\":"#, #",\"server\":3}"#), (#"C:\\save\\"#, ".dat"),
    (#"{\"slot\":"#, #",\"items\":[{\"id\":\"sword_01\"}],\"note\":\"first \\\"buy\\\"\\n\"}"#),
    (JSONText("여름 이벤트 ", ascii: #"\uc5ec\ub984 \uc774\ubca4\ud2b8 "#), #" \ud83c\udf81"#),
  ]

  private let seed: UInt64
  private let timeName: StaticString
  private let shop: Shop
  private let appIDs = SampleOptions.applications.map { Array($0.utf8) }

  init(_ stream: SampleStream, options: SampleOptions) {
    seed = options.seed
    timeName = stream == .levelUp ? "levelUpTime" : "eventTime"
    shop = Shop(days: options.days)
  }

  /// Appends the record as an object, without a newline.
  func put(_ record: SampleRecord, into line: inout [UInt8]) {
    line.put("{")
    line.member("userId") { putUserID(of: record, into: &$0) }
    switch record.content {
    case .purchase(let purchase): put(purchase, of: record, into: &line)
    case .character(let state): put(state, of: record, into: &line)
    case .item(let item): put(item, of: record, into: &line)
    case .message(let message): put(message, of: record, into: &line)
    }
    if record.player.hasAppID { line.member("appId", text: appIDs[record.player.app]) }
    // A field of newer SDKs, which a loader need not know.
    if record.quirk == 99 { line.member("sdkVersion", text: "2.66.1") }
    line.put("}")
  }

  /// Appends 16 upper-case letters and digits, after `AS@` for one user in eight, or 0 for none.
  private func putUserID(of record: SampleRecord, into line: inout [UInt8]) {
    if case .message(let message) = record.content, !message.hasUser { return line.put("0") }
    var random = SeededRandom(seed, .userID, record.player.number)
    if random.below(8) == 0 { line.put("AS@") }
    line.put(base36: random.next(), width: 8)
    line.put(base36: random.next(), width: 8)
  }

  private func putTime(
    _ name: StaticString, _ time: Int64, of record: SampleRecord, into line: inout [UInt8]
  ) {
    if record.dialect == .server { return line.member(name) { $0.put(seoulTime: time) } }
    line.member(name, number: UInt64(time))
    // A Swift game that computes milliseconds from seconds prints a double.
    if record.dialect == .iOS, record.quirk >= 96 { line.put(".0") }
  }

  /// Appends a text; a missing one is null on iOS, `""` on Android, and absent elsewhere.
  private func putText(
    _ name: StaticString, _ text: JSONText?, of record: SampleRecord, into line: inout [UInt8]
  ) {
    if let text {
      line.member(name, text: record.dialect == .unity ? text.ascii : text.plain)
    } else if record.dialect == .iOS {
      line.member(name, literal: "null")
    } else if record.dialect == .android {
      line.member(name, text: "")
    }
  }

  // MARK: - Characters

  private func put(_ state: CharacterState, of record: SampleRecord, into line: inout [UInt8]) {
    line.member("userLevel", number: UInt64(state.level))
    if record.dialect == .iOS, record.quirk < 2 { line.put(".0") }
    putTime(timeName, record.time, of: record, into: &line)
    putText("channelId", record.player.channel.map { Self.channels[$0] }, of: record, into: &line)
    if let character = state.character {
      line.member("characterId") {
        $0.put("C-")
        $0.put(number: UInt64(record.player.number * 100 + character))
      }
    } else {
      putText("characterId", nil, of: record, into: &line)
    }
    putText(
      record.dialect == .unity ? "characterClassId" : "classId",
      state.characterClass.map { Self.classes[$0] }, of: record, into: &line)
  }

  // MARK: - Items and receipts

  private func putProduct(
    _ index: Int, tier: Int?, currency: Int, hasID: Bool, hasStore: Bool, of record: SampleRecord,
    into line: inout [UInt8]
  ) {
    let product = shop.products[index]
    let price = shop.price(tier: tier, currency: currency)
    let dialect = record.dialect
    if hasID { line.member("gamebaseProductId", text: product.id) }
    line.member("marketItemId", text: product.marketItemID)
    line.member(dialect == .server ? "productSeq" : "itemSeq", number: product.itemSeq)
    line.name("price")
    line.append(
      contentsOf: dialect == .iOS
        ? price.widened : dialect == .server ? price.decimal : price.float)
    line.member("currency", text: Shop.currencies[currency].code)
    line.member("productType", text: dialect == .unity ? product.unityType : product.type)
    guard hasStore else { return }
    line.member(
      dialect == .server ? "marketId" : "storeCode", text: Array(record.player.store.rawValue.utf8))
  }

  private func put(_ item: ItemView, of record: SampleRecord, into line: inout [UInt8]) {
    putProduct(
      item.product, tier: item.tier, currency: item.currency, hasID: true,
      hasStore: item.hasStoreCode, of: record, into: &line)
    let product = shop.products[item.product]
    line.member("itemName", text: product.id)
    // Players of one storefront see one title.
    line.member("localizedTitle") {
      if item.currency == Shop.won { $0.put(record.dialect == .unity ? #"\uc0c1\ud488 "# : "상품 ") }
      $0.append(contentsOf: product.id)
    }
    if item.hasDescription { line.member("localizedDescription", text: product.marketItemID) }
    line.member(
      record.dialect == .iOS ? "active" : "isActive", literal: item.isActive ? "true" : "false")
    putTime("eventTime", record.time, of: record, into: &line)
  }

  private func put(_ purchase: Purchase, of record: SampleRecord, into line: inout [UInt8]) {
    let dialect = record.dialect
    line.member("paymentSeq") { $0.put(number: purchase.paymentSeq) }
    putProduct(
      purchase.product, tier: purchase.tier, currency: purchase.currency,
      hasID: purchase.hasProductID, hasStore: purchase.hasStoreCode, of: record, into: &line)
    for (isNamed, name, renewal) in [
      (purchase.namesPayment, "paymentId", purchase.renewal ?? 0),
      (purchase.namesOriginal, "originalPaymentId", 0),
    ] as [(Bool, StaticString, UInt64)] where isNamed {
      line.member(name) {
        Self.putPayment(purchase.payment, renewal: renewal, of: record.player.store, into: &$0)
      }
    }
    var random = SeededRandom(purchase.bits, .token, 0)
    line.member(dialect == .server ? "accessToken" : "purchaseToken") {
      for _ in 0..<12 {
        // Apple's writer escapes the slash, which does not change the token.
        $0.put(dialect == .iOS ? #"\/"# : "/")
        $0.put(base36: random.next(), width: 12)
      }
    }
    putTime("purchaseTime", record.time, of: record, into: &line)
    if purchase.expiry > 0 {
      putTime("expiryTime", purchase.expiry, of: record, into: &line)
    } else if dialect != .server {
      line.member("expiryTime", number: 0)
    }
    if random.chance(30) {
      let payload = random.below(Self.payloads.count)
      let (before, after) = Self.payloads[payload]
      line.member("payload") {
        $0.put(dialect == .unity ? before.ascii : before.plain)
        if payload > 0 { $0.put(number: random.next() % 1_000_000) }
        $0.put(after)
      }
    }
    putFlags(purchase, of: record, into: &line)
  }

  /// Appends the flags that the dialect can hold, and that the first writer of the record knew.
  private func putFlags(_ purchase: Purchase, of record: SampleRecord, into line: inout [UInt8]) {
    let isPromotion = purchase.isPromotion && record.origin != .server
    // SDKs before 2.36.0 omit flags that are false, which is not the same as false.
    let knowsFalse = record.origin != .android && record.quirk >= 45
    func putFlag(_ name: StaticString, _ flag: Bool, isKnown: Bool = true) {
      guard flag || (knowsFalse && isKnown) else { return }
      line.member(name, literal: flag ? "true" : "false")
    }
    let knowsPromotion = record.origin != .server
    switch record.dialect {
    case .android:
      // One field holds one of the two flags, and only when it is true.
      if purchase.isSandbox { line.member("purchaseType", text: "Test") }
      if isPromotion { line.member("purchaseType", text: "Promotion") }
    case .iOS:
      putFlag("sandboxPayment", purchase.isSandbox)
      putFlag("promotionPayment", isPromotion, isKnown: knowsPromotion)
    case .unity:
      putFlag("isTestPurchase", purchase.isSandbox)
      putFlag("isPromotion", isPromotion, isKnown: knowsPromotion)
    case .unreal:
      putFlag("bIsTestPurchase", purchase.isSandbox)
      putFlag("bIsPromotion", isPromotion, isKnown: knowsPromotion)
    case .server: putFlag("isTestPurchase", purchase.isSandbox)
    }
  }

  /// Appends the store's number of a payment of a subscription, or of a single payment.
  private static func putPayment(
    _ bits: UInt64, renewal: UInt64, of store: Player.Store, into line: inout [UInt8]
  ) {
    switch store {
    case .appStore: line.put(number: 2_000_000_000_000_000 + bits % (1 << 50) + renewal)
    case .google:
      line.put("GPA.")
      for shift in [0, 14, 28] as [UInt64] {
        line.put(number: bits >> shift % 10_000, width: 4)
        line.put("-")
      }
      line.put(number: bits >> 42 % 100_000, width: 5)
      // The first renewal is `..0`.
      guard renewal > 0 else { return }
      line.put("..")
      line.put(number: renewal - 1)
    case .oneStore, .galaxy, .huawei: line.put(base36: bits, width: 12)
    }
  }
}
