/// One generated purchase, before it is written as a line.
///
/// Every spelling of the line holds these values and no other values that a loader compares, so a
/// second spelling is always a duplicate.
struct Receipt: Sendable {
  /// The writer of a receipt, which decides the names and spellings of its fields.
  enum Shape: Int, CaseIterable, Sendable {
    case iOS, android, unity, unreal, server, serverMillis

    /// True for the names of the server API, such as `marketId` for `storeCode`.
    var isServer: Bool { self == .server || self == .serverMillis }
  }

  /// The store of a purchase.
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

  /// Free text: the template and the number in it.
  struct Payload: Sendable {
    var template: Int
    var number: UInt64
  }

  /// The original spelling of the receipt; it also decides the form of the token.
  var origin = Shape.iOS
  var user: UInt64 = 0
  var app: Int?
  var paymentSeq: UInt64 = 0
  /// Milliseconds since 1970-01-01 UTC.
  var purchaseTime: Int64 = 0
  /// Milliseconds since 1970-01-01 UTC; 0 for a purchase without expiry.
  var expiryTime: Int64 = 0
  var product = 0
  var hasGamebaseProductID = true
  var currency = 0
  var store = Store.appStore
  /// SDKs before 2.45.0 print no store.
  var hasStoreCode = true
  var tokenSeed: UInt64 = 0
  /// The length in characters, 146...156, so that a sample line has about 490 bytes.
  var tokenLength = 146
  var paymentSeed: UInt64 = 0
  var hasPaymentID = true
  /// The number of the payment of a subscription, from 0; nil for other products.
  var renewal: UInt64?
  /// A loader treats an empty text as absent, but it is visible in the line.
  var hasEmptyPayload = false
  var payload: Payload?
  /// nil when the writer omits the flag, which is not the same as false.
  var isSandbox: Bool?
  /// nil when the writer omits the flag, which is not the same as false.
  var isPromotion: Bool?
  /// A number in 0..<100 that selects rare spellings of this receipt.
  var quirk: UInt64 = 0
}
