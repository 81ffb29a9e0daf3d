/// A currency, level and attribution of a player's paid purchases, as one number.
///
/// The number holds three bytes of the currency, two bits of the attribution and the level.
package struct PaidGroup: Hashable, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// - Parameter currency: three bytes.
  init(currency: some Sequence<UInt8>, at level: LevelAtInstant) {
    var number: Int64 = 0
    for byte in currency { number = number << 8 | Int64(byte) }
    let attribution: Int64 =
      switch level.attribution {
      case .none: 0
      case .exact: 1
      case .highestOfSeveral: 2
      }
    let bits = UInt32(bitPattern: level.level ?? 0)
    rawValue = (number << 2 | attribution) << 32 | Int64(bits)
  }

  var currency: Int64 { rawValue >> 34 }
}
