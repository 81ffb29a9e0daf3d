import Testing

@testable import RecordPipeline

/// The search for erased users in malformed lines, compared with a slow and simple search.
struct NameSearchTests {
  private static let key = ErasureKey(Array(0..<32))
  private static let ids = [
    "u1", "7", "a b", "u\\", "\\", "a\"b", "a/b", "é", "😀", "é😀x", "\u{8}\u{C}\n\r\t", "user-17_x",
    "{\"id\":\"u2\"}", "\\u0075", "ü\"\\\"",
  ]

  private static func search(hasFilters: Bool = true) -> NameSearch {
    let users = ids.map { id in
      ErasedUsers.User(
        tombstone: key.tombstone(of: id.utf8), filter: hasFilters ? key.filter(of: id.utf8) : nil,
        appID: nil)
    }
    return NameSearch(ErasedUsers(users, key: key))
  }

  private static func finds(_ search: NameSearch, _ line: [UInt8]) -> Bool {
    StoredLine(bytes: line, number: 1, byteOffset: 0).withLine {
      search.findsErasedUser(in: $0.bytes)
    }
  }

  /// A text as a JSON string, in a random spelling.
  private static func quoted(_ text: String, using random: inout some RandomNumberGenerator)
    -> String
  {
    var result = "\""
    for scalar in text.unicodeScalars {
      let units = String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
      let short: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "/": "\\/", "\u{8}": "\\b", "\u{C}": "\\f", "\n": "\\n",
        "\r": "\\r", "\t": "\\t",
      ]
      switch Int.random(in: 0..<4, using: &random) {
      case 0: result += units
      case 1: result += short[scalar] ?? units
      default: result += short[scalar] ?? String(scalar)
      }
    }
    return result + "\""
  }

  private static let pieces = [
    "\\", "\"", "u", "\\u", "\\ud83d", "\\ude00", "\\u00", "{", "}", ":", ",", " ", "é", "\\\"",
    "\\\\", "\\n", "\\uzzzz", "\\u0075", "\\u005c", "\\u0022", "1", "userId", "-", "\u{201C}",
  ]

  /// A line with ids in nested strings, well-formed or with random damage.
  private static func line(using random: inout some RandomNumberGenerator) -> [UInt8] {
    var text = ""
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: text += pieces.randomElement(using: &random) ?? ""
      case 1: text += ids.randomElement(using: &random) ?? ""
      default:
        var inner = ids.randomElement(using: &random) ?? ""
        if Bool.random(using: &random) { inner += "x" }
        for _ in 0..<Int.random(in: 1...5, using: &random) {
          inner = quoted(inner, using: &random)
          if Bool.random(using: &random) { inner = "{\"x\":\(inner)}" }
        }
        text += inner
      }
    }
    var line = Array(text.utf8)
    for _ in 0..<Int.random(in: 0...3, using: &random) where !line.isEmpty {
      let place = line.indices.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<4, using: &random) {
      case 0: line.remove(at: place)
      case 1: line[place] = UInt8.random(in: .min ... .max, using: &random)
      case 2: line.insert(Bool.random(using: &random) ? 0x5C : 0x22, at: place)
      default: line.removeSubrange(place...)
      }
    }
    return line
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `the search gives the same verdict as a search of each text`(seed: UInt64) {
    var random = SplitMix(state: seed)
    let oracle = NameSearchOracle(erased: Set(Self.ids.map { Array($0.utf8) }))
    let search = Self.search()
    let slow = Self.search(hasFilters: false)
    var found = 0
    for number in 0..<1500 {
      let line = Self.line(using: &random)
      let expected = oracle.findsErasedUser(in: line)
      found += expected ? 1 : 0
      #expect(Self.finds(search, line) == expected, "\(String(decoding: line, as: UTF8.self))")
      // Without filters, the search computes the tombstone of every text.
      if number.isMultiple(of: 20) { #expect(Self.finds(slow, line) == expected) }
    }
    // Both verdicts occur often enough.
    #expect((150...1350).contains(found), "\(found)")
  }

  @Test(arguments: ["o\"hara\\x", "a \"b\"", "\\\"", "\"a", "é\"\\"])
  func `an id with quotes is found in JSON within strings`(
    id: String
  ) {
    let user = ErasedUsers.User(
      tombstone: Self.key.tombstone(of: id.utf8), filter: Self.key.filter(of: id.utf8), appID: nil)
    let search = NameSearch(ErasedUsers([user], key: Self.key))
    var line = "{\"userId\":\(jsonText(id)),\"price\":-2}"
    for _ in 0..<3 {
      #expect(Self.finds(search, Array(line.utf8)), "\(line)")
      line = "{\"userId\":\"x9\",\"data\":\(jsonText(line))}"
    }
  }

  @Test func `bytes beyond the limit are ignored, and lines of escapes match the oracle`() {
    let search = Self.search()
    let limit = 128 * 1024
    let filling = [UInt8](repeating: UInt8(ascii: "{"), count: limit - 4)
    #expect(Self.finds(search, filling + Array("\"u1\"".utf8)))
    #expect(!Self.finds(search, filling + Array("   \"u1\"".utf8)))
    for piece in ["\\", "\"\\", "\\\"", "\\\\\"", "\\u005c", "\\u00e9\""] {
      let line = Array(String(repeating: piece, count: limit / piece.utf8.count + 5).utf8)
      let oracle = NameSearchOracle(erased: Set(["ü"].map { Array($0.utf8) }))
      let user = ErasedUsers.User(
        tombstone: Self.key.tombstone(of: "ü".utf8), filter: Self.key.filter(of: "ü".utf8),
        appID: nil)
      let other = NameSearch(ErasedUsers([user], key: Self.key))
      #expect(Self.finds(other, line) == oracle.findsErasedUser(in: line))
    }
  }

  @Test func `a user with a known filter value but without a tombstone is not erased`() {
    let key = Self.key
    let wrong = ErasedUsers.User(
      tombstone: key.tombstone(of: "u1".utf8), filter: key.filter(of: "u2".utf8), appID: nil)
    let search = NameSearch(ErasedUsers([wrong], key: key))
    #expect(!Self.finds(search, Array("u2".utf8)))
    #expect(key.filter(of: "u1".utf8) != key.filter(of: "u2".utf8))
    #expect(key.filter(of: "u1".utf8) != ErasureKey(Array(1..<33)).filter(of: "u1".utf8))
    // The filter's key is neither a tombstone nor the check value.
    let byTombstone = SipHash(key: key.tombstone(of: []))
    let byCheckValue = SipHash(key: key.checkValue)
    let one = Array("u1".utf8).withUnsafeBytes { [byTombstone($0), byCheckValue($0)] }
    #expect(!one.contains(key.filter(of: "u1".utf8)))
  }
}
