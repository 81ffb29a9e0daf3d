/// The type of a purchase, which Android gives instead of the sandbox and promotion flags.
enum PurchaseType { case test, promotion }

/// The four product types of the vendor.
package enum ProductType: String, Sendable, CaseIterable {
  case unknown = "UNKNOWN"
  case consumable = "CONSUMABLE"
  case autoRenewable = "AUTO_RENEWABLE"
  case consumableAutoRenewable = "CONSUMABLE_AUTO_RENEWABLE"
}

/// A product type, and the line's text where it differs from the type's name.
struct WrittenProductType: Equatable {
  let type: ProductType
  let differingText: KeptText?

  // Two spellings of one type are the same value.
  static func == (left: Self, right: Self) -> Bool { left.type == right.type }

  /// The types, and their other spellings in upper case and with underscores.
  ///
  /// - Source: the vendor's enums and consoles also write `AUTORENEWABLE`, `AUTO_SUBSCRIPTION`, lower case,
  ///   and blanks for the underscores.
  fileprivate static let spellings: [(name: StaticString, type: ProductType)] = [
    ("UNKNOWN", .unknown), ("CONSUMABLE", .consumable), ("AUTO_RENEWABLE", .autoRenewable),
    ("CONSUMABLE_AUTO_RENEWABLE", .consumableAutoRenewable),
    ("AUTORENEWABLE", .autoRenewable), ("AUTO_SUBSCRIPTION", .autoRenewable),
  ]
}

extension WrittenProductType {
  /// Any text that is none of the types becomes `UNKNOWN`.
  init(_ text: KeptText) {
    if let index = Self.spellings.firstIndex(where: { text == $0.name }) {
      let isName = index < ProductType.allCases.count
      self.init(type: Self.spellings[index].type, differingText: isName ? nil : text)
    } else {
      let known = Self.spellings.first { name, _ in
        name.withUTF8Buffer { text.bytes.buffer.lazy.map(Self.plain).elementsEqual($0) }
      }
      self.init(type: known?.type ?? .unknown, differingText: text)
    }
  }

  /// A letter in upper case, and an underscore for a blank or a hyphen.
  private static func plain(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "-"): UInt8(ascii: "_")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
    default: byte
    }
  }
}

extension DecodedLine {
  mutating func productType(_ raw: RawValue) throws(Rejection) -> WrittenProductType? {
    try text(raw, noun: "a product type").map { WrittenProductType($0) }
  }

  /// A flag: `true`, `false`, `1`, `0`, or one of these four as a string.
  ///
  /// Other values are refused, not guessed.
  mutating func flag(_ raw: RawValue) throws(Rejection) -> Bool? {
    switch raw.kind {
    case .null: return nil
    case .true: return true
    case .false: return false
    case .number, .string:
      let text = resolved(raw)
      if text == "1" { return true }
      if text == "0" { return false }
      if raw.kind == .string, text == "true" { return true }
      if raw.kind == .string, text == "false" { return false }
    case .array, .object: break
    }
    throw Rejection(.invalidFlag, "a flag must be true, false, 1 or 0")
  }

  mutating func purchaseType(_ raw: RawValue) throws(Rejection) -> PurchaseType? {
    if raw.isAbsent { return nil }
    if raw.kind == .string {
      let text = resolved(raw)
      if text == "Test" { return .test }
      if text == "Promo" || text == "Promotion" { return .promotion }
    }
    throw Rejection(.invalidPurchaseType, "it must be Test, Promo or Promotion")
  }

  /// The value of a flag that `purchaseType` can make true, but never false.
  mutating func flag(_ field: Field, impliedBy type: PurchaseType) -> Bool? {
    let flag = value(of: field) { line, raw throws(Rejection) in try line.flag(raw) }
    guard facts.purchaseType == type else { return flag }
    guard flag == false, let other = table.field(.purchaseType) else { return true }
    let names = (spelling(of: field), spelling(of: other))
    note(
      Rejection(
        .ambiguousField, field: names.1, "\(names.0) is false, but \(names.1) implies true"))
    return flag
  }
}
