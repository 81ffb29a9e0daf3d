import RecordPipeline
import Testing

/// Free texts, product types and tokens.
struct TextsTests {
  @Test(arguments: [
    (#""a""#, "a"), (#"" ""#, " "), (#""\n\t""#, "\n\t"), ("null", nil), (#""""#, nil),
    ("\"\u{2028}\u{FEFF}\u{FFFF}\"", "\u{2028}\u{FEFF}\u{FFFF}"), (#""\u0001""#, "\u{1}"),
  ])
  func `a payload is kept unchanged`(text: String, expected: String?) throws {
    let row = try row(receipt(["payload": text]))
    #expect(row["payload"] == expected)
    #expect(row["text_repaired"] == "false")
  }

  @Test func `a payload that cannot be stored is repaired, and the row is marked`() throws {
    let row = try row(receipt(["payload": #""a\u0000b\ud800c\udc00""#]))
    #expect(row["payload"] == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
    #expect(row["text_repaired"] == "true")
  }

  @Test(arguments: ["5", "true", "[]", "{}"])
  func `a payload of another type is refused`(text: String) throws {
    #expect(try rejection(receipt(["payload": text])).code == .wrongType)
    #expect(try rejection(receipt(["productType": text])).code == .wrongType)
    #expect(try rejection(receipt(["purchaseToken": text])).code == .wrongType)
  }

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

  @Test(
    arguments: [
      ("UNKNOWN", "UNKNOWN", nil), ("CONSUMABLE", "CONSUMABLE", nil),
      ("AUTO_RENEWABLE", "AUTO_RENEWABLE", nil),
      ("CONSUMABLE_AUTO_RENEWABLE", "CONSUMABLE_AUTO_RENEWABLE", nil),
      ("consumable", "CONSUMABLE", "consumable"), ("Unknown", "UNKNOWN", "Unknown"),
      ("auto renewable", "AUTO_RENEWABLE", "auto renewable"),
      ("Auto-Renewable", "AUTO_RENEWABLE", "Auto-Renewable"),
      ("consumable-auto renewable", "CONSUMABLE_AUTO_RENEWABLE", "consumable-auto renewable"),
      ("AUTORENEWABLE", "AUTO_RENEWABLE", "AUTORENEWABLE"),
      ("autoRenewable", "AUTO_RENEWABLE", "autoRenewable"),
      ("AUTO_SUBSCRIPTION", "AUTO_RENEWABLE", "AUTO_SUBSCRIPTION"),
      ("auto subscription", "AUTO_RENEWABLE", "auto subscription"),
      ("CONSUMABLE ", "UNKNOWN", "CONSUMABLE "), ("BUNDLE", "UNKNOWN", "BUNDLE"),
      ("СONSUMABLE", "UNKNOWN", "СONSUMABLE"), (" ", "UNKNOWN", " "), ("", nil, nil),
      ("AUTO__RENEWABLE", "UNKNOWN", "AUTO__RENEWABLE"), ("\\u0043ONSUMABLE", "CONSUMABLE", nil),
      ("AUTOSUBSCRIPTION", "UNKNOWN", "AUTOSUBSCRIPTION"),
    ] as [(String, String?, String?)])
  func `a product type is one of four, and a different spelling is kept`(
    text: String, type: String?, raw: String?
  ) throws {
    let row = try row(receipt(["productType": "\"\(text)\""]))
    #expect(row["product_type"] == type)
    #expect(row["product_type_raw"] == raw)
  }

  /// SHA-256 of `abc`, from the standard's own examples.
  private let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  @Test func `a token is stored as its digest, and a digest is stored unchanged`() throws {
    let upper = digest.uppercased()
    for text in ["abc", "\\u0061bc", "sha256:\(digest)", "sha256:\(upper)"] {
      for name in ["purchaseToken", "accessToken"] {
        let changes: KeyValuePairs<String, String?> = [name: "\"\(text)\""]
        #expect(try row(receipt(changes))["purchase_token_sha256"] == digest)
      }
    }
    #expect(
      try row(receipt(["purchaseToken": "\"SHA256:\(digest)\""]))["purchase_token_sha256"] != digest
    )
    #expect(
      try row(receipt(["purchaseToken": "\"sha256:\(digest)0\""]))["purchase_token_sha256"]
        != digest)
    #expect(try row(receipt(["purchaseToken": #""""#]))["purchase_token_sha256"] == nil)
    #expect(try row(receipt(["purchaseToken": "null"]))["purchase_token_sha256"] == nil)
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

  @Test(arguments: [#""a\u0000""#, #""\ud800""#, #""\udc00x""#])
  func `a token with a character that cannot be stored is refused`(text: String) throws {
    let rejection = try rejection(receipt(["purchaseToken": text]))
    #expect(rejection.code == .invalidCharacter)
    #expect(rejection.field == "purchaseToken")
  }

  @Test(arguments: [
    ("US", RejectCode.invalidCurrency), ("USDD", .invalidCurrency), ("U D", .invalidCurrency),
    ("ZZZ", .invalidCurrency), ("U$D", .invalidCurrency), ("ＵＳＤ", .invalidCurrency),
    ("\u{212A}RW", .invalidCurrency), ("€", .invalidCurrency), ("[]{", .invalidCurrency),
    ("840", .invalidCurrency), ("USD\\u0000", .invalidCurrency), ("@@@", .invalidCurrency),
    ("XAU", .currencyWithoutMinorUnit), ("XDR", .currencyWithoutMinorUnit),
    ("XXX", .currencyWithoutMinorUnit), ("xts", .currencyWithoutMinorUnit),
    ("DEM", .currencyNotValidAtTime), ("VED", .currencyNotValidAtTime), ("", .missingField),
  ])
  func `a text that is no currency of that day is refused`(text: String, code: RejectCode) throws {
    let rejection = try rejection(receipt(["currency": "\"\(text)\""]))
    #expect(rejection.code == code)
    #expect(rejection.field == "currency")
  }

  @Test(arguments: [
    ("usd", "USD"), ("uSd", "USD"), ("\\u0055SD", "USD"), ("hrk", "HRK"), ("eur", "EUR"),
  ])
  func `a currency is stored in upper case`(text: String, code: String) throws {
    #expect(try row(receipt(["currency": "\"\(text)\""]))["currency"] == code)
  }

  @Test(arguments: [
    // Croatia's kuna ended on 2022-12-31 and was accepted for 400 days more.
    ("HRK", "2022-12-31T23:59:59.999Z", true), ("HRK", "2025-01-01T00:00:00Z", false),
    // VED began on 2021-10-01. The offset can move a time to another day in UTC.
    ("VED", "2021-10-01T00:00:00Z", true), ("VED", "2021-10-01T08:59:59+09:00", false),
    ("VED", "2021-09-30T23:59:59.999Z", false), ("VED", "2021-09-30T20:00:00-04:00", true),
  ])
  func `the purchase's day in UTC decides whether a currency is valid`(
    currency: String, time: String, isValid: Bool
  ) throws {
    let line = receipt(["currency": "\"\(currency)\"", "purchaseTime": "\"\(time)\""])
    if isValid {
      #expect(try row(line)["currency"] == currency)
    } else {
      #expect(try rejection(line).code == .currencyNotValidAtTime)
    }
  }
}
