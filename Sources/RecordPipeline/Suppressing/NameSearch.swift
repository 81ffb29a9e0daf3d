/// Searches a line with an unknown owner for the ids of erased users.
///
/// It makes one pass over the line, however many users were erased, and allocates nothing for a line. So a
/// file of broken lines does not hold its stream's lock much longer than without erasures.
final class NameSearch {
  private let erased: ErasedUsers
  /// Memory for unescaped texts, which are never longer than the searched part of a line.
  private let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: searchedBytes)

  /// Only this part of a line is searched, because no more of it is kept.
  private static let searchedBytes = 2 * Limits.rejectedLineBytes
  /// How many levels of strings within strings are unescaped.
  private static let searchedLevels = 4

  init(_ erased: ErasedUsers) { self.erased = erased }

  deinit { scratch.deallocate() }

  /// True when the line contains the id of an erased user as a word, or as a text between quotes, with its
  /// escapes resolved or not.
  func findsErasedUser(in line: ByteSlice) -> Bool {
    let bytes = UnsafeBufferPointer(start: line.start, count: min(line.count, Self.searchedBytes))
    let isPartOfWord = Self.wordBytes
    var wordStart = 0
    // The bytes between one quote and the next, also of different strings.
    var segment = Segment(start: 0)
    // A JSON string, which may contain escaped quotes.
    var text = QuotedText()
    for index in bytes.indices {
      let byte = bytes[index]
      if isPartOfWord[Int(byte)] { continue }
      if isErasedUser(bytes, from: wordStart, to: index) { return true }
      if byte == UInt8(ascii: "\"") {
        let isWord = segment.start == wordStart
        if segment.start < index, !isWord, isErasedUser(bytes, segment, to: index) { return true }
        segment = Segment(start: index + 1)
        if let start = text.quote(at: index),
          isErasedUser(bytes, Segment(start: start, backslashCount: .max), to: index)
        {
          return true
        }
      } else if byte == UInt8(ascii: "\\") {
        segment.backslashCount += 1
        let next = index + 1 < bytes.count ? bytes[index + 1] : nil
        text.backslash(at: index, before: next)
      }
      wordStart = index + 1
    }
    return isErasedUser(bytes, from: wordStart, to: bytes.count)
      || isErasedUser(bytes, segment, to: bytes.count)
  }

  private struct Segment {
    let start: Int
    var backslashCount = 0
  }

  /// Follows the strings of a line as long as it is JSON.
  private struct QuotedText {
    private var start: Int?
    private var holdsQuote = false
    /// The index of the last escaped byte.
    private var escaped = -1

    mutating func backslash(at index: Int, before next: UInt8?) {
      if index == escaped { return }
      escaped = index + 1
      holdsQuote = holdsQuote || next == UInt8(ascii: "\"")
    }

    /// - Returns: the start of the string that ends with this quote, if it contains escaped quotes; without
    ///   them it is a segment.
    mutating func quote(at index: Int) -> Int? {
      if index == escaped { return nil }
      let ended = holdsQuote ? start : nil
      start = start == nil ? index + 1 : nil
      holdsQuote = false
      return ended
    }
  }

  @inline(__always)
  private func isErasedUser(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
  ) -> Bool {
    start < end && erased.contain(UnsafeBufferPointer(rebasing: bytes[start..<end]), of: nil)
  }

  private func isErasedUser(
    _ bytes: UnsafeBufferPointer<UInt8>, _ segment: Segment, to end: Int
  ) -> Bool {
    if isErasedUser(bytes, from: segment.start, to: end) { return true }
    if segment.backslashCount == 0 { return false }
    // Most often the only backslash escapes the quote that ends the text, and no other byte is escaped.
    if segment.backslashCount == 1, bytes[end - 1] == UInt8(ascii: "\\") {
      return isErasedUser(bytes, from: segment.start, to: end - 1)
    }
    return isErasedUserEscaped(UnsafeBufferPointer(rebasing: bytes[segment.start..<end]))
  }

  /// Compares each unescaped level of a text that holds backslashes; the text itself was compared before.
  private func isErasedUserEscaped(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var text = text
    for _ in 0..<Self.searchedLevels {
      // In a string within a string the closing quote is escaped, so an odd number of backslashes at the end
      // includes one that is not part of the id. In a broken line none of them may be.
      var end = text.count
      while end > 0, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
      let ending = text.count - end
      if ending > 0, isErasedUser(text, from: 0, to: end) { return true }
      if !ending.isMultiple(of: 2) {
        let count = text.count - 1
        text = UnsafeBufferPointer(rebasing: text[..<count])
        if ending > 1, isErasedUser(text, from: 0, to: count) { return true }
      }
      guard let start = text.baseAddress else { return false }
      let (count, hasBackslash) = LenientUnescaping.resolve(
        ByteSlice(start: start, count: text.count), into: scratch)
      // Without escapes the text is the one that was compared before.
      let isOther = count < text.count
      text = UnsafeBufferPointer(start: scratch, count: count)
      if isOther, isErasedUser(text, from: 0, to: count) { return true }
      guard hasBackslash else { return false }
    }
    return false
  }

  private static let wordBytes: [Bool] = (0...UInt8.max).map { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
