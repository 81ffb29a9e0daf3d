/// Searches a line with an unknown owner for the ids of erased users.
///
/// The search is one pass over the line for each level of strings within strings, however many users
/// were erased, and allocates nothing. So a load of broken lines does not hold its stream's lock much
/// longer than it would without erasures.
final class NameSearch {
  private let erased: ErasedUsers
  /// Memory for unescaped texts.
  ///
  /// They are never longer than the searched part of a line.
  private let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: searchedBytes)
  /// Memory for the strings of each level that hold strings themselves.
  private let unescapedStrings = (0..<searchedLevels).map { _ in
    UnsafeMutablePointer<UInt8>.allocate(capacity: searchedBytes)
  }

  /// Only the beginning of a line is searched: twice the bytes that a reject stores.
  ///
  /// A reject shows later bytes only if masking shortens the line by more than
  /// `Limits.rejectedLineBytes`; then the masked copy is searched, too.
  static let searchedBytes = 2 * Limits.rejectedLineBytes
  /// How many levels of strings within strings are unescaped.
  private static let searchedLevels = 4

  init(_ erased: ErasedUsers) { self.erased = erased }

  deinit {
    scratch.deallocate()
    for memory in unescapedStrings { memory.deallocate() }
  }

  /// True when the line contains the id of an erased user: as a word, or as the whole text between
  /// two quotes, with or without its escapes resolved.
  func findsErasedUser(in line: ByteSlice) -> Bool {
    let bytes = UnsafeBufferPointer(start: line.start, count: min(line.count, Self.searchedBytes))
    return findsErasedUser(in: bytes, level: 0)
  }

  /// - Parameter level: the number of strings around the text.
  private func findsErasedUser(in bytes: UnsafeBufferPointer<UInt8>, level: Int) -> Bool {
    let isPartOfWord = Self.wordBytes
    var wordStart = 0
    // The bytes from one quote to the next, even if the quotes belong to different strings.
    var segment = Segment(start: 0)
    // The current JSON string, which may contain escaped quotes.
    var text = QuotedText()
    for index in bytes.indices {
      let byte = bytes[index]
      if isPartOfWord[Int(byte)] { continue }
      if isErasedUser(bytes, from: wordStart, to: index) { return true }
      if byte == UInt8(ascii: "\"") {
        let isWord = segment.start == wordStart
        if segment.start < index, !isWord, isErasedUser(bytes, segment, to: index) { return true }
        segment = Segment(start: index + 1)
        if let start = text.quote(at: index) {
          if isErasedUser(bytes, Segment(start: start, backslashCount: .max), to: index) {
            return true
          }
          let string = UnsafeBufferPointer(rebasing: bytes[start..<index])
          if level < Self.searchedLevels, findsErasedUser(inString: string, level: level) {
            return true
          }
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

  /// Searches a string that holds strings, such as JSON, with its escapes resolved.
  private func findsErasedUser(inString string: UnsafeBufferPointer<UInt8>, level: Int) -> Bool {
    guard let start = string.baseAddress else { return false }
    let memory = unescapedStrings[level]
    let (count, _) = LenientUnescaping.resolve(
      ByteSlice(start: start, count: string.count), into: memory)
    return findsErasedUser(in: UnsafeBufferPointer(start: memory, count: count), level: level + 1)
  }

  private struct Segment {
    let start: Int
    var backslashCount = 0
  }

  /// Tracks where JSON strings start and end; in a broken line its results may be wrong.
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

    /// - Returns: the start of the string that ends with this quote; nil when no string ends here,
    ///   or when the string contains no escaped quote and so is a segment.
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
    // The common case: the only backslash escapes the quote that ends the text.
    if segment.backslashCount == 1, bytes[end - 1] == UInt8(ascii: "\\") {
      return isErasedUser(bytes, from: segment.start, to: end - 1)
    }
    return isErasedUserEscaped(UnsafeBufferPointer(rebasing: bytes[segment.start..<end]))
  }

  /// Compares a text with backslashes after each level of unescaping.
  ///
  /// The caller has compared the text itself.
  private func isErasedUserEscaped(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var text = text
    for _ in 0..<Self.searchedLevels {
      // In a string within a string, the closing quote is escaped. So if the number of backslashes
      // at the end is odd, the last one is not part of the id. In a broken line, possibly none of
      // them is.
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
      // If nothing was unescaped, this text has been compared already.
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

/// Resolves the escapes in bytes that may not be JSON, and copies everything else.
///
/// It differs from `unescapeJSON` in two cases, which no valid id contains. NUL stays NUL, and a
/// `\u` that is cut short or names an unpaired surrogate becomes the letter `u`.
enum LenientUnescaping {
  /// Writes a text with its escapes resolved.
  ///
  /// The result is never longer than the text.
  ///
  /// - Parameters:
  ///   - text: bytes without a surrounding quote.
  ///   - result: memory for as many bytes as the text has; it may be the text's own memory.
  /// - Returns: the number of bytes written, and whether one of them is a backslash.
  static func resolve(
    _ text: ByteSlice, into result: UnsafeMutablePointer<UInt8>
  ) -> (count: Int, hasBackslash: Bool) {
    var count = 0
    var hasBackslash = false
    var index = 0
    while index < text.count {
      let start = count
      if text[index] != UInt8(ascii: "\\") || index + 1 == text.count {
        result[count] = text[index]
        count += 1
        index += 1
      } else if let (scalar, length) = wellFormedEscape(text, at: index) {
        count += encodeUTF8(scalar, result + count)
        index += length
      } else {
        result[count] = simpleEscape(text[index + 1])
        count += 1
        index += 2
      }
      hasBackslash = hasBackslash || result[start] == UInt8(ascii: "\\")
    }
    return (count, hasBackslash)
  }

  /// The character of the `\u` escape at `start`.
  ///
  /// - Returns: nil when there is no complete `\u` escape, or only that of an unpaired surrogate.
  private static func wellFormedEscape(
    _ text: ByteSlice, at start: Int
  ) -> (scalar: UInt32, length: Int)? {
    guard isUnicodeEscape(text, at: start) else { return nil }
    // `unicodeEscape` does not check digits, so it sees the next escape only if that is complete.
    let end = isUnicodeEscape(text, at: start + 6) ? start + 12 : start + 6
    let named = unicodeEscape(ByteSlice(start: text.start, count: end), at: start)
    return named.isStorable || named.scalar == 0 ? (named.scalar, named.length) : nil
  }

  private static func isUnicodeEscape(_ text: ByteSlice, at start: Int) -> Bool {
    guard start + 6 <= text.count, text[start] == UInt8(ascii: "\\"),
      text[start + 1] == UInt8(ascii: "u")
    else { return false }
    return (start + 2..<start + 6).allSatisfy { isHexDigit(text[$0]) }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
