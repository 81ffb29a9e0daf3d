/// The four product types of the vendor.
package enum ProductType: String, Sendable, CaseIterable {
  case unknown = "UNKNOWN"
  case consumable = "CONSUMABLE"
  case autoRenewable = "AUTO_RENEWABLE"
  case consumableAutoRenewable = "CONSUMABLE_AUTO_RENEWABLE"

  var text: StaticString {
    switch self {
    case .unknown: "UNKNOWN"
    case .consumable: "CONSUMABLE"
    case .autoRenewable: "AUTO_RENEWABLE"
    case .consumableAutoRenewable: "CONSUMABLE_AUTO_RENEWABLE"
    }
  }
}

/// A product type, and the line's text where it differs from the type's name.
struct NormalizedProductType: Equatable, IndependentKind {
  static let summary = "product type"
  static let columns = [Column(.text), Column(.text, .follower)]

  let type: ProductType
  let differingText: KeptText?

  // Two spellings of one type are the same value.
  static func == (left: Self, right: Self) -> Bool { left.type == right.type }

  /// One of the four types; any other text becomes `UNKNOWN`.
  ///
  /// - Source: the vendor's enums and consoles also write `AUTORENEWABLE`, `AUTO_SUBSCRIPTION`,
  ///   lower case, and blanks for the underscores.
  static func normalize(_ line: inout DecodedLine, _ raw: RawValue) throws(ValueProblem) -> Self? {
    if raw.isAbsent { return nil }
    guard raw.kind == .string else {
      throw ValueProblem(.wrongType, "a product type must be a string, not \(raw.kindName)")
    }
    let text = try line.storableText(raw)
    for type in ProductType.allCases where text == type.text {
      return NormalizedProductType(type: type, differingText: nil)
    }
    return NormalizedProductType(type: knownSpelling(text.bytes) ?? .unknown, differingText: text)
  }

  static func write(_ value: Self?, of line: inout DecodedLine, to row: inout RowBuffer) {
    if let value { row.text(value.type.text) } else { row.null() }
    row.text(value?.differingText)
  }

  private static func knownSpelling(_ text: ByteSlice) -> ProductType? {
    for type in ProductType.allCases where isSpelling(text, of: type.text) { return type }
    if isSpelling(text, of: "AUTORENEWABLE") || isSpelling(text, of: "AUTO_SUBSCRIPTION") {
      return .autoRenewable
    }
    return nil
  }

  /// True when the text differs from the name at most in case, and in blanks or hyphens instead of
  /// underscores.
  private static func isSpelling(_ text: ByteSlice, of name: StaticString) -> Bool {
    guard text.count == name.utf8CodeUnitCount else { return false }
    for index in 0..<text.count {
      var byte = text[index]
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "-"): byte = UInt8(ascii: "_")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte -= 0x20
      default: break
      }
      if byte != name.utf8Start[index] { return false }
    }
    return true
  }
}
