internal import Crypto

/// The number of an event message without an `eventId`: a digest of category, user and data.
struct EventDigest {
  private var hash = SHA256()

  /// - Parameters:
  ///   - user: as stored; nil when the message has none.
  ///   - data: with a digest in place of every token; nil when the message has none.
  init(category: KeptText, user: KeptText?, data: ByteSlice?) {
    add(category.bytes)
    add(Self.separator)
    if let user { add(user.bytes) }
    add(Self.separator)
    if let data { add(data) }
  }

  private static let separator: StaticString = "\u{0}"

  private mutating func add(_ text: ByteSlice) {
    hash.update(bufferPointer: UnsafeRawBufferPointer(text.buffer))
  }

  private mutating func add(_ text: StaticString) {
    add(ByteSlice(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// `sha256:` and 64 hexadecimal digits.
  func write(to row: inout RowBuffer) {
    var text: (SIMD64<UInt8>, SIMD8<UInt8>) = (SIMD64(), SIMD8())
    var count = 0
    withUnsafeMutableBytes(of: &text) { text in
      for byte in "sha256:".utf8 {
        text[count] = byte
        count += 1
      }
      for byte in hash.finalize() {
        for digit in [byte >> 4, byte & 0xF] {
          text[count] = digit < 10 ? 0x30 + digit : 0x57 + digit
          count += 1
        }
      }
      let bytes = UnsafeBufferPointer(rebasing: text.bindMemory(to: UInt8.self)[..<count])
      if let start = bytes.baseAddress {
        row.text(KeptText(masked: ByteSlice(start: start, count: count)))
      }
    }
  }
}
