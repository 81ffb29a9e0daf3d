/// A simple search, which looks at each text of the line separately.
///
/// It is slow and needs memory for every text. Tests compare `NameSearch` with it.
struct NameSearchOracle {
  let erased: Set<[UInt8]>

  func findsErasedUser(in line: [UInt8]) -> Bool {
    findsErasedUser(in: Array(line.prefix(128 * 1024)), level: 0)
  }

  private func findsErasedUser(in bytes: [UInt8], level: Int) -> Bool {
    let quoted = Self.quotedTexts(in: bytes)
    let texts = bytes.split(separator: UInt8(ascii: "\"")) + quoted
    return texts.contains { isErasedUser($0) || isErasedUserEscaped($0) }
      || bytes.split { !Self.isPartOfWord($0) }.contains { isErasedUser($0) }
      || (level < 4
        && quoted.contains { findsErasedUser(in: Self.resolved(Array($0)), level: level + 1) })
  }

  /// The JSON strings that contain escaped quotes, such as JSON in a string.
  private static func quotedTexts(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var texts: [ArraySlice<UInt8>] = []
    var start: Int?
    var holdsQuote = false
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "\\") {
        holdsQuote = holdsQuote || bytes.dropFirst(index + 1).first == UInt8(ascii: "\"")
        index += 1
      } else if bytes[index] == UInt8(ascii: "\"") {
        if let start, holdsQuote { texts.append(bytes[start..<index]) }
        start = start == nil ? index + 1 : nil
        holdsQuote = false
      }
      index += 1
    }
    return texts
  }

  private func isErasedUser(_ id: some Collection<UInt8>) -> Bool {
    !id.isEmpty && erased.contains(Array(id))
  }

  private func isErasedUserEscaped(_ text: some Collection<UInt8>) -> Bool {
    var text = Array(text)
    for _ in 0..<4 where text.contains(UInt8(ascii: "\\")) {
      let ending = text.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
      if isErasedUser(text.dropLast(ending)) { return true }
      if !ending.isMultiple(of: 2) { text.removeLast() }
      if isErasedUser(text) { return true }
      text = Self.resolved(text)
      if isErasedUser(text) { return true }
    }
    return false
  }

  private static func resolved(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < bytes.count else {
        result.append(byte)
        index += 1
        continue
      }
      if let (scalar, length) = unicodeEscape(bytes, at: index) {
        result.append(contentsOf: Array(String(Character(scalar)).utf8))
        index += length
      } else {
        result.append(control(bytes[index + 1]))
        index += 2
      }
    }
    return result
  }

  private static func control(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  private static func unicodeEscape(
    _ bytes: [UInt8], at start: Int
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    guard let unit = unit(bytes, at: start) else { return nil }
    if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
    guard UTF16.isLeadSurrogate(unit), let trail = self.unit(bytes, at: start + 6),
      UTF16.isTrailSurrogate(trail)
    else { return nil }
    return (UTF16.decode(UTF16.EncodedScalar([unit, trail])), 12)
  }

  private static func unit(_ bytes: [UInt8], at start: Int) -> UInt16? {
    guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"),
      bytes[start + 1] == UInt8(ascii: "u")
    else { return nil }
    let digits = String(decoding: bytes[start + 2..<start + 6], as: UTF8.self)
    // `UInt16` would accept a sign before the digits, but JSON and the search in SQL do not.
    return digits.allSatisfy(\.isHexDigit) ? UInt16(digits, radix: 16) : nil
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
