internal import RecordPipeline

/// The writer of a line, which decides the names and spellings of its fields.
enum Dialect: Sendable {
  case iOS, android, server
}

/// The values of a receipt.
struct Purchase: Sendable {
  let product: Int
  let price: Price
  /// Random bits; the same for all payments of a subscription.
  let bits: UInt64
  /// The state of the subscription after this payment.
  var subscription: Subscription?
  var isPromotion = false
}

/// Writes a player's records at one time as lines in the dialects of the SDKs and of the server.
struct LineWriter {
  let player: Player
  let time: Int64

  private var dialect: Dialect {
    time % 20 == 0 ? .server : player.store == "AS" ? .iOS : .android
  }

  /// A level-up or a snapshot, by the name of its time.
  func state(_ timeName: String) -> String {
    let character = player.character
    return line(
      #"""
      "userLevel":\#(character.level),"\#(timeName)":\#(value(time)),\#
      "channelId":\#(value(player.channel)),"characterId":\#(value(character.id)),\#
      "\#(dialect == .server ? "characterClassId" : "classId")":\#(value(character.className))
      """#)
  }

  /// A product as the shop shows it.
  func item(_ product: Int, _ price: Price, isSold: Bool) -> String {
    let id = Shop.products[product].id
    return line(
      #"""
      \#(members(of: product, price)),"itemName":"\#(id)",\#
      "localizedTitle":"\#(price.currency == Shop.won ? "상품 " : "")\#(id)",\#
      "\#(dialect == .iOS ? "active" : "isActive")":\#(isSold),"eventTime":\#(value(time))
      """#)
  }

  func receipt(_ purchase: Purchase, paymentSeq: Int) -> String {
    var random = SeededRandom(purchase.bits, player: purchase.subscription?.renewals ?? 0)
    // Apple's writer escapes the slash, which does not change the token.
    let slash = dialect == .iOS ? #"\/"# : "/"
    let token = (0..<8).map { _ in random.code() }.joined(separator: slash)
    var members = #"""
      "paymentSeq":"\#(paymentSeq)",\#(members(of: purchase.product, purchase.price)),\#
      "\#(dialect == .server ? "accessToken" : "purchaseToken")":"\#(token)",\#
      "purchaseTime":\#(value(time))\#(paymentIDs(of: purchase))
      """#
    if let subscription = purchase.subscription {
      members += #","expiryTime":\#(value(subscription.end))"#
    } else if dialect != .server {
      members += #","expiryTime":0"#
    }
    if random.chance(30) { members += #","payload":"여름 {\"slot\":\#(random.below(1000))}""# }
    let isTest = player.isTester
    switch dialect {
    case .iOS where !player.hasOldSDK:
      members += #","sandboxPayment":\#(isTest),"promotionPayment":\#(purchase.isPromotion)"#
    case .android where isTest: members += #","purchaseType":"Test""#
    case .android where purchase.isPromotion: members += #","purchaseType":"Promotion""#
    case .server: members += #","isTestPurchase":\#(isTest)"#
    default: break
    }
    return line(members)
  }

  /// An event message; an SDK writes its data as a text.
  func event(_ category: String, _ data: String, id: String?) -> String {
    func constant() -> String { "kTCGB\(category.prefix(1).uppercased())\(category.dropFirst())" }
    return line(
      #"""
      "eventTime":\#(value(time))\#(id.map { #","eventId":"\#($0)""# } ?? ""),\#
      "category":"\#(dialect == .iOS ? constant() : category)",\#
      "data":\#(dialect == .server ? data : quoted(data))
      """#)
  }

  // MARK: - Members

  private func line(_ members: String) -> String { "\(player.start)\(members)\(player.end)" }

  private func members(of product: Int, _ price: Price) -> String {
    let (bought, isServer) = (Shop.products[product], dialect == .server)
    let store = #","\#(isServer ? "marketId" : "storeCode")":"\#(player.store)""#
    return #"""
      "gamebaseProductId":"\#(bought.id)","marketItemId":"sky.\#(bought.id)",\#
      "\#(isServer ? "productSeq" : "itemSeq")":\#(1_000_001 + product),\#
      "price":\#(price.text(dialect)),"currency":"\#(Shop.currencies[price.currency].code)",\#
      "productType":"\#(bought.type)"\#(player.hasOldSDK ? "" : store)
      """#
  }

  /// The store's numbers of the payment and of its subscription; without them, only user, product
  /// and store link the payments.
  private func paymentIDs(of purchase: Purchase) -> String {
    let number = 2_000_000_000_000_000 + purchase.bits >> 14
    let renewals = purchase.subscription?.renewals ?? 0
    if number % 10 == 0 { return "" }
    if player.store == "GG" {
      // The first renewal of a Google order is `..0`.
      return #","paymentId":"GPA.\#(number)\#(renewals > 0 ? "..\(renewals - 1)" : "")""#
    }
    let first = purchase.subscription == nil ? "" : #","originalPaymentId":"\#(number)""#
    return #","paymentId":"\#(number + UInt64(renewals))"\#(first)"#
  }

  /// A time as a value: milliseconds, or RFC 3339 at +09:00 from a server.
  private func value(_ time: Int64) -> String {
    dialect == .server ? #""\#(instant(time + 9 * 3_600_000).dropLast())+09:00""# : "\(time)"
  }

  /// A text as a value; Android writes a missing one as `""`.
  private func value(_ text: String?) -> String {
    text.map { "\"\($0)\"" } ?? (dialect == .android ? "\"\"" : "null")
  }

  /// JSON within a JSON string.
  private func quoted(_ json: String) -> String {
    let scalars = json.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
    return "\"\(scalars.joined())\""
  }
}
