internal import Glibc

/// A view of bytes in a line's memory, valid only as long as that memory.
///
/// Texts are compared as bytes, as PostgreSQL does under collation "C"; Strings are equal when they are canonically
/// equivalent.
package struct ByteSlice: Equatable {
  package let start: UnsafePointer<UInt8>
  package let count: Int

  package init(start: UnsafePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
  }

  @inline(__always)
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    // An empty buffer may have no memory.
    let none: StaticString = ""
    self.init(start: bytes.baseAddress ?? none.utf8Start, count: bytes.count)
  }

  init(_ text: StaticString) { self.init(start: text.utf8Start, count: text.utf8CodeUnitCount) }

  package subscript(index: Int) -> UInt8 { start[index] }

  package var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  package var isEmpty: Bool { count == 0 }

  func slice(_ range: Range<Int>) -> ByteSlice {
    ByteSlice(start: start + range.lowerBound, count: range.count)
  }

  package static func == (left: ByteSlice, right: ByteSlice) -> Bool {
    left.count == right.count && memcmp(left.start, right.start, left.count) == 0
  }

  package static func == (left: ByteSlice, right: StaticString) -> Bool {
    left == ByteSlice(right)
  }

  /// Compares with a text of lower-case ASCII letters, in any case of the bytes.
  func equalsIgnoringCase(_ letters: StaticString) -> Bool {
    count == letters.utf8CodeUnitCount
      && (0..<count).allSatisfy { self[$0] | 0x20 == letters.utf8Start[$0] }
  }

  /// The bytes as a String; for messages and rare paths only, because it allocates.
  package var text: String { String(decoding: buffer, as: UTF8.self) }

  /// The bytes of U+FEFF, with which a text in UTF-8 may begin.
  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// True when there is nothing but JSON white space.
  package var isBlank: Bool { buffer.allSatisfy { Self.isWhiteSpace($0) } }

  @inline(__always)
  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
  }
}

extension StaticString {
  /// The words between blanks and line breaks.
  var words: [ByteSlice] {
    ByteSlice(self).buffer.split(whereSeparator: ByteSlice.isWhiteSpace).map {
      ByteSlice(UnsafeBufferPointer(rebasing: $0))
    }
  }
}

extension [UInt8] {
  /// Calls a function with the bytes, which are valid until it returns.
  @inline(__always)
  func withSlice<Result>(_ use: (ByteSlice) -> Result) -> Result {
    withUnsafeBufferPointer { use(ByteSlice($0)) }
  }
}

/// A text without secrets: the only text of a line that a column takes, but for the column of tokens, so a stream
/// that stores a text as the line wrote it does not compile.
package struct KeptText: Equatable {
  package let bytes: ByteSlice

  /// - Parameter bytes: a text that has been masked, or that can hold no name, such as a number.
  init(masked bytes: ByteSlice) { self.bytes = bytes }

  /// A text of the program.
  init(_ text: StaticString) { bytes = ByteSlice(text) }

  package static func == (text: KeptText, other: StaticString) -> Bool { text.bytes == other }
}

extension TextArena {
  /// A text with a digest in place of every token; a digest of all of it when it names a token in another
  /// form than before a quoted value.
  ///
  /// - Parameters:
  ///   - text: the text of a string, with its escapes resolved.
  ///   - isName: true for the name of a member.
  @inline(__always)
  mutating func kept(_ text: ByteSlice, isName: Bool = false) -> KeptText {
    Secrets.mayBeNamed(in: text) ? keptIfNamed(text, isName) : KeptText(masked: text)
  }

  @inline(never)
  private mutating func keptIfNamed(_ text: ByteSlice, _ isName: Bool) -> KeptText {
    switch TokenMasking.kept(text, isName: isName) {
    case .unchanged: KeptText(masked: text)
    case .masked(let masked): copy(masked: masked)
    case .nothing: copy(masked: Secrets.writtenDigest(of: text))
    }
  }

  /// A copy of a masked text, which is valid as long as the strings of the line.
  mutating func copy(masked text: some Collection<UInt8>) -> KeptText {
    let start = room(for: text.count)
    _ = UnsafeMutableBufferPointer(start: start, count: text.count).update(fromContentsOf: text)
    return KeptText(masked: ByteSlice(start: start, count: text.count))
  }

  /// A digest as `sha256:<64 hex>`.
  mutating func written(_ digest: SIMD32<UInt8>) -> KeptText {
    let start = room(for: Secrets.writtenCount)
    Secrets.write(digest, to: start)
    return KeptText(masked: ByteSlice(start: start, count: Secrets.writtenCount))
  }
}

/// An identifier as a row stores it, which differs if it has the form of a text with a token.
package func storedIdentifier(_ id: String) -> String {
  Array(id.utf8).withSlice { id in
    var arena = TextArena()
    return arena.kept(id).bytes.text
  }
}
