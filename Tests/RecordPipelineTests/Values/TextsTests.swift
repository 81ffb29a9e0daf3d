import RecordPipeline
import Testing

/// Free texts and tokens under other limits and with stored tokens; the fixtures have the others.
struct TextsTests {
  @Test(arguments: ["payload", "productType", "purchaseToken", "accessToken"])
  func `a text above the limit in bytes is refused`(name: String) throws {
    var rules = standardRules
    rules.limits.textBytes = 10
    for (text, isFine) in [
      ("0123456789", true), ("0123456789a", false), ("ééééé", true), ("éééééé", false),
      ("\\u0041\\u0042\\n", true), ("\\u0000\\u0000\\u0000", true),
      ("\\u0000\\u0000\\u0000xx", false),
    ] where name == "payload" || !text.contains("\\u0000") {
      let changes: KeyValuePairs<String, String?> = [name: "\"\(text)\""]
      if isFine {
        #expect(try row(receipt(changes), rules: rules)["user_id"] == "u1")
      } else {
        let rejection = try rejection(receipt(changes), rules: rules)
        #expect(rejection.code == .textTooLong && rejection.field == name)
      }
    }
  }

  @Test func `a token is kept beside its digest only with the option`() throws {
    var storing = standardRules
    storing.storesPurchaseTokens = true
    let line = receipt(["purchaseToken": #""a\/b""#])
    #expect(try row(line)["purchase_token"] == nil)
    let stored = try row(line, rules: storing)
    #expect(stored["purchase_token"] == "a/b")
    #expect(stored["purchase_token_sha256"] == (try row(line)["purchase_token_sha256"]))
    // A masked line holds only the digest, so there is no token to store.
    let digest = "sha256:" + (stored["purchase_token_sha256"] ?? "")
    let masked = try row(receipt(["purchaseToken": "\"\(digest)\""]), rules: storing)
    #expect(masked["purchase_token"] == nil)
    #expect(masked["purchase_token_sha256"] == stored["purchase_token_sha256"])
  }
}
