/// One made-up purchase, before it is spelled as a line.
///
/// Whatever the spelling, a line holds these values and no others that a loader compares: that
/// makes a second spelling a certain duplicate.
struct Receipt: Sendable {
  /// Who writes a receipt, and with that the names and prints of its fields.
  enum Shape: Int, CaseIterable, Sendable {
    case iOS, android, unity, unreal, server, serverMillis

    /// Whether the names are those of the server API, `marketId` for `storeCode` and others.
    var isServer: Bool { self == .server || self == .serverMillis }
  }

  /// Where a purchase was made.
  enum Store: Int, Sendable {
    case appStore, google, oneStore, galaxy, huawei

    /// The code of the vendor's server table.
    var code: StaticString {
      switch self {
      case .appStore: "AS"
      case .google: "GG"
      case .oneStore: "ONESTORE"
      case .galaxy: "GALAXY"
      case .huawei: "HUAWEI"
      }
    }

    /// The other stores have no subscriptions.
    var hasSubscriptions: Bool { self == .appStore || self == .google }
  }

  /// Free text: which template, and the number in it.
  struct Payload: Sendable {
    var template: Int
    var number: UInt64
  }

  /// The shape that the receipt was first written in; it also shapes the token.
  var origin = Shape.iOS
  var user: UInt64 = 0
  var app: Int?
  var paymentSeq: UInt64 = 0
  /// Milliseconds since 1970-01-01 UTC.
  var purchaseTime: Int64 = 0
  /// Milliseconds since 1970-01-01 UTC; 0 for what does not expire.
  var expiryTime: Int64 = 0
  var product = 0
  var hasGamebaseProductID = true
  var currency = 0
  var store = Store.appStore
  /// SDKs before 2.45.0 print no store.
  var hasStoreCode = true
  var tokenSeed: UInt64 = 0
  /// Characters, 146...156: a sample line has about 490 bytes.
  var tokenLength = 146
  var paymentSeed: UInt64 = 0
  var hasPaymentID = true
  /// The how many-th payment of a subscription, from 0; nil for what is none.
  var renewal: UInt64?
  /// An empty text is the same as none to a loader, yet not to a reader of the line.
  var hasEmptyPayload = false
  var payload: Payload?
  /// nil where the writer says nothing, which is not the same as false.
  var isSandbox: Bool?
  /// nil where the writer says nothing, which is not the same as false.
  var isPromotion: Bool?
  /// A number in 0..<100 that decides on rare prints of this receipt.
  var quirk: UInt64 = 0
}
