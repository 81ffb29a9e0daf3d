/// One generated purchase, before it is written as a line.
///
/// In every spelling, a line holds these values and no others that a loader compares, so a receipt
/// that is repeated in another spelling is always a duplicate.
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

    /// The store's code in the vendor's server API.
    var code: StaticString {
      switch self {
      case .appStore: "AS"
      case .google: "GG"
      case .oneStore: "ONESTORE"
      case .galaxy: "GALAXY"
      case .huawei: "HUAWEI"
      }
    }

    /// True when the samples have subscriptions in this store.
    var hasSubscriptions: Bool { self == .appStore || self == .google }

    /// The store of a device.
    init(of traits: UserTraits) {
      self =
        if traits.isOnIOS {
          .appStore
        } else {
          switch traits.androidStore {
          case ..<78: .google
          case ..<92: .oneStore
          case ..<97: .galaxy
          default: .huawei
          }
        }
    }
  }

  /// A free text: the index of its template, and the number in it.
  struct Payload: Sendable {
    var template: Int
    var number: UInt64
  }

  /// The original spelling of the receipt; it also decides the form of the token.
  var origin = Shape.iOS
  var user: UInt32 = 0
  var app: Int?
  var paymentSeq: UInt64 = 0
  /// Milliseconds since 1970-01-01 UTC.
  var purchaseTime: Int64 = 0
  /// Milliseconds since 1970-01-01 UTC; 0 for a purchase without expiry.
  var expiryTime: Int64 = 0
  var product = 0
  /// An index into the price tiers, usually the product's.
  var tier = 0
  /// True for the first period of a subscription that costs nothing.
  var isTrial = false
  var hasGamebaseProductID = true
  var currency = 0
  var store = Store.appStore
  /// False for a line of an SDK before 2.45.0, which prints no store.
  var hasStoreCode = true
  var tokenSeed: UInt64 = 0
  /// The length in characters, 146...156, so that a sample line has about 490 bytes.
  var tokenLength = 146
  var paymentSeed: UInt64 = 0
  var hasPaymentID = true
  /// False when the line does not name the first payment of its subscription.
  var hasOriginalPaymentID = true
  /// The number of this payment among those of its subscription, from 0; nil for other products.
  var renewal: UInt64?
  /// True when the line has an empty payload, which a loader treats as absent.
  var hasEmptyPayload = false
  var payload: Payload?
  /// nil when the writer omits the flag, which is not the same as false.
  var isSandbox: Bool?
  /// nil when the writer omits the flag, which is not the same as false.
  var isPromotion: Bool?
  /// A number in 0..<100 that selects rare spellings of this receipt.
  var quirk: UInt64 = 0
}
