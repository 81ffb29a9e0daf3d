/// Writes records as lines in the dialects of the SDKs and of the server API.
struct LineWriter: Sendable {
  static let channels: [StaticString] = [
    "KR-01", "KR-02", "한국-3", "JP-01", "JP-02", "TW-01", "EU-01", "NA-01", "SEA-01",
  ]
  static let classes: [StaticString] = [
    "warrior", "mage", "archer", "priest", "rogue", "paladin", "음유시인",
  ]
  /// The texts before and after the number of a payload; the first one is an empty payload.
  private static let payloads: [(before: StaticString, after: StaticString)] = [
    ("", ""), ("order-", ""), (#"C:\\save\\"#, ".dat"), (#"여름 이벤트 \ud83c\udf81 "#, ""),
    (#"{\"slot\":"#, #",\"items\":[{\"id\":\"sword_01\"}],\"note\":\"first \\\"buy\\\"\\n\"}"#),
  ]

  let seed: UInt64
  let shop: Shop
  private let appIDs = SampleOptions.applications.map { Array($0.utf8) }

  init(_ options: SampleOptions) {
    seed = options.seed
    shop = Shop(dearerFrom: options.firstDay + options.days / 2)
  }

  /// Appends the record as an object, without a newline.
  func put(_ record: SampleRecord, into line: inout [UInt8]) {
    line.put("{")
    line.member("userId") { putUserID(of: record, into: &$0) }
    switch record.content {
    case .purchase(let purchase): put(purchase, of: record, into: &line)
    case .levelUp(let state): put(state, "levelUpTime", of: record, into: &line)
    case .snapshot(let state): put(state, "eventTime", of: record, into: &line)
    case .item(let product): put(item: product, of: record, into: &line)
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
    _ name: StaticString, _ text: StaticString?, of record: SampleRecord, into line: inout [UInt8]
  ) {
    switch record.dialect {
    case .iOS where text == nil: line.member(name, literal: "null")
    case .server where text == nil: break
    default: line.member(name, text: text ?? "")
    }
  }

  private func put(
    _ state: CharacterState, _ timeName: StaticString, of record: SampleRecord,
    into line: inout [UInt8]
  ) {
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
    var characterClass = state.characterClass
    if record.isCorrection { characterClass = ((characterClass ?? 0) + 1) % Self.classes.count }
    putText(
      record.dialect == .server ? "characterClassId" : "classId",
      characterClass.map { Self.classes[$0] }, of: record, into: &line)
  }

  // MARK: - Items and receipts

  private func putProduct(
    _ index: Int, tier: Int?, currency: Int, of record: SampleRecord, into line: inout [UInt8]
  ) {
    let (product, isServer) = (shop.products[index], record.dialect == .server)
    if record.quirk > 4 { line.member("gamebaseProductId", text: product.id) }
    line.member("marketItemId", text: product.marketItemID)
    line.member(isServer ? "productSeq" : "itemSeq", number: product.itemSeq)
    let price = shop.price(tier: tier, currency: currency)
    line.name("price")
    line.append(
      contentsOf: record.dialect == .iOS ? price.widened : isServer ? price.decimal : price.float)
    line.member("currency", text: Shop.currencies[currency].code)
    line.member("productType", text: product.type)
  }

  private func putStore(of record: SampleRecord, into line: inout [UInt8]) {
    let name: StaticString = record.dialect == .server ? "marketId" : "storeCode"
    line.member(name, text: record.player.store.code)
  }

  private func put(item index: Int, of record: SampleRecord, into line: inout [UInt8]) {
    let (product, day) = (shop.products[index], Int(record.time / dayMilliseconds))
    let tier = shop.tier(of: index, date: day)
    let currency = shop.currency(of: record.player, tier: tier)
    putProduct(index, tier: tier, currency: currency, of: record, into: &line)
    if record.bits >> 16 % 10 > 0 { putStore(of: record, into: &line) }
    line.member("itemName", text: product.id)
    // Players of one storefront see one title.
    line.member("localizedTitle") {
      if currency == Shop.won { $0.put("상품 ") }
      $0.append(contentsOf: product.id)
    }
    let isActive = shop.isSold(index, date: day) != record.isCorrection
    line.member(
      record.dialect == .iOS ? "active" : "isActive", literal: isActive ? "true" : "false")
    putTime("eventTime", record.time, of: record, into: &line)
  }

  private func put(_ purchase: Purchase, of record: SampleRecord, into line: inout [UInt8]) {
    line.member("paymentSeq") { $0.put(number: purchase.paymentSeq) }
    // A price that exists in each currency.
    let tier = purchase.tier.map { record.isCorrection ? $0 == 0 ? 1 : min($0, 4) - 1 : $0 }
    putProduct(purchase.product, tier: tier, currency: purchase.currency, of: record, into: &line)
    if purchase.hasStoreCode { putStore(of: record, into: &line) }
    putPayments(of: purchase, store: record.player.store, into: &line)
    var random = SeededRandom(record.bits, .token, 0)
    line.member(record.dialect == .server ? "accessToken" : "purchaseToken") {
      for _ in 0..<12 {
        // Apple's writer escapes the slash, which does not change the token.
        $0.put(record.dialect == .iOS ? #"\/"# : "/")
        $0.put(base36: random.next(), width: 12)
      }
    }
    putTime("purchaseTime", record.time, of: record, into: &line)
    if purchase.expiry > 0 {
      putTime("expiryTime", purchase.expiry, of: record, into: &line)
    } else if record.dialect != .server {
      line.member("expiryTime", number: 0)
    }
    if random.chance(30) {
      let (before, after) = Self.payloads[random.below(Self.payloads.count)]
      line.member("payload") {
        $0.put(before)
        if before.utf8CodeUnitCount > 0 { $0.put(number: random.next() % 1_000_000) }
        $0.put(after)
      }
    }
    putFlags(of: purchase, in: record, into: &line)
  }

  /// Appends the flags that the dialect can hold.
  private func putFlags(
    of purchase: Purchase, in record: SampleRecord, into line: inout [UInt8]
  ) {
    if record.dialect == .android {
      // One field holds one of the two flags, and only when it is true.
      if purchase.isSandbox { line.member("purchaseType", text: "Test") }
      if purchase.isPromotion { line.member("purchaseType", text: "Promotion") }
      return
    }
    // SDKs before 2.36.0 omit flags that are false, which is not the same as false.
    func put(_ name: StaticString, _ flag: Bool) {
      if flag || record.quirk >= 45 { line.member(name, literal: flag ? "true" : "false") }
    }
    put(record.dialect == .iOS ? "sandboxPayment" : "isTestPurchase", purchase.isSandbox)
    if record.dialect == .iOS { put("promotionPayment", purchase.isPromotion) }
  }

  /// Appends the store's numbers of the payment.
  ///
  /// Receipts of a subscription name their own payment, the first one, both, or none. Without names,
  /// only user, product and store link them.
  private func putPayments(
    of purchase: Purchase, store: Player.Store, into line: inout [UInt8]
  ) {
    let (links, isGoogle) = (purchase.traits >> 32 % 100, store == .google)
    let namesPayment = links >= (purchase.renewal == nil ? 10 : isGoogle ? 12 : 40)
    let namesOriginal = purchase.renewal != nil && links >= (isGoogle ? 40 : 12)
    for (isNamed, name, renewal) in [
      (namesPayment, "paymentId", purchase.renewal ?? 0), (namesOriginal, "originalPaymentId", 0),
    ] as [(Bool, StaticString, UInt64)] where isNamed {
      line.member(name) { Self.putPayment(purchase.traits, renewal: renewal, of: store, into: &$0) }
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
