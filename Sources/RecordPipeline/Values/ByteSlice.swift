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

  @inline(__always)
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    // An empty buffer may have no memory.
    let none: StaticString = ""
    self.init(start: bytes.baseAddress ?? none.utf8Start, count: bytes.count)
  }

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
    left.count == right.utf8CodeUnitCount && memcmp(left.start, right.utf8Start, left.count) == 0
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

/// A JSON value as written in the line, before normalization.
package struct RawValue {
  package enum Kind: UInt8, Sendable {
    // The order is that of gbi_json_kind.
    case null, `true`, `false`, number, string, array, object
  }

  /// The text of the value; for a string, the text between the quotes, with its escapes unresolved.
  package let text: ByteSlice
  package let kind: Kind
  /// True when the text holds a backslash.
  package let isEscaped: Bool

  /// True for `null` and `""`, which mean the same as an absent field.
  @inline(__always)
  var isAbsent: Bool { kind == .null || (kind == .string && text.isEmpty) }

  /// The JSON type as messages name it.
  package var kindName: String {
    switch kind {
    case .null: "null"
    case .true, .false: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The JSON as written, with the quotes of a string; only for a value of a line, which has them.
  var written: ByteSlice {
    kind == .string ? ByteSlice(start: text.start - 1, count: text.count + 2) : text
  }
}

extension [UInt8] {
  /// Calls a function with the bytes, which are valid until it returns.
  @inline(__always)
  func withSlice<Result>(_ use: (ByteSlice) -> Result) -> Result {
    withUnsafeBufferPointer { use(ByteSlice($0)) }
  }
}

/// A line of an input, not yet decoded.
package struct InputLine {
  /// The line without its line break and without a carriage return before it.
  ///
  /// `LineDecoder.padding` readable bytes follow it. Valid until the next line is read.
  package let bytes: ByteSlice
  /// From 1.
  package let number: Int
  /// Offset of the first byte in the decoded stream, from 0.
  package let byteOffset: Int
  /// Length of the line; when the line is above the limit, `bytes` holds only its beginning.
  package let byteCount: Int
  package let isTooLong: Bool
  /// False for a last line without a line feed.
  package let hasLineFeed: Bool
}

/// A text of a line without secrets, the only text of a line that a column takes, but for the column of tokens.
///
/// A stream that stores a text as the line wrote it therefore does not compile.
package struct KeptText: Equatable {
  package let bytes: ByteSlice

  /// - Parameter bytes: a text that has been masked, or that can hold no name, such as a number.
  init(masked bytes: ByteSlice) { self.bytes = bytes }

  /// A text of the program.
  init(_ text: StaticString) {
    bytes = ByteSlice(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

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

  /// A copy that is valid as long as the strings of the line.
  mutating func copy(_ text: KeptText?) -> KeptText? {
    text.map { KeptText(masked: copy($0.bytes)) }
  }

  /// A copy of a masked text.
  mutating func copy(_ text: [UInt8]) -> KeptText {
    text.withSlice { KeptText(masked: copy($0)) }
  }

  /// A digest as `sha256:<64 hex>`.
  mutating func written(_ digest: SIMD32<UInt8>) -> KeptText {
    let start = room(for: Secrets.writtenCount)
    Secrets.write(digest, to: start)
    return KeptText(masked: ByteSlice(start: start, count: Secrets.writtenCount))
  }

  @inline(never)
  private mutating func keptIfNamed(_ text: ByteSlice, _ isName: Bool) -> KeptText {
    switch TokenMasking.kept(text, isName: isName) {
    case .unchanged: KeptText(masked: text)
    case .masked(let masked): copy(masked)
    case .nothing: copy(Secrets.writtenDigest(of: text))
    }
  }
}

/// An identifier as a row stores it, which differs if it has the form of a text with a token.
package func storedIdentifier(_ id: String) -> String {
  Array(id.utf8).withSlice { id in
    var arena = TextArena()
    return arena.kept(id).bytes.text
  }
}
