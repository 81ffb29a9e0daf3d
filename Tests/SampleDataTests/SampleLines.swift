import Foundation
import SampleData

/// A line that breaks the data contract, as the tests understand it.
struct BrokenLine: Error {
  let reason: String
}

/// Lines of a stream with the generator's counts.
struct SampleFile {
  let bytes: [UInt8]
  let lines: [[UInt8]]
  let counts: SampleCounts

  init(
    _ stream: SampleStream, _ options: SampleOptions, file: Int = 0, chunkBytes: Int = 1 << 16
  ) {
    var generator = SampleGenerator(stream: stream, options: options, file: file)
    self.init(&generator, chunkBytes: chunkBytes)
  }

  /// The file at which a generator is.
  init(_ generator: inout SampleGenerator, chunkBytes: Int = 1 << 16) {
    var chunk: [UInt8] = []
    var all: [UInt8] = []
    while generator.fill(&chunk, chunkBytes: chunkBytes) {
      all += chunk
      chunk.removeAll(keepingCapacity: true)
    }
    bytes = all
    lines = all.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map(Array.init)
    counts = generator.expected
  }
}

/// The normalized values of a line: a second implementation of the contract, independent of the
/// generator's writers.
struct Facts: Sendable {
  let fields: [String: String]
  let text: String

  init(_ line: [UInt8], of stream: SampleStream) throws {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw BrokenLine(reason: "not UTF-8")
    }
    self.text = text
    // Foundation's parser is lenient in these three.
    if text.hasSuffix(",}") { throw BrokenLine(reason: "trailing comma") }
    let userIDs = text.components(separatedBy: #""userId":"#)
    // The receipt in an event has a user, too.
    let isTwice =
      stream == .event ? text.hasSuffix(#","userId":"SOMEBODYELSE0001"}"#) : userIDs.count > 2
    if isTwice { throw BrokenLine(reason: "field twice") }
    if userIDs.last?.hasPrefix(#""AB\ud83cC"#) == true {
      throw BrokenLine(reason: "lone surrogate")
    }
    let value = try JSONSerialization.jsonObject(with: Data(line))
    guard let object = value as? [String: Any] else { throw BrokenLine(reason: "not an object") }
    var reader = FieldReader(object: object)
    try reader.text("userId", isMandatory: stream != .event)
    if reader.fields["userId"] == "0" {
      if stream != .event { throw BrokenLine(reason: "user id 0") }
      reader.fields["userId"] = nil
    }
    try reader.text("appId")
    switch stream {
    case .receipt: try reader.receipt()
    case .levelUp:
      try reader.player()
      try reader.time("time", "levelUpTime")
    case .gameUser:
      try reader.player()
      try reader.time("time", "eventTime")
    case .item: try reader.item()
    case .event: try reader.event()
    }
    fields = reader.fields
  }

  var user: String { fields["userId"] ?? "" }

  /// The line's time in milliseconds, and its UTC day, counted from 1970-01-01.
  var time: Int { fields["time"].flatMap { Int($0) } ?? 0 }
  var day: Int { time / 86_400_000 }

  /// The parts of the natural key, of which an absent one counts as a value.
  func key(of stream: SampleStream) -> [String?] {
    switch stream {
    case .receipt: [fields["paymentSeq"]]
    case .levelUp: ["appId", "userId", "characterId", "level", "time"].map { fields[$0] }
    case .gameUser: ["appId", "userId", "channelId", "characterId", "time"].map { fields[$0] }
    case .item:
      [
        "time", "appId", "storeCode", "gamebaseProductId", "marketItemId", "itemSeq", "currency",
      ].map { fields[$0] }
    case .event:
      (fields["eventId"] == nil
        ? ["appId", "time", "category", "userId", "message", "title", "rest"]
        : ["appId", "time", "eventId"]).map { fields[$0] }
    }
  }
}

/// Reads normalized fields from an object, or throws a fault.
private struct FieldReader {
  let object: [String: Any]
  var fields: [String: String] = [:]

  /// The value under one of several names; null and empty text count as absent.
  private func value(_ names: [String]) throws -> Any? {
    let found = names.compactMap { object[$0] }.filter {
      !($0 is NSNull) && ($0 as? String) != ""
    }
    if found.count > 1 { throw BrokenLine(reason: "two spellings of \(names)") }
    return found.first
  }

  /// Reads a text under the first of its names.
  mutating func text(_ names: String..., isMandatory: Bool = false) throws {
    guard let value = try value(names) else {
      if isMandatory { throw BrokenLine(reason: "no \(names)") }
      return
    }
    guard let text = value as? String, !text.contains("\0") else {
      throw BrokenLine(reason: "\(names) is no text")
    }
    fields[names[0]] = text
  }

  mutating func time(_ field: String, _ name: String, isMandatory: Bool = true) throws {
    let milliseconds: Int64
    switch try value([name]) {
    case nil where isMandatory: throw BrokenLine(reason: "no \(name)")
    case nil: return
    case let text as String:
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
      milliseconds = Int64((try style.parse(text).timeIntervalSince1970 * 1000).rounded())
    case let number as NSNumber: milliseconds = number.int64Value
    default: throw BrokenLine(reason: "\(name) is no time")
    }
    if milliseconds == 0, !isMandatory { return }
    // 2000-01-01 up to 2100-01-01.
    guard (946_684_800_000..<4_102_444_800_000).contains(milliseconds) else {
      throw BrokenLine(reason: "\(name) out of range")
    }
    fields[field] = String(milliseconds)
  }

  private mutating func flag(_ field: String, _ names: String..., type: String = "") throws {
    let flags = try names.compactMap { name in try value([name]) as? Bool }
    if flags.count > 1 { throw BrokenLine(reason: "two spellings of \(field)") }
    if let flag = flags.first { fields[field] = String(flag) }
    if object["purchaseType"] as? String == type { fields[field] = "true" }
  }

  /// The category in the spelling of the contract, and the text of the data apart from its rest.
  mutating func event() throws {
    try time("time", "eventTime")
    try text("eventId")
    try text("category", isMandatory: true)
    if let category = fields["category"], category.hasPrefix("kTCGB") {
      let name = category.dropFirst(5)
      fields["category"] = name.prefix(1).lowercased() + name.dropFirst()
    }
    var data = object["data"] as? [String: Any] ?? [:]
    if let text = object["data"] as? String {
      let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
      guard let object = value as? [String: Any] else { throw BrokenLine(reason: "data") }
      data = object
    }
    for name in ["message", "title"] where data[name] is String {
      fields[name] = data.removeValue(forKey: name) as? String
    }
    if !data.isEmpty {
      let rest = try JSONSerialization.data(withJSONObject: data, options: [.sortedKeys])
      fields["rest"] = String(decoding: rest, as: UTF8.self)
    }
  }

  mutating func player() throws {
    guard let level = try value(["userLevel"]) as? NSNumber,
      level.doubleValue == level.doubleValue.rounded(),
      (0...2_147_483_647).contains(level.doubleValue)
    else { throw BrokenLine(reason: "no level") }
    fields["level"] = String(level.int64Value)
    try text("channelId")
    try text("characterId")
    try text("classId", "characterClassId")
  }

  mutating func receipt() throws {
    try text("paymentSeq", isMandatory: true)
    try time("time", "purchaseTime")
    try time("expiry", "expiryTime", isMandatory: false)
    try product()
    try text("purchaseToken", "accessToken")
    try text("paymentId")
    try text("originalPaymentId")
    try text("payload")
    try flag("sandbox", "sandboxPayment", "isTestPurchase", "bIsTestPurchase", type: "Test")
    try flag("promotion", "promotionPayment", "isPromotion", "bIsPromotion", type: "Promotion")
  }

  mutating func item() throws {
    try time("time", "eventTime")
    try product()
    try text("itemName")
    try text("localizedTitle")
    try text("localizedDescription")
    try flag("active", "active", "isActive")
  }

  private mutating func product() throws {
    let digits = [
      "KRW": 0, "USD": 2, "JPY": 0, "EUR": 2, "TWD": 2, "IDR": 2, "THB": 2, "BRL": 2, "GBP": 2,
      "HUF": 2, "VND": 0, "KWD": 3,
    ]
    guard let currency = object["currency"] as? String, let digits = digits[currency],
      let price = (object["price"] as? NSNumber)?.doubleValue, price >= 0,
      price < [16_777_216, 0, 131_072, 16_384][digits]
    else { throw BrokenLine(reason: "no price or currency, or one beyond 32-bit floats") }
    let scale = [1.0, 10, 100, 1000][digits]
    guard Float(price) == Float((price * scale).rounded() / scale) else {
      throw BrokenLine(reason: "price too precise")
    }
    fields["currency"] = currency
    fields["minorUnits"] = String(Int64((price * scale).rounded()))
    try text("gamebaseProductId")
    try text("marketItemId")
    try text("storeCode", "marketId")
    try text("productType")
    if fields["productType"] == "AUTORENEWABLE" { fields["productType"] = "AUTO_RENEWABLE" }
    fields["itemSeq"] = (try value(["itemSeq", "productSeq"]) as? NSNumber)?.stringValue
  }
}
