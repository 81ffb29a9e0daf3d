import RecordPipeline
import Testing

/// Lines of one stream that are known to break parsers and databases, with the expected outcome of
/// each.
struct TrapLines {
  enum Outcome {
    /// The text of each of these columns, by its bytes; nil is NULL.
    case stored([String: String?])
    case refused(RejectCode, field: String?)
  }

  let stream: RecordStream
  private(set) var lines: [[UInt8]] = []
  private(set) var outcomes: [Outcome] = []

  /// The mandatory members of a line, except the one that makes it unique.
  private let base: [(name: String, value: String)]
  private let uniqueField: String
  /// An optional identifier and its column.
  let identifier: (field: String, column: String)
  let timeField: String
  /// Nil for a stream without a field of whole numbers.
  let integerField: String?

  /// Nil for a stream whose fields are not listed here.
  init?(_ stream: RecordStream) {
    self.stream = stream
    switch stream.name {
    case "receipt":
      base = [
        ("userId", #""u""#), ("purchaseTime", "1751328000000"), ("price", "4.99"),
        ("currency", #""USD""#),
      ]
      uniqueField = "paymentSeq"
      identifier = ("storeCode", "store_code")
      timeField = "purchaseTime"
      integerField = "itemSeq"
    case "level_up":
      base = [("userLevel", "5"), ("levelUpTime", "1751328000000")]
      uniqueField = "userId"
      identifier = ("channelId", "channel_id")
      timeField = "levelUpTime"
      integerField = "userLevel"
    case "game_user":
      base = [("userLevel", "5"), ("eventTime", "1751328000000")]
      uniqueField = "userId"
      identifier = ("classId", "class_id")
      timeField = "eventTime"
      integerField = "userLevel"
    case "item":
      base = [
        ("price", "4.99"), ("currency", #""USD""#), ("eventTime", "1751328000000"),
      ]
      uniqueField = "gamebaseProductId"
      identifier = ("storeCode", "store_code")
      timeField = "eventTime"
      integerField = "itemSeq"
    case "event":
      base = [
        ("userId", #""u""#), ("category", #""observerLaunching""#),
        ("eventTime", "1751328000000"), ("data", #"{"code":5}"#),
      ]
      uniqueField = "eventId"
      identifier = ("category", "category")
      timeField = "eventTime"
      integerField = nil
    default: return nil
    }
  }

  /// A line that becomes a row.
  ///
  /// - Parameters:
  ///   - fields: JSON values by name, in place of or beside the usual ones.
  ///   - extra: members after all others, and their stored form where it differs.
  mutating func store(
    _ fields: KeyValuePairs<String, String> = [:], extra: String? = nil, storedAs: String? = nil,
    isRepaired: Bool = false, _ columns: [String: String?] = [:]
  ) {
    var columns = columns
    columns["extra"] = (storedAs ?? extra).map { "{\($0)}" }
    columns["text_repaired"] = isRepaired ? "true" : "false"
    lines.append(Array(line(fields, extra).utf8))
    outcomes.append(.stored(columns))
  }

  /// A line that is refused.
  mutating func refuse(
    _ code: RejectCode, _ field: String?, _ fields: KeyValuePairs<String, String> = [:],
    extra: String? = nil
  ) {
    lines.append(Array(line(fields, extra).utf8))
    outcomes.append(.refused(code, field: field))
  }

  /// A line that is refused because of bytes that a String cannot hold.
  mutating func refuse(_ code: RejectCode, bytes: [UInt8], in field: String? = nil) {
    var text = Array(line([field ?? "x": "\"~\""], nil).utf8)
    if let place = text.firstIndex(of: UInt8(ascii: "~")) {
      text.replaceSubrange(place...place, with: bytes)
    }
    lines.append(text)
    outcomes.append(.refused(code, field: nil))
  }

  private func line(_ fields: KeyValuePairs<String, String>, _ extra: String?) -> String {
    var members = [(name: uniqueField, value: "\"t\(lines.count)\"")] + base
    for (name, value) in fields {
      if let index = members.firstIndex(where: { $0.name == name }) {
        members[index].value = value
      } else {
        members.append((name, value))
      }
    }
    let written = members.map { "\"\($0.name)\":\($0.value)" } + (extra.map { [$0] } ?? [])
    return "{" + written.joined(separator: ",") + "}"
  }
}

// MARK: - The traps

extension TrapLines {
  /// Every trap of one stream, except those of size.
  static func all(_ stream: RecordStream) throws -> TrapLines {
    var traps = try #require(TrapLines(stream))
    traps.addTexts()
    traps.addUnstorableTexts()
    traps.addBrokenUTF8()
    traps.addTimes()
    traps.addNumbers()
    traps.addDepths()
    traps.addNames()
    if ["receipt", "item"].contains(stream.name) { traps.addPrices() }
    return traps
  }

  /// Texts that must be stored code point for code point.
  static let texts = [
    // Canonical equivalents: Swift's String calls each pair equal, PostgreSQL does not.
    "caf\u{E9}", "cafe\u{301}", "\u{212A}", "K", "\u{2126}", "\u{3A9}", "\u{AC00}",
    "\u{1100}\u{1161}",
    // The bounds of UTF-8, noncharacters, and invisible marks.
    "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}",
    String(decoding: [0xEF, 0xB7, 0x90], as: UTF8.self),
    "\u{10000}", "\u{10FFFF}", "\u{FEFF}", "a\u{200B}b", "\u{202E}txt.exe", "\u{2028}",
    // Texts that some programs execute.
    #"\."#, #"\N"#, #"\\x00"#, "'; drop table game.receipt; --", "$1 %s %n {}", "null", "NULL",
    "{1,2}", "=cmd()", "../../etc/passwd", "\u{1B}[31mred\u{1B}[0m", "\u{7}\u{8}", "a\r\nb\tc",
    "\"quoted\"", "{\"userId\":\"other\"}",
  ]

  private mutating func addTexts() {
    for text in Self.texts {
      let json = jsonString(text)
      // The user of an item is only compared with erased ones.
      store(["userId": json], stream.hasUser ? ["user_id": text] : [:])
      store([identifier.field: json], extra: "\"x\":\(json)", [identifier.column: text])
      // A text in escapes is the same text; `extra` keeps the escapes.
      let escapes = "\"" + text.utf16.map(escape).joined() + "\""
      store([identifier.field: escapes], extra: "\"x\":\(escapes)", [identifier.column: text])
    }
    if stream.name == "receipt" {
      let everything = Self.texts.joined(separator: "|")
      store(["payload": jsonString(everything)], ["payload": everything])
      refuse(.invalidCurrency, "currency", ["currency": "\"\u{212A}RW\""])
      refuse(.invalidCurrency, "currency", ["currency": "\"\u{FF2B}RW\""])
    }
  }

  private mutating func addUnstorableTexts() {
    for escape in [#"\u0000"#, #"\ud800"#, #"\udfff"#, #"\udc00\ud83d"#] {
      let repaired = escape.count > 6 ? "\u{FFFD}\u{FFFD}" : "\u{FFFD}"
      refuse(.invalidCharacter, "userId", ["userId": "\"a\(escape)\""])
      refuse(.invalidCharacter, identifier.field, [identifier.field: "\"\(escape)b\""])
      store(extra: "\"x\":\"a\(escape)b\"", storedAs: "\"x\":\"a\(repaired)b\"", isRepaired: true)
      store(extra: "\"\(escape)\":1", storedAs: "\"\(repaired)\":1", isRepaired: true)
      store(
        extra: "\"x\":[{\"\(escape)\":\"\(escape)\"}]",
        storedAs: "\"x\":[{\"\(repaired)\":\"\(repaired)\"}]", isRepaired: true)
      if stream.name == "receipt" {
        store(
          ["payload": "\"a\(escape)b\""], isRepaired: true, ["payload": "a\(repaired)b"])
        store(
          ["productType": "\"\(escape)\""], isRepaired: true,
          ["product_type": "UNKNOWN", "product_type_raw": repaired])
        refuse(.invalidCharacter, "purchaseToken", ["purchaseToken": "\"\(escape)\""])
        refuse(.invalidCurrency, "currency", ["currency": "\"US\(escape)\""])
      }
    }
  }

  private mutating func addBrokenUTF8() {
    let kinds: [[UInt8]] = [
      [0xFF], [0xFE], [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0xAF],
      [0xF0, 0x80, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
    ]
    for bytes in kinds {
      refuse(.invalidUTF8, bytes: bytes, in: "userId")
      refuse(.invalidUTF8, bytes: bytes)
    }
    refuse(.malformedJSON, bytes: [0], in: "userId")
    refuse(.malformedJSON, bytes: [0])
    refuse(.malformedJSON, bytes: [0x1B])
  }

  private mutating func addTimes() {
    let times: [(String, RejectCode)] = [
      // The values next to the bounds are no safer than the bounds themselves.
      ("9223372036854775807", .timeInNanoseconds), ("9223372036854775806", .timeInNanoseconds),
      ("-9223372036854775808", .timeOutOfRange), ("-9223372036854775807", .timeOutOfRange),
      ("9223372036854775808", .timeInNanoseconds), ("18446744073709551616", .timeOutOfRange),
      ("9223372036854775", .timeInMicroseconds), ("253402300799999", .timeOutOfRange),
      ("1e400", .timeOutOfRange), ("-1e400", .timeOutOfRange), ("1e-400", .timeTooPrecise),
      (digits(131_073), .timeOutOfRange), ("\"\(digits(131_073))\"", .timeOutOfRange),
      (#""infinity""#, .invalidTime), (#""-infinity""#, .invalidTime), (#""NaN""#, .invalidTime),
      (#""now""#, .invalidTime), (#""epoch""#, .invalidTime), (#""today""#, .invalidTime),
      (#""294276-12-31T23:59:59Z""#, .invalidTime), (#""0000-01-01T00:00:00Z""#, .invalidTime),
      (#""9999-12-31T23:59:59.999Z""#, .timeOutOfRange),
    ]
    for (time, code) in times {
      refuse(code, timeField, [timeField: time])
      if stream.name == "receipt", !time.hasPrefix("-") {
        refuse(code, "expiryTime", ["expiryTime": time])
      }
      if timeField != "eventTime" { refuse(code, "eventTime", ["eventTime": time]) }
    }
    if stream.name == "receipt" {
      store(["expiryTime": "-9223372036854775808"], ["expires_at": String?.none])
      store(["expiryTime": "-1e400"], ["expires_at": String?.none])
    }
  }

  private mutating func addNumbers() {
    for number in [
      digits(131_073), "-\(digits(131_073))", "0.\(digits(131_073))", "1e-16384", "1e131071",
      "1e131072", "1e400", "-1e400", "1e2147483648", "1E+99999999999999999999", "-0", "-0.0e-0",
      "1.50", "123456789012345678901234567890.000000001",
    ] {
      store(extra: "\"x\":\(number),\"y\":[\(number)]")
    }
    if let integerField {
      refuse(.integerOutOfRange, integerField, [integerField: digits(131_073)])
      refuse(.integerOutOfRange, integerField, [integerField: "1e2147483648"])
      refuse(.notAnInteger, integerField, [integerField: "1e-16384"])
    } else {
      refuse(.integerOutOfRange, "data.code", ["data": "{\"code\":\(digits(131_073))}"])
      refuse(.integerOutOfRange, "data.code", ["data": "{\"code\":1e2147483648}"])
      refuse(.notAnInteger, "data.code", ["data": "{\"code\":1e-16384}"])
    }
    refuse(.identifierTooLong, "userId", ["userId": digits(131_073)])
    for number in ["NaN", "Infinity", "-Infinity", "nan", "inf"] {
      refuse(.malformedJSON, nil, extra: "\"x\":\(number)")
    }
  }

  private mutating func addPrices() {
    for text in ["NaN", "nan", "Infinity", "-Infinity", "inf", "1e", "1_000", "0x1p3", " 1"] {
      refuse(.invalidPrice, "price", ["price": "\"\(text)\""])
    }
    for price in [digits(131_073), "1e131071", "1e2147483648", "99999999999999999999"] {
      refuse(.priceOutOfRange, "price", ["price": price])
      refuse(.priceOutOfRange, "price", ["price": "\"\(price)\""])
    }
    for price in ["1e-16384", "0.\(digits(131_073))", "4.989\(digits(20_000))"] {
      refuse(.priceTooPrecise, "price", ["price": price])
    }
    refuse(.negativePrice, "price", ["price": "-1e131071"])
    // Insignificant digits change nothing, however many there are.
    let zeros = String(repeating: "0", count: 131_073)
    store(
      ["price": "4.99\(zeros)"], ["amount_minor": "499", "price_raw": String?.none])
    let noise = "4.98999977111816406250\(zeros)"
    store(["price": noise], ["amount_minor": "499", "price_raw": noise])
  }

  private mutating func addDepths() {
    func arrays(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    // The line's own object is the first level.
    store(extra: "\"x\":\(arrays(510))")
    store(extra: "\"x\":\(arrays(511))")
    refuse(.nestingTooDeep, nil, extra: "\"x\":\(arrays(512))")
    refuse(.nestingTooDeep, nil, extra: "\"x\":\(arrays(100_000))")
    refuse(.malformedJSON, nil, extra: "\"x\":\(String(repeating: "[", count: 500))")
  }

  private mutating func addNames() {
    store(extra: #""__proto__":{"__proto__":null},"constructor":1,"toString":"x","":2,"x":3"#)
    // jsonb would keep only the last of them.
    store(extra: #""x":1,"x":2,"x":{"y":1,"y":2}"#)
    store(extra: #""\u0078":1,"x":2,"case":"a","Case":"b""#)
    store(extra: "\"\u{E9}\":1,\"e\u{301}\":2")
    let sameHash = (0..<300).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    store(extra: sameHash)
  }

  private func digits(_ count: Int) -> String { String(repeating: "7", count: count) }

  private func escape(_ unit: UInt16) -> String {
    let hexadecimal = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
  }
}

/// A text as a JSON string with only the mandatory escapes.
func jsonString(_ text: String) -> String {
  var output = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": output += "\\\(scalar)"
    case "\u{0}"..."\u{1F}":
      output += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
    default: output.unicodeScalars.append(scalar)
    }
  }
  return output + "\""
}
