/// Turns a good line at the end of a buffer into a bad one.
///
/// It edits the finished bytes, so that the writers need no code for faults. This is slow, but
/// there are few bad lines.
struct FaultInjector: Sendable {
  let stream: SampleStream

  /// Injects a fault into the line from `start` to the end of `buffer`, without its newline.
  ///
  /// The line must be an object with at least one member, in the plain spelling, without white
  /// space between its tokens.
  func inject(
    _ buffer: inout [UInt8], from start: Int, as kind: BadLineKind, _ random: inout SeededRandom
  ) {
    switch kind {
    case .cutOff:
      let kept = 1 + random.below(buffer.count - start - 1)
      buffer.removeLast(buffer.count - start - kept)
    case .array:
      buffer.insert(0x5B, at: start)
      buffer.put("]")
    case .trailingComma:
      buffer.removeLast()
      buffer.put(",}")
    case .invalidUTF8: set("userId", #""A"#, continuedBy: [0xC3, 0x28, 0x22], in: &buffer, start)
    case .emptyObject:
      buffer.removeLast(buffer.count - start)
      buffer.put("{}")
    case .missingUserID: remove("userId", in: &buffer, start)
    case .missingPaymentSeq: remove("paymentSeq", in: &buffer, start)
    case .missingPurchaseTime: remove("purchaseTime", in: &buffer, start)
    case .missingPrice: remove("price", in: &buffer, start)
    case .missingCurrency: remove("currency", in: &buffer, start)
    case .missingUserLevel: remove("userLevel", in: &buffer, start)
    case .missingLevelUpTime: remove("levelUpTime", in: &buffer, start)
    case .missingEventTime: remove("eventTime", in: &buffer, start)
    case .missingCategory: remove("category", in: &buffer, start)
    case .userIDZero: set("userId", #""0""#, in: &buffer, start)
    case .userIDLoneSurrogate: set("userId", #""AB\ud83cCD""#, in: &buffer, start)
    case .userIDNUL: set("userId", #""AB\u0000CD""#, in: &buffer, start)
    case .userIDFraction: set("userId", "12345.5", in: &buffer, start)
    case .userIDTwice:
      buffer.removeLast()
      buffer.put(#","userId":"SOMEBODYELSE0001"}"#)
    case .timeInSeconds:
      // The time in the vendor's sample, truncated to seconds.
      set(stream.timeField, "1616649225", in: &buffer, start)
    case .priceTooPrecise:
      set("price", "2.295", in: &buffer, start)
      set("currency", #""USD""#, in: &buffer, start)
    case .priceNegative: set("price", "-5", in: &buffer, start)
    case .currencyUnknown: set("currency", #""ZZZ""#, in: &buffer, start)
    case .tokenNumber: set("purchaseToken", "1234567890", in: &buffer, start)
    case .levelFraction: set("userLevel", "20.5", in: &buffer, start)
    case .levelNegative: set("userLevel", "-3", in: &buffer, start)
    case .levelText: set("userLevel", #""twenty""#, in: &buffer, start)
    }
  }

  private func set(
    _ name: StaticString, _ value: StaticString, continuedBy tail: [UInt8] = [],
    in buffer: inout [UInt8], _ start: Int
  ) {
    guard let member = member(name, in: buffer, start) else { return }
    var replacement: [UInt8] = []
    replacement.put(value)
    replacement.put(tail)
    buffer.replaceSubrange(member.value, with: replacement)
  }

  private func remove(_ name: StaticString, in buffer: inout [UInt8], _ start: Int) {
    guard let member = member(name, in: buffer, start) else { return }
    // Also remove one of the commas beside the member.
    var range = member.name.lowerBound..<member.value.upperBound
    if buffer[range.upperBound] == 0x2C {
      range = range.lowerBound..<range.upperBound + 1
    } else if buffer[range.lowerBound - 1] == 0x2C {
      range = range.lowerBound - 1..<range.upperBound
    }
    buffer.removeSubrange(range)
  }

  /// The ranges of a member's name with its colon, and of its value.
  ///
  /// Quotes inside values are escaped, so the search for a quoted name never matches inside a
  /// value.
  private func member(
    _ name: StaticString, in buffer: [UInt8], _ start: Int
  ) -> (name: Range<Int>, value: Range<Int>)? {
    var pattern: [UInt8] = [0x22]
    pattern.put(name)
    pattern.put(#"":"#)
    let last = buffer.count - pattern.count
    guard start <= last else { return nil }
    for position in start...last
    where buffer[position] == 0x22 && buffer[position..<position + pattern.count] == pattern[...] {
      let valueStart = position + pattern.count
      return (position..<valueStart, valueStart..<valueEnd(in: buffer, from: valueStart))
    }
    return nil
  }

  private func valueEnd(in buffer: [UInt8], from start: Int) -> Int {
    var position = start
    if buffer[position] == 0x22 {
      position += 1
      while buffer[position] != 0x22 { position += buffer[position] == 0x5C ? 2 : 1 }
      return position + 1
    }
    while buffer[position] != 0x2C, buffer[position] != 0x7D { position += 1 }
    return position
  }
}
