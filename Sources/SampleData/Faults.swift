/// A fault for which a loader with default limits and time unit refuses a line.
///
/// It edits the finished bytes, so that the writers need no code for faults. This is slow, but
/// there are few bad lines.
enum Fault: Sendable {
  case cutOff, array, trailingComma, emptyObject, twoUserIDs, invalidUTF8
  /// The line lacks a mandatory member.
  case missing(String)
  /// A member has a value that breaks the contract.
  case wrong(String, String)

  /// The faults that lines of a stream can have.
  static func all(of stream: SampleStream) -> [Fault] {
    let everywhere: [Fault] = [
      .cutOff, .array, .trailingComma, .emptyObject, .twoUserIDs, .invalidUTF8,
      .wrong("userId", #""AB\ud83cCD""#), .wrong("userId", #""AB\u0000CD""#),
      .wrong("userId", "12345.5"),
    ]
    // `"0"` is the vendor's mark for no user; items and messages may lack one.
    let user: [Fault] = [.missing("userId"), .wrong("userId", #""0""#)]
    let price: [Fault] = [
      .missing("currency"), .wrong("currency", #""ZZZ""#), .wrong("price", "-5"),
      .wrong("price", "2.2955"),
    ]
    let level: [Fault] = [
      .missing("userLevel"), .wrong("userLevel", "20.5"), .wrong("userLevel", "-3"),
      .wrong("userLevel", #""twenty""#),
    ]
    // The time in the vendor's sample, truncated to seconds.
    func seconds(_ name: String) -> Fault { .wrong(name, "1616649225") }
    switch stream {
    case .receipt:
      return everywhere + user + price + [
        .missing("price"), .missing("paymentSeq"), .missing("purchaseTime"),
        seconds("purchaseTime"), .wrong("purchaseToken", "1234567890"),
      ]
    case .levelUp:
      return everywhere + user + level + [.missing("levelUpTime"), seconds("levelUpTime")]
    case .gameUser: return everywhere + user + level + [seconds("eventTime")]
    case .item: return everywhere + price + [seconds("eventTime")]
    case .event:
      return everywhere + [.missing("eventTime"), seconds("eventTime"), .missing("category")]
    }
  }

  /// Injects the fault into the line from `start` to the end of `buffer`, without its newline.
  ///
  /// The line must be an object of a client SDK, without white space between its tokens.
  func inject(into buffer: inout [UInt8], from start: Int, _ random: inout SeededRandom) {
    switch self {
    case .cutOff: buffer.removeLast(1 + random.below(buffer.count - start - 1))
    case .array:
      buffer.insert(UInt8(ascii: "["), at: start)
      buffer.put("]")
    case .trailingComma: buffer.replaceSubrange((buffer.count - 1)..., with: Array(",}".utf8))
    case .emptyObject: buffer.replaceSubrange(start..., with: Array("{}".utf8))
    case .twoUserIDs:
      buffer.replaceSubrange(
        (buffer.count - 1)..., with: Array(#","userId":"SOMEBODYELSE0001"}"#.utf8))
    case .invalidUTF8: Self.set("userId", to: [0x22, 0x41, 0xC3, 0x28, 0x22], in: &buffer, start)
    case .wrong(let name, let value): Self.set(name, to: Array(value.utf8), in: &buffer, start)
    case .missing(let name):
      guard let member = Self.member(name, of: buffer, from: start) else { return }
      // With one of the commas beside the member.
      let range = member.start..<member.value.upperBound
      buffer.removeSubrange(
        member.start == start + 1
          ? range.lowerBound..<range.upperBound + 1 : range.lowerBound - 1..<range.upperBound)
    }
  }

  private static func set(
    _ name: String, to value: [UInt8], in buffer: inout [UInt8], _ start: Int
  ) {
    guard let member = member(name, of: buffer, from: start) else { return }
    buffer.replaceSubrange(member.value, with: value)
  }

  /// The start of a member and the range of its value.
  ///
  /// Quotes inside values are escaped, so the search for a quoted name never matches inside one.
  private static func member(
    _ name: String, of buffer: [UInt8], from start: Int
  ) -> (start: Int, value: Range<Int>)? {
    guard let found = buffer[start...].firstRange(of: Array(#""\#(name)":"#.utf8)) else {
      return nil
    }
    var end = found.upperBound
    if buffer[end] == UInt8(ascii: "\"") {
      end += 1
      while buffer[end] != UInt8(ascii: "\"") { end += buffer[end] == UInt8(ascii: "\\") ? 2 : 1 }
      end += 1
    } else {
      while buffer[end] != UInt8(ascii: ","), buffer[end] != UInt8(ascii: "}") { end += 1 }
    }
    return (found.lowerBound, found.upperBound..<end)
  }
}
