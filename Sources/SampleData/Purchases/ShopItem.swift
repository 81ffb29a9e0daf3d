/// One item of the shop as one user was shown it, before it is written as a line.
///
/// In every spelling, a line holds these values and no others that a loader compares, so an item
/// that is repeated in another spelling is always a duplicate.
struct ShopItem: Sendable {
  /// The user who was shown the shop.
  var user: UInt32
  /// An index into the application ids; nil for a line without one.
  var app: Int?
  /// An index into the products.
  var product: Int
  /// An index into the currencies.
  var currency: Int
  /// nil for a line of an SDK that prints no store.
  var store: Receipt.Store?
  var isActive: Bool
  var hasDescription: Bool
  /// Milliseconds since 1970-01-01 UTC.
  var time: Int64
  var origin: PlayerMoment.Shape
}
