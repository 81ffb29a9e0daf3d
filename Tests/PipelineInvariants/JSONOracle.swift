/// Decides whether bytes are one JSON text, strictly by the grammar of RFC 8259.
///
/// It shares no code and no approach with the decoder, so that it can check the decoder: a plain
/// scanner, byte by byte, with a stack of open brackets.
package struct JSONOracle {
  package enum Verdict: Equatable, Sendable {
    case object(levels: Int)
    case otherValue(levels: Int)
    case malformed
    case notUTF8
  }

  private struct Malformed: Error {}

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var levels = 0
  /// True when an escape names a character that PostgreSQL's text cannot hold: NUL, or a lone
  /// surrogate.
  private var hasUnstorableEscape = false

  package static func verdict(on bytes: ArraySlice<UInt8>) -> Verdict {
    var oracle = JSONOracle(bytes)
    guard String(validating: bytes, as: UTF8.self) != nil else { return .notUTF8 }
    do { return try oracle.text() } catch { return .malformed }
  }

  /// True for a JSON value that PostgreSQL can store and read.
  package static func isStorable(_ bytes: ArraySlice<UInt8>) -> Bool {
    var oracle = JSONOracle(bytes)
    return String(validating: bytes, as: UTF8.self) != nil && (try? oracle.text()) != nil
      && !oracle.hasUnstorableEscape
  }

  /// True for a JSON object that PostgreSQL can store and read by member.
  package static func isStorableObject(_ bytes: ArraySlice<UInt8>) -> Bool {
    var oracle = JSONOracle(bytes)
    guard String(validating: bytes, as: UTF8.self) != nil, case .object? = try? oracle.text() else {
      return false
    }
    return !oracle.hasUnstorableEscape
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: wanted) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ wanted: Unicode.Scalar) throws(Malformed) {
    if !take(wanted) { throw Malformed() }
  }

  private mutating func skipWhiteSpace() {
    while next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D { position += 1 }
  }

  private mutating func text() throws(Malformed) -> Verdict {
    skipWhiteSpace()
    let isObject = next == UInt8(ascii: "{")
    try value()
    skipWhiteSpace()
    guard next == nil else { throw Malformed() }
    return isObject ? .object(levels: levels) : .otherValue(levels: levels)
  }

  /// Scans one value of any depth; `open` holds the closing bracket of each level.
  private mutating func value() throws(Malformed) {
    var open: [Unicode.Scalar] = []
    repeat {
      // A value starts here.
      skipWhiteSpace()
      if take("{") {
        open.append("}")
        levels = max(levels, open.count)
        skipWhiteSpace()
        if next != UInt8(ascii: "}") {
          try name()
          continue
        }
      } else if take("[") {
        open.append("]")
        levels = max(levels, open.count)
        skipWhiteSpace()
        if next != UInt8(ascii: "]") { continue }
      } else {
        try scalar()
      }
      // A value, or the inside of an empty container, ends here.
      while let bracket = open.last {
        skipWhiteSpace()
        if take(bracket) {
          open.removeLast()
          continue
        }
        try expect(",")
        if bracket == "}" {
          skipWhiteSpace()
          try name()
        }
        break
      }
    } while !open.isEmpty
  }

  private mutating func name() throws(Malformed) {
    try string()
    skipWhiteSpace()
    try expect(":")
  }

  private mutating func scalar() throws(Malformed) {
    switch next {
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: try number()
    }
  }

  private mutating func word(_ word: String) throws(Malformed) {
    for letter in word.unicodeScalars { try expect(letter) }
  }

  private mutating func digits() throws(Malformed) {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    if position == start { throw Malformed() }
  }

  private mutating func number() throws(Malformed) {
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
  }

  private mutating func string() throws(Malformed) {
    try expect("\"")
    /// The high surrogate directly before this escape, if there is one.
    var hasOpenPair = false
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        if hasOpenPair { hasUnstorableEscape = true }
        return
      case 0..<0x20:
        throw Malformed()
      case UInt8(ascii: "\\"):
        let unit = try escape()
        let isSecondHalf = (0xDC00...0xDFFF).contains(unit)
        if isSecondHalf != hasOpenPair || unit == 0 { hasUnstorableEscape = true }
        hasOpenPair = (0xD800...0xDBFF).contains(unit)
      default:
        if hasOpenPair { hasUnstorableEscape = true }
        hasOpenPair = false
      }
    }
    throw Malformed()
  }

  /// Scans the escape after a backslash; returns the UTF-16 unit that it names.
  private mutating func escape() throws(Malformed) -> UInt32 {
    guard let letter = next else { throw Malformed() }
    position += 1
    guard letter == UInt8(ascii: "u") else {
      guard #""\/bfnrt"#.utf8.contains(letter) else { throw Malformed() }
      return 1
    }
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80
      else { throw Malformed() }
      unit = unit * 16 + UInt32(digit)
      position += 1
    }
    return unit
  }
}
