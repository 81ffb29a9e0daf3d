internal import Glibc

/// Splits bytes at 0x0A, in a buffer that grows to the longest line up to the limit.
///
/// For a longer line, it returns the beginning and skips the rest without storing it.
package struct LineReader: ~Copyable {
  private let source: any ByteSource
  private let limit: Int
  private let observe: (UnsafeRawBufferPointer) -> Void

  private var buffer: UnsafeMutableRawPointer
  private var capacity = 2 * readSize
  /// The unread bytes are `start..<end`.
  private var start = 0
  private var end = 0
  /// The bytes in `start..<searched` have no line break.
  private var searched = 0
  /// The bytes of a line above the limit that were dropped from its middle.
  private var dropped = 0
  private var isAtEnd = false
  private var lineNumber = 0
  /// The offset of `buffer[start]` in the decoded stream.
  package private(set) var byteOffset = 0

  private static let readSize = 256 * 1024
  /// The number of bytes that are returned of a line above the limit.
  ///
  /// It does not depend on the sizes of reads, so that a file always gives the same rejects.
  private var keptCount: Int { min(limit, Limits.rejectedLineBytes) }

  /// - Parameters:
  ///   - limit: the longest line that is returned whole, in bytes.
  ///   - observe: gets every byte of the decoded stream once, in order, for a digest.
  package init(
    _ source: any ByteSource, limit: Int, observe: @escaping (UnsafeRawBufferPointer) -> Void
  ) {
    self.source = source
    self.limit = limit
    self.observe = observe
    // Memory that is aligned to more than 16 bytes is not used again after it was freed, by glibc before
    // 2.38 (bug 14581), so each file would take some more.
    buffer = .allocate(byteCount: capacity + ObjectParser.padding, alignment: 16)
    // The parser reads past the last line, so the memory must be initialized. Its content does not
    // change the result.
    memset(buffer, 0, capacity + ObjectParser.padding)
  }

  deinit { buffer.deallocate() }

  /// The next line; nil at the end.
  package mutating func next() throws(ReadError) -> InputLine? {
    if lineNumber == 0 { try skipByteOrderMark() }
    while true {
      if let newline = findNewline() {
        return take(through: newline)
      }
      if end - start > limit + 1 { dropMiddle() }
      if isAtEnd {
        // The byte after the last line can change the parser's error, so it must not be left over
        // from an earlier read.
        (buffer + end).storeBytes(of: 0, as: UInt8.self)
        return start < end ? take(through: end) : nil
      }
      try fill()
    }
  }

  private mutating func findNewline() -> Int? {
    guard searched < end, let found = memchr(buffer + searched, 0x0A, end - searched) else {
      searched = end
      return nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(buffer)
  }

  /// Returns `start..<newline` as a line, and moves past the line break, if there is one.
  private mutating func take(through newline: Int) -> InputLine {
    lineNumber += 1
    let offset = byteOffset
    var length = newline - start + dropped
    let first = UnsafePointer((buffer + start).assumingMemoryBound(to: UInt8.self))
    let hasLineFeed = newline < end
    let next = min(newline + 1, end)
    if newline > start, first[newline - start - 1] == UInt8(ascii: "\r") { length -= 1 }
    byteOffset += next - start + dropped
    dropped = 0
    start = next
    searched = next
    let isTooLong = length > limit
    return InputLine(
      bytes: ByteSlice(start: first, count: isTooLong ? keptCount : length), number: lineNumber,
      byteOffset: offset, byteCount: length, isTooLong: isTooLong,
      hasLineFeed: hasLineFeed)
  }

  /// Drops the bytes of a line above the limit behind the kept beginning, but for the last one, which may
  /// be the carriage return of its line break.
  private mutating func dropMiddle() {
    let last = start + keptCount
    (buffer + last).copyMemory(from: buffer + end - 1, byteCount: 1)
    dropped += end - 1 - last
    end = last + 1
    searched = end
  }

  private mutating func skipByteOrderMark() throws(ReadError) {
    while end - start < 3, !isAtEnd { try fill() }
    guard end - start >= 3, memcmp(buffer + start, ByteSlice.byteOrderMark, 3) == 0 else { return }
    start += 3
    searched = start
    byteOffset += 3
  }

  /// Makes room, and reads more bytes to `end`.
  private mutating func fill() throws(ReadError) {
    if start > 0 {
      memmove(buffer, buffer + start, end - start)
      searched -= start
      end -= start
      start = 0
    }
    if capacity - end < Self.readSize { grow() }
    let room = UnsafeMutableRawBufferPointer(start: buffer + end, count: Self.readSize)
    let count = try source.read(into: room)
    if count == 0 { isAtEnd = true }
    observe(UnsafeRawBufferPointer(start: buffer + end, count: count))
    end += count
  }

  private mutating func grow() {
    // Room for a line at the limit, its line break, and one more read.
    let larger = min(2 * capacity, max(capacity, limit + 2) + Self.readSize)
    let moved = UnsafeMutableRawPointer.allocate(
      byteCount: larger + ObjectParser.padding, alignment: 16)
    memset(moved, 0, larger + ObjectParser.padding)
    memcpy(moved, buffer, end)
    buffer.deallocate()
    buffer = moved
    capacity = larger
  }
}
