import PipelineInvariants
import SHA256
import Testing

@testable import RecordPipeline

/// Masking of texts that a fixture cannot hold; the fixtures have the forms of names and values.
struct TokenMaskingTests {
  private static let marker = "SECRETMARKER"

  /// The kept text; nil when it is not kept.
  private func kept(_ text: String) -> String? {
    switch Array(text.utf8).withSlice({ TokenMasking.kept($0) }) {
    case .masked(let masked): String(decoding: masked, as: UTF8.self)
    case .nothing: nil
    case .unchanged: text
    }
  }

  private func line(_ text: String, textBytes: Int = 100) -> String {
    var limits = Limits()
    limits.textBytes = textBytes
    return String(
      decoding: Array(text.utf8).withSlice { TokenMasking.keptLine($0, limits: limits) },
      as: UTF8.self)
  }

  private static func digest(_ text: String) -> String {
    "sha256:" + hex(SHA256.digest(of: text.utf8))
  }

  /// The text within an object within this many strings.
  private static func within(_ strings: Int, _ text: String) -> String {
    (0..<strings).reduce(text) { text, _ in "{\"a\":\(jsonText(text)),\"b\":1}" }
  }

  @Test func `a refused line is cut before a token that is refused`() {
    let long = String(repeating: "x", count: 101)
    #expect(line("{\"a\":{} ,\"purchaseToken\":\"\(long)\"}") == #"{"a":{} ,""#)
    // A replay must not accept the rest as an object.
    #expect(line(#"{"a":{}} purchaseToken=x"#) == #"{"a":{"#)
    let invalid = Array(#"{"purchaseToken":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
    #expect(invalid.withSlice { TokenMasking.keptLine($0, limits: Limits()) } == Array(#"{""#.utf8))
  }

  @Test func `only the kept part of a refused line is copied`() {
    let token = #""purchaseToken":"x","#
    let text = "{" + String(repeating: token, count: 100_000) + "}"
    let kept = line(text)
    #expect(kept.utf8.count == Limits.rejectedLineBytes)
    #expect(text.replacing("\"x\"", with: "\"\(Self.digest("x"))\"").hasPrefix(kept))
  }

  @Test func `UTF-16 and UTF-32 do not hide a name`() throws {
    let line = receipt(["purchaseToken": "\"\(Self.marker)\""])
    for width in [2, 4] {
      for isBig in [false, true] {
        let zeros = [UInt8](repeating: 0, count: width - 1)
        let bytes = line.utf8.flatMap { isBig ? zeros + [$0] : [$0] + zeros }
        let reject = try #require(try Reading(ChunkedSource(bytes), as: .receipt).rejects.first)
        let letters = String(decoding: reject.raw.filter { $0 != 0 }, as: UTF8.self)
        #expect(letters.contains("paymentSeq") && !letters.contains("SECRET"))
      }
    }
  }

  @Test func `a line truncated anywhere never shows the token`() {
    let line = receipt(["purchaseToken": "\"\(Self.marker)\"", "payload": #""x""#])
    for length in 1...line.utf8.count {
      #expect(!self.line(String(line.prefix(length))).contains("SECR"))
    }
  }

  // MARK: - Random texts

  private static let pieces = [
    "\"", "\\", "{", "}", "[", "]", ":", ",", "purchaseToken", "\\u", "u0054", "u005c", "'", " ",
    "x", "\0", "p",
    "\\\"", "null", "=", "\n", "\\n", "\u{FF1A}",
  ]
  private static let connections = [
    "\"", "\\", "'", " ", ":", "=", "[", "{", "\\\"", "(", "%3D", "\\n", "x",
  ]

  /// The rule says which texts are tokens; here the text between a name and the marker never ends a value.
  @Test func `no random text after a name is shown`() {
    var random = SplitMix(state: 7)
    func text(_ pieces: [String], _ count: Range<Int>) -> String {
      (0..<Int.random(in: count, using: &random))
        .compactMap { _ in pieces.randomElement(using: &random) }.joined()
    }
    for _ in 0..<3_000 {
      let name = ["purchaseToken", "purchase\\u0054oken", "\\\\u0061ccessToken"]
        .randomElement(using: &random)
      let planted =
        text(Self.pieces, 0..<12) + " " + (name ?? "") + text(Self.connections.dropLast(), 1..<2)
        + text(Self.connections, 0..<5) + Self.marker + text(Self.pieces, 0..<6)
      for text in [planted, Self.within(1, planted), Self.within(2, planted)] {
        #expect(!(kept(text) ?? "").contains(Self.marker), "\(text)")
        #expect(!line(text).contains(Self.marker), "\(text)")
      }
    }
  }

  @Test func `random nested objects are masked as they would be one by one`() {
    var random = SplitMix(state: 11)
    let tokens = [
      "abc", #"a\/b"#, #"a\u00e9b"#, #"a\"b"#, #"a\\b"#, #"\ud83d\ude00"#, "}", #"\\\""#,
    ]
    func value(_ depth: Int) -> String {
      switch Int.random(in: 0..<(depth > 3 ? 3 : 6), using: &random) {
      case 0: "1"
      case 1: #""text, with \"quotes\" and \\ ""#
      case 2: "null"
      case 3: "[" + value(depth + 1) + "," + value(depth + 1) + "]"
      case 4: jsonText(object(depth + 1))
      default: object(depth + 1)
      }
    }
    func object(_ depth: Int) -> String {
      let members = (0..<Int.random(in: 1..<4, using: &random)).map { index in
        Bool.random(using: &random)
          ? "\"PaymentToken\" : \"\(tokens.randomElement(using: &random) ?? "")\""
          : "\"k\(index)\":\(value(depth))"
      }
      return "{" + members.joined(separator: ",\n") + "}"
    }
    for _ in 0..<500 {
      let json = object(0)
      let masked = kept(json)
      #expect(masked != nil)
      for strings in 1..<6 {
        #expect(kept(Self.within(strings, json)) == masked.map { Self.within(strings, $0) })
      }
    }
  }
}
