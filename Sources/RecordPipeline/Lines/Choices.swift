/// A product type, and the line's text where it differs from the type's name.
struct ProductType: Equatable {
  /// One of the four names of the vendor.
  let name: KeptText
  let differingText: KeptText?

  // Two spellings of one type are the same value.
  static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  /// The texts of the types, in upper case and with underscores.
  ///
  /// - Source: the vendor's enums and consoles also write `AUTORENEWABLE`, `AUTO_SUBSCRIPTION`, lower case,
  ///   and blanks for the underscores.
  private static let spellings: [(text: StaticString, name: StaticString)] = [
    ("UNKNOWN", "UNKNOWN"), ("CONSUMABLE", "CONSUMABLE"), ("AUTO_RENEWABLE", "AUTO_RENEWABLE"),
    ("CONSUMABLE_AUTO_RENEWABLE", "CONSUMABLE_AUTO_RENEWABLE"),
    ("AUTORENEWABLE", "AUTO_RENEWABLE"), ("AUTO_SUBSCRIPTION", "AUTO_RENEWABLE"),
  ]

  /// Any text that is none of the types becomes `UNKNOWN`.
  init(_ text: KeptText) {
    let known =
      Self.spellings.first { text == $0.text }
      ?? Self.spellings.first { spelling, _ in
        text.bytes.buffer.lazy.map(Self.plain).elementsEqual(KeptText(spelling).bytes.buffer)
      }
    name = KeptText(known?.name ?? "UNKNOWN")
    differingText = name == text ? nil : text
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
  static func productType(
    _ line: inout Self, _ raw: RawValue
  ) throws(Rejection) -> ProductType? {
    try line.text(raw, noun: "a product type").map { ProductType($0) }
  }

  /// A flag: `true`, `false`, `1`, `0`, or one of these four as a string.
  ///
  /// Other values are refused, not guessed.
  static func flag(_ line: inout Self, _ raw: RawValue) throws(Rejection) -> Bool? {
    let text = line.resolved(raw)
    switch raw.kind {
    case .null: return nil
    case .true: return true
    case .false: return false
    case .number where text == "1", .string where text == "1" || text == "true": return true
    case .number where text == "0", .string where text == "0" || text == "false": return false
    default: throw Rejection(.invalidFlag, "a flag must be true, false, 1 or 0")
    }
  }

  /// The flag that the type of a purchase implies, which Android gives instead.
  static func impliedFlag(_ line: inout Self, _ raw: RawValue) throws(Rejection) -> Field.Kind? {
    if raw.isAbsent { return nil }
    if raw.kind == .string {
      let text = line.resolved(raw)
      if text == "Test" { return .sandboxFlag }
      if text == "Promo" || text == "Promotion" { return .promotionFlag }
    }
    throw Rejection(.invalidPurchaseType, "it must be Test, Promo or Promotion")
  }

  /// The value of a flag that `purchaseType` can make true, but never false.
  mutating func impliableFlag(_ field: Field) -> Bool? {
    let flag = value(of: field, Self.flag)
    guard facts.impliedFlag == field.kind else { return flag }
    guard flag == false else { return true }
    let (name, implying) = (spelling(of: field), spelling(of: stream[.purchaseType]))
    note(
      Rejection(
        .ambiguousField, field: implying, "\(name) is false, but \(implying) implies true"))
    return flag
  }
}
