/// Looks for the ids of erased users in a line of which nobody knows whose it is.
///
/// One pass over the line, however many users were erased: a file of broken lines must not hold its
/// stream's lock much longer than it would without them. It allocates nothing for a line.
final class NameSearch {
  private let erased: ErasedUsers
  /// Where escapes are resolved: a text is never longer than what is looked at of a line.
  private let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: searchedBytes)

  /// More of a line than this is not looked at, for no more of it is kept.
  private static let searchedBytes = 2 * Limits.rejectedLineBytes
  /// Texts stand within texts so deep.
  private static let searchedLevels = 4

  init(_ erased: ErasedUsers) { self.erased = erased }

  deinit { scratch.deallocate() }

  /// True when something in the line is the id of an erased user: a text between quotes, escapes
  /// resolved or not, or a word.
  func findsErasedUser(in line: ByteSlice) -> Bool {
    let bytes = UnsafeBufferPointer(start: line.start, count: min(line.count, Self.searchedBytes))
    let isPartOfWord = Self.wordBytes
    var wordStart = 0
    // Between one quote and the next, whatever the quotes are.
    var segment = Segment(start: 0)
    // From a quote to its partner, as JSON has them: between them may stand escaped ones.
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

  /// Follows the quotes of a line that is JSON as far as it goes.
  private struct QuotedText {
    private var start: Int?
    private var holdsQuote = false
    /// A byte that a backslash before it makes part of a text.
    private var escaped = -1

    mutating func backslash(at index: Int, before next: UInt8?) {
      if index == escaped { return }
      escaped = index + 1
      holdsQuote = holdsQuote || next == UInt8(ascii: "\"")
    }

    /// - Returns: where the text began that ends with this quote, if it holds escaped quotes:
    ///   without them it is a segment.
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
    // Most often it is the escape of the quote that ends the text, and there is nothing to resolve.
    if segment.backslashCount == 1, bytes[end - 1] == UInt8(ascii: "\\") {
      return isErasedUser(bytes, from: segment.start, to: end - 1)
    }
    return isErasedUserEscaped(UnsafeBufferPointer(rebasing: bytes[segment.start..<end]))
  }

  /// Each level of a text that holds backslashes may be the id; it is known that the text as it
  /// stands is not.
  private func isErasedUserEscaped(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var text = text
    for _ in 0..<Self.searchedLevels {
      // In a text within a text the closing quote is escaped: an odd backslash at the end is its own,
      // and none of the id's. In a broken line all may be.
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
      // Without an escape it is what was looked at before.
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
