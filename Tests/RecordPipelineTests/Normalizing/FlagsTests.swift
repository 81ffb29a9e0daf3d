import RecordPipeline
import Testing

struct FlagsTests {
  private static let sandbox = ["sandboxPayment", "isTestPurchase", "bIsTestPurchase"]
  private static let promotion = ["promotionPayment", "isPromotion", "bIsPromotion"]

  @Test(
    arguments: sandbox + promotion,
    [
      ("true", "true"), ("1", "true"), (#""true""#, "true"), (#""1""#, "true"), ("false", "false"),
      ("0", "false"), (#""false""#, "false"), (#""0""#, "false"), ("null", nil),
      (#""\u0031""#, "true"),
    ] as [(String, String?)])
  func `a flag has eight spellings, and an absent one is NULL`(
    name: String, value: (text: String, expected: String?)
  ) throws {
    let changes: KeyValuePairs<String, String?> = [name: value.text]
    let row = try row(receipt(changes))
    let isSandbox = Self.sandbox.contains(name)
    #expect(row["is_sandbox"] == (isSandbox ? value.expected : nil))
    #expect(row["is_promotion"] == (isSandbox ? nil : value.expected))
  }

  @Test(arguments: [
    #""""#, "1.0", "1e0", "-0", "2", "-1", #""TRUE""#, #""True""#,
    #""yes""#, #""Y""#, #"" 1""#, #""1.0""#, #""null""#, "[]", "[true]", "{}", #""true\u0000""#,
  ])
  func `any other flag is refused`(text: String) throws {
    for name in ["sandboxPayment", "bIsPromotion"] {
      let changes: KeyValuePairs<String, String?> = [name: text]
      let rejection = try rejection(receipt(changes))
      #expect(rejection.code == .invalidFlag)
      #expect(rejection.field == name)
    }
  }

  @Test(
    arguments: [
      (#""Test""#, "true", nil), (#""Promo""#, nil, "true"), (#""Promotion""#, nil, "true"),
      (#""\u0054est""#, "true", nil), ("null", nil, nil), (#""""#, nil, nil), (nil, nil, nil),
    ] as [(String?, String?, String?)])
  func `a purchase type sets one flag and leaves the other NULL`(
    text: String?, sandbox: String?, promotion: String?
  ) throws {
    let row = try row(receipt(["purchaseType": text]))
    #expect(row["is_sandbox"] == sandbox)
    #expect(row["is_promotion"] == promotion)
  }

  @Test func `a purchase type can be combined with the other flag`() throws {
    let row = try row(
      receipt(["purchaseType": #""Test""#, "isPromotion": "false", "sandboxPayment": "null"]))
    #expect(row["is_sandbox"] == "true")
    #expect(row["is_promotion"] == "false")
  }

  @Test(arguments: [
    #""test""#, #""TEST""#, #""promo""#, #""Test ""#, #"" ""#, #""Other""#, "0", "1", "true", "[]",
    "{}", #""Test\u0000""#,
  ])
  func `any other purchase type rejects the line`(text: String) throws {
    let rejection = try rejection(receipt(["purchaseType": text]))
    #expect(rejection.code == .invalidPurchaseType)
    #expect(rejection.field == "purchaseType")
  }
}
