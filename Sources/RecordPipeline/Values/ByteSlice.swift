internal import Glibc

/// A view of bytes in a line's memory, valid only as long as that memory.
///
/// Texts are compared and hashed as bytes, as PostgreSQL does under collation "C". No key becomes a
/// String, because two Strings are already equal when they are canonically equivalent.
package struct ByteSlice: Equatable {
  package let start: UnsafePointer<UInt8>
  package let count: Int

  package init(start: UnsafePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
  }

  package subscript(index: Int) -> UInt8 { start[index] }

  package var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  package var isEmpty: Bool { count == 0 }

  package static func == (left: ByteSlice, right: ByteSlice) -> Bool {
    left.count == right.count && memcmp(left.start, right.start, left.count) == 0
  }

  package static func == (left: ByteSlice, right: StaticString) -> Bool {
    left.count == right.utf8CodeUnitCount && memcmp(left.start, right.utf8Start, left.count) == 0
  }

  package func contains(_ text: StaticString) -> Bool {
    var offset = 0
    while offset + text.utf8CodeUnitCount <= count,
      let found = memchr(start + offset, Int32(text.utf8Start[0]), count - offset)
    {
      offset = UnsafeRawPointer(found) - UnsafeRawPointer(start)
      let rest = ByteSlice(
        start: start + offset, count: min(text.utf8CodeUnitCount, count - offset))
      if rest == text { return true }
      offset += 1
    }
    return false
  }

  /// The bytes as a String; for messages and rare paths only, because it allocates.
  package var text: String { String(decoding: buffer, as: UTF8.self) }

  /// True when there is nothing but JSON white space.
  package var isBlank: Bool { buffer.allSatisfy { Self.isWhiteSpace($0) } }

  @inline(__always)
  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
  }
}
