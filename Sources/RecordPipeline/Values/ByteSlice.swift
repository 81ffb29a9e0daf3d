internal import Glibc

/// A view of bytes in a line's memory; valid as long as that memory is.
///
/// Texts are compared and hashed by these bytes alone. Swift's String treats canonically equivalent texts
/// as equal and PostgreSQL does not, so no key ever becomes a String.
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

  /// For messages and rare paths only: allocates.
  package var text: String { String(decoding: buffer, as: UTF8.self) }

  /// True when the bytes are only JSON white space.
  package var isBlank: Bool { buffer.allSatisfy { Self.isWhiteSpace($0) } }

  @inline(__always)
  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
  }
}
