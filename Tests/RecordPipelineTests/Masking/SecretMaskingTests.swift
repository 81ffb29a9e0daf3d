import PipelineInvariants
import SHA256
import Testing

@testable import RecordPipeline

struct SecretMaskingTests {
  private static let marker = "SECRETMARKER"
  private let marker = SecretMaskingTests.marker

  private func masked(line text: String) -> String {
    mask(text) { SecretMasking.masked(line: $0, textLimit: 100) }
  }

  private func masked(malformed text: String) -> String {
    mask(text, SecretMasking.masked(malformed:))
  }

  private func mask(_ text: String, _ masking: (ByteSlice) -> [UInt8]) -> String {
    var text = text
    return text.withUTF8 { utf8 in
      guard let start = utf8.baseAddress else { return "" }
      return String(decoding: masking(ByteSlice(start: start, count: utf8.count)), as: UTF8.self)
    }
  }

  private func digest(_ text: String) -> String {
    "sha256:" + hex(SHA256.digest(of: text.utf8))
  }

  @Test(arguments: [
    "purchaseToken", "accessToken", "paymentToken", "Purchasetoken", "PAYMENTTOKEN",
  ])
  func `a token's text is replaced by its digest`(name: String) {
    #expect(masked(line: "{\"\(name)\":\"abc\"}") == "{\"\(name)\":\"\(digest("abc"))\"}")
    #expect(
      masked(line: "[{\"a\":{\"\(name)\" :\t\"abc\" }}]")
        == "[{\"a\":{\"\(name)\" :\t\"\(digest("abc"))\" }}]")
    let escapedName = name.replacing("e", with: "\\u0065").replacing("E", with: "\\u0045")
    #expect(
      masked(line: "{\"\(escapedName)\":\"abc\"}") == "{\"\(escapedName)\":\"\(digest("abc"))\"}")
  }

  @Test func `an escaped token has the digest of its text`() {
    #expect(
      masked(line: #"{"purchaseToken":"a\/b\u0041\ud83d\ude00\"c"}"#)
        == "{\"purchaseToken\":\"\(digest("a/bA\u{1F600}\"c"))\"}")
  }

  @Test(arguments: ["5", "-1.5e3", "true", "false", "[1,[\"]\"]]", #"{"a":{"b":"}"}}"#])
  func `a token of another type is replaced by an array of its digest`(value: String) {
    let once = masked(line: "{\"accessToken\":\(value),\"x\":1}")
    #expect(once == "{\"accessToken\":[\"\(digest(value))\"],\"x\":1}")
    #expect(masked(line: once) == once)
  }

  @Test(arguments: [
    #"a\u0000b"#, #"\ud800"#, String(repeating: "x", count: 101),
  ])
  func `a refused token is still refused after masking`(text: String) {
    let once = masked(line: "{\"purchaseToken\":\"\(text)\"}")
    #expect(once.hasPrefix("{\"purchaseToken\":[\"sha256:"))
    #expect(masked(line: once) == once)
  }

  @Test func `a token of the longest length is masked like a shorter one`() {
    let longest = String(repeating: "x", count: 100)
    #expect(
      masked(line: "{\"purchaseToken\":\"\(longest)\"}")
        == "{\"purchaseToken\":\"\(digest(longest))\"}")
  }

  @Test func `a record in a string is masked like a line`() {
    let token = #"a\/b\u0041\""#
    let record = "{\"purchaseToken\" : \"\(token)\", \"x\":\"\\n\"}"
    let written = record.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let expected = "{\"purchaseToken\" : \"\(digest("a/bA\""))\", \"x\":\"\\n\"}"
      .replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    #expect(
      masked(line: "{\"accessToken\":\"t\",\"r\\u0065c\":\"\(written)\",\"y\":{}}")
        == "{\"accessToken\":\"\(digest("t"))\",\"r\\u0065c\":\"\(expected)\",\"y\":{}}")
  }

  @Test(arguments: [
    "{}", "[]", "null", #"{"a":"b"}"#, #"{"purchaseToken":null,"accessToken":""}"#,
    #"{"purchaseToken ":"c","xpurchaseToken":"d","purchase_token":"e"}"#,
    #"["purchaseToken","a"]"#, #"{"a":"purchaseToken","b":"c"}"#, #"{"a":"\"purchaseToken\":"}"#,
    "{ \"a\" : [ 1 , \"\\\\\" ] }", #"{"purchaseToken\u0000":"a"}"#,
  ])
  func `a line without a secret is unchanged`(text: String) {
    #expect(masked(line: text) == text)
  }

  @Test func `masking is idempotent`() {
    let text = #"{"purchaseToken":"a\/b","x":{"accessToken":5},"paymentToken":["z"]}"#
    let once = masked(line: text)
    #expect(masked(line: once) == once)
    #expect(masked(malformed: once) == once)
  }

  @Test func `only a complete digest counts as a digest`() {
    let digest = digest("abc")
    for text in [digest, "sha256:" + digest.dropFirst(7).uppercased()] {
      #expect(masked(line: "{\"purchaseToken\":\"\(text)\"}") == "{\"purchaseToken\":\"\(text)\"}")
    }
    for text in [
      digest + "0", String(digest.dropLast()), digest.dropLast() + "g",
      "SHA256" + digest.dropFirst(6),
    ] {
      #expect(
        masked(line: "{\"purchaseToken\":\"\(text)\"}")
          == "{\"purchaseToken\":\"\(self.digest(String(text)))\"}")
    }
  }

  // MARK: - Broken text

  /// Malformed lines that hold the marker in place of a token.
  private static let broken: [String] = {
    let marker = SecretMaskingTests.marker
    let members = [
      "\"purchaseToken\":\"\(marker)\"", "\"accessToken\":\"\(marker)\"",
      "\"paymentToken\" : \"\(marker)\"", "'purchaseToken':'\(marker)'", "purchaseToken:\(marker)",
      "purchaseToken=\(marker)", "purchaseToken => '\(marker)'", "\"purchaseToken\" \"\(marker)\"",
      "\"purchaseToken\":\"a,\(marker)\"", "\"purchaseToken\":\"a\\/\(marker)\"",
      "\"purchaseToken\":\"a\\\"\(marker)\"", "\"purchaseToken\":\"a \(marker) b\"",
      "\"purchaseToken\":[\"\(marker)\"]", "\"purchaseToken\":{\"v\":\"\(marker)\"}",
      "\"purchaseToken\":'a \(marker)'", "\"purchaseToken\":`a \(marker)`",
      "\"purchaseToken\":[}\"\(marker)\"]", "\"purchaseToken\":\(marker)",
      "\\\"purchaseToken\\\":\\\"a\\\\/\(marker)\\\"", "'purchaseToken':'a\"\(marker)'",
      "\"purchase\\u0054oken\":\"\(marker)\"", "\"purchaseToken\":\"\(marker)",
      "\"purchaseToken\":x\"a\":{\"accessToken\":\"},\(marker)\"",
      "\"purchaseToken\":\"a purchaseToken\":\"\(marker)\"",
      "'purchaseToken':'a \"accessToken\":\"'\(marker)\"",
      "purchaseToken%3D:\"\(marker)\"".replacing("%3D", with: ""),
      "\"purchaseToken\":\"a\"b\"\(marker)\"", "\"purchaseToken\":\"\" \"\(marker)\"",
      "\"purchaseToken\":x \(marker)", "\"purchaseToken\":nul \"\(marker)\"",
      "[purchaseToken] => \(marker)", "\"\"purchaseToken\"\":\"\"\(marker)\"\"",
    ]
    let frames: [(String, String)] = [
      ("{", ""), ("{", ",}"), ("{\"a\":\"x\", ", "} trailing"), ("{\"a\":[1,2,", "}"), ("", ""),
      ("NaN {", "}"), ("{\"a\":1 ", "}"), ("\u{FEFF}{", "}"), ("{\"a\":\u{1}\"", "\"}"),
    ]
    return members.flatMap { member in frames.map { $0.0 + member + $0.1 } }
  }()

  @Test(arguments: broken)
  func `malformed text never shows a token`(text: String) {
    #expect(!masked(malformed: text).contains(marker))
  }

  /// After an extra quote, the text between strings looks like a string, and the strings do not.
  @Test(arguments: [
    "\"SECRETMARKER\"", "\"a,SECRETMARKER\"", "\"a\\/SECRETMARKER\"", "[\"SECRETMARKER\"]",
    "{\"v\":\"SECRETMARKER\"}", "SECRETMARKER", "\"a}SECRETMARKER\"", "\"a b SECRETMARKER",
  ])
  func `an extra quote before a token does not reveal it`(value: String) {
    for quote in ["\"", "\"\"", "\\\"", "'"] {
      let text = "{\"a\":\"x\"\(quote), \"purchaseToken\":\(value), \"b\":1}"
      #expect(!masked(malformed: text).contains(marker), "\(text)")
    }
  }

  @Test func `a line truncated anywhere never shows the token`() {
    let line = receipt(["purchaseToken": "\"\(marker)\"", "payload": #""x""#])
    let start = line.utf8.count - "\(marker)\",\"payload\":\"x\"}".utf8.count
    for length in start + 4...line.utf8.count {
      let cut = String(line.prefix(length))
      #expect(!masked(malformed: cut).contains("SECR"), "\(cut)")
    }
  }

  @Test func `UTF-16 and UTF-32 do not hide a token`() throws {
    let line = receipt(["purchaseToken": "\"\(marker)\""])
    for width in [2, 4] {
      for isBig in [false, true] {
        let zeros = [UInt8](repeating: 0, count: width - 1)
        let bytes = line.utf8.flatMap { isBig ? zeros + [$0] : [$0] + zeros }
        let reject = try #require(
          try Reading(ChunkedSource(bytes), as: .receipt).rejects.first)
        let letters = String(decoding: reject.raw.filter { $0 != 0 }, as: UTF8.self)
        #expect(!letters.contains("SECRET"))
        #expect(letters.contains("paymentSeq"))
      }
    }
  }

  @Test func `values that are not secret stay in a malformed line`() {
    let text = #"{"userId":"u1","payload":"a, b","purchaseToken":"abc","price":4.99,"x":}"#
    let expected = text.replacing("\"abc\"", with: "\"\(digest("abc"))\"")
    #expect(masked(malformed: text) == expected)
  }

  @Test func `random bytes of JSON's alphabet never crash the masking`() {
    var random = SplitMix(state: 3)
    let pieces = [
      "\"", "\\", "{", "}", "[", "]", ":", ",", "purchaseToken", "\\u", "u0054", "'", " ", "x",
      "\0", "p",
    ]
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 1..<40, using: &random))
        .compactMap { _ in pieces.randomElement(using: &random) }.joined()
      _ = masked(malformed: text)
      _ = masked(line: text)
    }
  }

  // MARK: - Lines

  @Test(arguments: [#""abc""#, #""a\/b\u0041\ud83d\ude00""#, #""sha256:abc""#, #""é \n""#])
  func `a masked line loads to the same digest and the same extra`(token: String) throws {
    let line = receipt([
      "purchaseToken": token, "nested": "[{\"accessToken\":\(token)}]", "paymentToken": token,
      "price": "\"x\"",
    ])
    let reject = try #require(try Reading(line, as: .receipt).rejects.first)
    let mended = String(decoding: reject.raw, as: UTF8.self).replacing("\"x\"", with: "1")
    let original = try row(line.replacing("\"x\"", with: "1"))
    #expect(try row(mended).description == original.description)
    #expect(original["purchase_token_sha256"]?.utf8.count == 64)
  }

  /// Stores deliver receipts as JSON in a string, and developers pass them on in payloads.
  @Test(arguments: [
    #""{\"purchaseToken\":\"SECRETMARKER\"}""#, #""{\"accessToken\" : [\"SECRETMARKER\"]}""#,
    #""purchaseToken=SECRETMARKER&x=1""#, #""purchaseToken=SECRETMARKER\"x""#,
    #""purchaseToken=SECRETMARKER\\\"x\" y""#, #""{'paymentToken':'SECRETMARKER'}""#,
    #"[{"a":"{\"b\":\"{\\\"purchaseToken\\\":\\\"SECRETMARKER\\\"}\"}"}]"#,
    #""{\"accessToken\"\t\r :\n\t\"SECRETMARKER\"}""#,
    #""{\"purchase\\u0054oken\":\"SECRETMARKER\"}""#,
    #""purchaseToken='a accessToken='SECRETMARKER'""#, #""purchaseToken='a' + 'SECRETMARKER'""#,
  ])
  func `a token within a string's text is masked in extra and in rejects`(value: String) throws {
    let extra = try #require(row(receipt(["originalJson": value]))["extra"])
    #expect(JSONOracle.isStorableObject(Array(extra.utf8)[...]))
    #expect(!extra.contains(marker))
    #expect(extra.contains("sha256:"))
    let line = receipt(["originalJson": value, "payload": value, "price": "\"x\""])
    let reject = try #require(try Reading(line, as: .receipt).rejects.first)
    let raw = String(decoding: reject.raw, as: UTF8.self)
    #expect(!raw.contains(marker))
    #expect(try Reading(raw, as: .receipt).rejects.first?.rejection == reject.rejection)
  }

  @Test func `text that only mentions a token is unchanged`() throws {
    let value = #""a purchaseToken is secret","purchaseTokenType":"t","paymentToken":null"#
    let extra = try #require(row(receipt(["note": value]))["extra"])
    #expect(extra.contains("a purchaseToken is secret"))
    #expect(extra.contains("purchaseTokenType"))
    #expect(!extra.contains("sha256:"))
  }

  @Test(arguments: [
    "\"{\\\"purchaseToken\\\":\\\"SECRETMARKER\\\"}\"", "[{\"purchaseToken\":\"SECRETMARKER\"}]",
    "{\"purchaseToken\":\"SECRETMARKER\"}", "{\"x\":[{\"paymentToken\":[\"SECRETMARKER\"]}]}",
  ])
  func `no reject shows a token`(line: String) throws {
    for stream in StreamCatalog.all {
      for reject in try Reading(line, as: stream).rejects {
        #expect(!String(decoding: reject.raw, as: UTF8.self).contains(marker))
        #expect(!reject.rejection.reason.contains(marker))
      }
    }
  }
}
