import RecordPipeline
import Testing

/// Fields that occur more than once in a line: in two spellings, or twice in one spelling.
struct DecodedLineTests {
  @Test(arguments: [
    #""marketItemId":"m","productId":"m""#, #""productId":"m","marketItemId":"m""#,
    #""productId":"m","productId":"m""#, #""productId":"\u006d","productId":"m""#,
    #""product\u0049d":"m","productId":"m""#, #""productId":null,"marketItemId":"m""#,
    #""marketItemId":"m","productId":"""#, #""productId":null,"productId":"","productId":"m""#,
    #""itemSeq":5,"productSeq":"5""#, #""itemSeq":5.0,"itemSeq":5e0"#,
    #""storeCode":"GG","marketId":"GG""#, #""storeCode":7,"marketId":"7""#,
    #""expiryTime":1616649225531,"expiryTimeMillis":"2021-03-25T05:13:45.531Z""#,
    #""expiryTime":0,"expiryTimeMillis":-1"#, #""expiryTime":0,"expiryTimeMillis":null"#,
    #""purchaseTimeMillis":1616649225531.0"#, #""sandboxPayment":true,"isTestPurchase":"1""#,
    #""isTestPurchase":1,"bIsTestPurchase":true,"sandboxPayment":"true""#,
    #""promotionPayment":0,"isPromotion":false,"bIsPromotion":null"#,
    #""productType":"AUTO RENEWABLE","productType":"auto_renewable""#,
    #""currency":"usd""#, #""price":"4.990""#, #""price":4.989999771118164"#,
    #""purchaseToken":"abc","accessToken":"\u0061bc""#, #""userId":"u1","user\u0049d":"u1""#,
    #""accessToken":"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","purchaseToken":"abc""#,
    #""purchaseType":"Promo","purchaseType":"Promotion""#, #""payload":"a","payload":"\u0061""#,
    #""purchaseType":"Test","sandboxPayment":true"#, #""purchaseType":"Test","isPromotion":false"#,
  ])
  func `values that normalize to the same result agree`(members: String) throws {
    #expect(try row("{\(members),\(receipt().dropFirst())")["payment_seq"] == "p1")
    #expect(try row("\(receipt().dropLast()),\(members)}")["payment_seq"] == "p1")
  }

  @Test(arguments: [
    (#""marketItemId":"m","productId":"n""#, "productId"),
    (#""productId":"m","productId":"M""#, "productId"),
    (#""productId":"m","product\u0049d":"m ""#, "productId"),
    (#""itemSeq":5,"productSeq":6"#, "productSeq"),
    (#""storeCode":"GG","marketId":"AS""#, "marketId"),
    ("\"storeCode\":\"\u{E9}\",\"marketId\":\"e\u{301}\"", "marketId"),
    (#""expiryTime":1616649225531,"expiryTimeMillis":1616649225532"#, "expiryTimeMillis"),
    (#""expiryTime":0,"expiryTimeMillis":1616649225531"#, "expiryTimeMillis"),
    (#""sandboxPayment":true,"isTestPurchase":0"#, "isTestPurchase"),
    (#""productType":"CONSUMABLE","productType":"OTHER""#, "productType"),
    (#""purchaseToken":"a","accessToken":"b""#, "accessToken"),
    (#""purchaseType":"Promo","purchaseType":"Test""#, "purchaseType"),
    (#""payload":"a","payload":"b""#, "payload"), (#""appId":"a","appId":"b""#, "appId"),
    (#""purchaseType":"Test","sandboxPayment":false"#, "purchaseType"),
    (#""purchaseType":"Promo","bIsPromotion":"0""#, "purchaseType"),
    (#""eventTime":1616649225531,"eventTime":1616649225532"#, "eventTime"),
  ])
  func `different values of one field reject the line`(members: String, field: String) throws {
    let rejection = try rejection("\(receipt().dropLast()),\(members)}")
    #expect(rejection.code == .ambiguousField)
    #expect(rejection.field == field)
  }

  @Test(arguments: ["userId", "paymentSeq", "purchaseTime", "price", "currency"])
  func `both values of a repeated mandatory field must agree`(name: String) throws {
    let other = ["purchaseTime": "1616649225532", "price": "5"][name] ?? "\"EUR\""
    let rejection = try rejection("\(receipt().dropLast()),\"\(name)\":\(other)}")
    #expect(rejection.code == .ambiguousField)
    #expect(rejection.field == name)
    #expect(try row("\(receipt().dropLast()),\"\(name)\":null}")["user_id"] == "u1")
  }

  @Test func `an invalid value rejects the line even beside a valid one`() throws {
    let twice = receipt(["itemSeq": #"5,"productSeq":"five""#])
    #expect(try rejection(twice).code == .notAnInteger)
    #expect(try rejection(twice).field == "productSeq")
    #expect(
      try rejection(receipt(["sandboxPayment": #"true,"isTestPurchase":"""#])).code == .invalidFlag)
  }

  @Test func `a reject names the field in the line's spelling`() throws {
    let changes: KeyValuePairs<String, String?> = ["purchaseTime": nil, "purchaseTimeMillis": "5"]
    #expect(try rejection(receipt(changes)).field == "purchaseTimeMillis")
    #expect(try rejection(receipt(["purchaseTime": nil])).field == "purchaseTime")
    let blank: KeyValuePairs<String, String?> = ["purchaseTime": nil, "purchaseTimeMillis": "\"\""]
    #expect(try rejection(receipt(blank)).field == "purchaseTimeMillis")
    #expect(
      try rejection(gameUser(["characterClassId": "[]"]), as: .gameUser).field == "characterClassId"
    )
  }
}
