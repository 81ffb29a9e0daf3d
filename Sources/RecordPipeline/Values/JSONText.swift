internal import Glibc

/// Memory for the unescaped strings of one line, a small multiple of the longest line.
///
/// Values point into its blocks, so a full block stays in place and a larger one takes the next strings.
struct TextArena: ~Copyable {
  private var block: UnsafeMutableBufferPointer<UInt8> = .allocate(capacity: smallestBlock)
  private var used = 0
  private var fullBlocks: [UnsafeMutableBufferPointer<UInt8>] = []
  /// Bytes of all blocks, for tests.
  var capacity: Int { fullBlocks.reduce(block.count) { $0 + $1.count } }

  private static let smallestBlock = 4096
  /// A larger block is freed after its line, so that one huge line does not hold memory for good.
  private static let largestKeptBlock = 1024 * 1024

  deinit {
    block.deallocate()
    for block in fullBlocks { block.deallocate() }
  }

  /// Discards the strings of the previous line.
  mutating func reset() {
    if used == 0 { return }
    used = 0
    for block in fullBlocks { block.deallocate() }
    fullBlocks.removeAll()
    if block.count > Self.largestKeptBlock {
      block.deallocate()
      block = .allocate(capacity: Self.smallestBlock)
    }
  }

  /// Resolves the escapes of a well-formed string, and counts those of characters that PostgreSQL cannot store.
  ///
  /// - Parameter padding: the number of readable bytes that must follow the result.
  mutating func unescape(
    _ text: ByteSlice, padding: Int = 0
  ) -> (bytes: ByteSlice, replacementCount: Int) {
    let start = room(for: text.count + padding)
    let result = unescapeJSON(text, into: start)
    return (ByteSlice(start: start, count: result.count), result.replacementCount)
  }

  /// Memory that is valid as long as the strings of the line.
  mutating func room(for count: Int) -> UnsafeMutablePointer<UInt8> {
    if used + count > block.count {
      fullBlocks.append(block)
      block = .allocate(capacity: 2 * max(block.count, count))
      used = 0
    }
    defer { used += count }
    return block.baseAddress.map { $0 + used } ?? .allocate(capacity: count)
  }
}

/// Resolves the escapes of a well-formed string; NUL and unpaired surrogates become U+FFFD.
///
/// - Parameter output: room for `text.count` bytes, which may be the memory of the text: no character is longer than
///   its escape.
func unescapeJSON(
  _ text: ByteSlice, into output: UnsafeMutablePointer<UInt8>
) -> (count: Int, replacementCount: Int) {
  var (read, written, replacements) = (0, 0, 0)
  while true {
    // Most of a text has no escapes, so copy up to the next one at once.
    let found = memchr(text.start + read, 0x5C, text.count - read)
    let end = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(text.start) } ?? text.count
    memmove(output + written, text.start + read, end - read)
    written += end - read
    guard end < text.count else { return (written, replacements) }
    if text[end + 1] == UInt8(ascii: "u") {
      let (scalar, length) = unicodeEscape(text, at: end)
      read = end + length
      if scalar == nil { replacements += 1 }
      for byte in UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
        output[written] = byte
        written += 1
      }
    } else {
      read = end + 2
      output[written] = simpleEscape(text[end + 1])
      written += 1
    }
  }
}

/// The character of the `\u` escape at `start`, or of a surrogate pair of two escapes; nil for NUL and for an
/// unpaired surrogate, which PostgreSQL cannot store.
///
/// - Parameter text: well-formed JSON.
func unicodeEscape(
  _ text: ByteSlice, at start: Int
) -> (character: Unicode.Scalar?, length: Int) {
  let first = hexadecimal(text, at: start + 2, count: 4) ?? 0
  if first & 0xFFFF_FC00 == 0xD800, start + 12 <= text.count,
    text[start + 6] == UInt8(ascii: "\\"), text[start + 7] == UInt8(ascii: "u")
  {
    let second = hexadecimal(text, at: start + 8, count: 4) ?? 0
    if second & 0xFFFF_FC00 == 0xDC00 {
      return (Unicode.Scalar(0x10000 + ((first & 0x3FF) << 10) + (second & 0x3FF)), 12)
    }
  }
  // No scalar is a surrogate.
  return (first == 0 ? nil : Unicode.Scalar(first), 6)
}

/// The character of a two-character escape of RFC 8259, given the letter after the backslash.
private func simpleEscape(_ letter: UInt8) -> UInt8 {
  switch letter {
  case UInt8(ascii: "b"): 0x08
  case UInt8(ascii: "f"): 0x0C
  case UInt8(ascii: "n"): 0x0A
  case UInt8(ascii: "r"): 0x0D
  case UInt8(ascii: "t"): 0x09
  default: letter  // the quote, the backslash and the solidus
  }
}

/// The number that hexadecimal digits write; nil when one of them is no digit or lies behind the end.
func hexadecimal(_ text: ByteSlice, at start: Int, count: Int) -> UInt32? {
  guard start + count <= text.count else { return nil }
  var value: UInt32 = 0
  for byte in text.slice(start..<start + count).buffer {
    // Both cases of a letter: "a" is 0x61.
    let digit = byte.isDigit ? byte &- 0x30 : (byte | 0x20) &- 0x61 &+ 10
    guard byte.isDigit || 10..<16 ~= digit else { return nil }
    value = value << 4 | UInt32(digit)
  }
  return value
}
