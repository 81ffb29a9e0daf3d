import Foundation
import RecordPipeline

/// The lines of the fixtures with seeded random changes: most are still JSON, and many are invalid.
struct MutatedLines {
  private var random: SplitMix
  private let fixture: [[UInt8]]

  init(_ stream: RecordStream, seed: UInt64) throws {
    var tests = URL(filePath: #filePath)
    for _ in 0..<3 { tests.deleteLastPathComponent() }
    let file = tests.appending(path: "Fixtures/\(stream.name)/input.jsonl")
    fixture = try Array(Data(contentsOf: file)).split(separator: 0x0A).map(Array.init)
    random = SplitMix(state: seed)
  }

  /// Values for the name of a secret, each with `SECRET` in it: valid, invalid and malformed.
  private static let secrets: [[UInt8]] =
    [
      #""SECRET""#, #""SECRET\/\u0041\"x""#, #""SECRET\u0000""#, #""\ud800SECRET""#, #"["SECRET"]"#,
      #"{"a":"SECRET"}"#, #""SECRET\q""#, #""SECRET\u00""#, "SECRET", "\"SECRET\t\"", "tSECRET",
      #"{"a":{"purchaseToken":"SECRET"}}"#, #"[[[["SECRET"]]]]"#,
      #""{\"purchaseToken\":\"SECRET\"}""#,
    ].map { Array($0.utf8) } + [
      Array("\"SECRET".utf8) + [0xFF, 0x22], Array("[\"SECRET".utf8) + [0xC3, 0x22, 0x5D],
    ]
  private static let names = [
    "purchaseToken", "accessToken", "paymentToken", #"purchase\u0054oken"#,
  ]
  /// Values that hold a secret in a text.
  private static let texts: [[UInt8]] =
    [
      #""purchaseToken=SECRET\u0000""#, #""purchaseToken=\"SECRET\ud800\"""#,
      #""{\"accessToken\":\"SECRET\"}""#, #""a?purchaseToken\u003dSECRET\u0026b""#,
      #""{\u0022purchaseToken\u0022\u003a\u0022SECRET\u0022}""#,
      #""{\"purchase\\u0054oken\":\"SECRET\"}""#,
      "\"purchaseToken=\(String(repeating: "SECRET", count: 90))\"",
    ].map { Array($0.utf8) } + [Array("\"purchaseToken=SECRET".utf8) + [0xFF, 0x22]]
  private static let otherNames = [
    "paymentId", "channelId", "payload", "x", "userId", "price", "eventTime", "classId",
  ]

  /// True to put secrets within texts, too.
  var hidesSecretsInTexts = true
  /// True to change bytes and values, too, which can move the end of a secret.
  var changesBytes = true

  /// The next line, with up to three changes.
  mutating func next() -> [UInt8] {
    var line = fixture[below(fixture.count)]
    for _ in 0..<below(4) {
      switch below(hidesSecretsInTexts ? 6 : 5) {
      case 0 where changesBytes: line = withByteChanged(line)
      case 1 where changesBytes: line = withValueReplaced(line)
      case 5: line = withMember(Self.otherNames[below(Self.otherNames.count)], of: Self.texts, line)
      default: line = withMember(Self.names[below(Self.names.count)], of: Self.secrets, line)
      }
    }
    return line.filter { $0 != 0x0A }
  }

  /// The same line within a log line, in the field `log`.
  mutating func nextWrapped() -> [UInt8] {
    let record = next()
    var line = Array(below(8) == 0 ? #"{"lo\u0067":"#.utf8 : #"{"log":"#.utf8)
    if below(3) == 0 {
      line += record
    } else {
      line += [0x22] + record.flatMap { quoted($0) } + [0x22]
    }
    switch below(5) {
    case 0: line += Array(#","userId":"u9","purchaseToken":"SECRET"}"#.utf8)
    case 1: line += Array(#","level":"INFO"}"#.utf8)
    case 2: line += [0x2C] + line.dropFirst() + Array("}".utf8)
    default: line += Array("}".utf8)
    }
    if changesBytes, below(6) == 0 { line = withByteChanged(line) }
    return line.filter { $0 != 0x0A }
  }

  private mutating func quoted(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case 0x22, 0x5C: [0x5C, byte]
    case 0..<0x20: Array("\\u00\(hex([byte]))".utf8)
    // Any character can be written as an escape, except the characters of escapes themselves.
    case 0x3A, 0x3D, 0x47..<0x5B, 0x67..<0x75, 0x76..<0x7B:
      below(20) == 0 ? Array("\\u00\(hex([byte]))".utf8) : [byte]
    default: [byte]
    }
  }

  private mutating func withByteChanged(_ line: [UInt8]) -> [UInt8] {
    guard !line.isEmpty else { return line }
    var line = line
    let bytes = Array("\"\\{}[],:0.-e x\u{1}".utf8) + [0xFF, 0xC3]
    switch below(3) {
    case 0: line.remove(at: below(line.count))
    case 1: line[below(line.count)] = bytes[below(bytes.count)]
    default: line.insert(bytes[below(bytes.count)], at: below(line.count))
    }
    return line
  }

  private mutating func withValueReplaced(_ line: [UInt8]) -> [UInt8] {
    let colons = line.indices.filter { line[$0] == UInt8(ascii: ":") }
    guard !colons.isEmpty else { return line }
    let start = colons[below(colons.count)] + 1
    let end = line[start...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") }
    let values = ["null", "-2", "\"\"", "1616649225", "[]", "1e400", "\"\\u0000\"", "true"]
    return line[..<start] + Array(values[below(values.count)].utf8) + line[(end ?? start)...]
  }

  private mutating func withMember(_ name: String, of values: [[UInt8]], _ line: [UInt8]) -> [UInt8]
  {
    let places = line.indices.dropFirst().filter {
      line[$0 - 1] == UInt8(ascii: "{") || line[$0 - 1] == UInt8(ascii: ",")
    }
    guard !places.isEmpty else { return line }
    let place = places[below(places.count)]
    return line[..<place] + Array("\"\(name)\":".utf8) + values[below(values.count)]
      + Array(",".utf8) + line[place...]
  }

  private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
}

/// SplitMix64, a seeded random number generator for tests.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
