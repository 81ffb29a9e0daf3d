/// A text of a line without secrets, the only kind of text that a column takes.
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
  /// A text with a digest in place of every secret.
  ///
  /// - Parameter text: the text of a string, with its escapes resolved.
  @inline(__always)
  mutating func kept(_ text: ByteSlice) -> KeptText {
    Secrets.mayBeNamed(in: text) ? keptIfNamed(text) : KeptText(masked: text)
  }

  /// A copy that is valid as long as the strings of the line.
  mutating func copy(_ text: KeptText?) -> KeptText? {
    text.map { KeptText(masked: copy($0.bytes.buffer)) }
  }

  @inline(never)
  private mutating func keptIfNamed(_ text: ByteSlice) -> KeptText {
    guard let masked = SecretMasking.masked(text: text) else { return KeptText(masked: text) }
    return KeptText(masked: masked.withUnsafeBufferPointer { copy($0) })
  }
}

/// An identifier as a row stores it, which differs if it has the form of a text with a token.
package func storedIdentifier(_ id: String) -> String {
  var id = id
  return id.withUTF8 { bytes in
    guard let start = bytes.baseAddress else { return "" }
    var arena = TextArena()
    return arena.kept(ByteSlice(start: start, count: bytes.count)).bytes.text
  }
}
