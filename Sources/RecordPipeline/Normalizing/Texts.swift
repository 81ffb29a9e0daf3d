/// A free text of any characters; NULs and unpaired surrogates become U+FFFD, and the row is marked as
/// repaired.
enum FreeText: IndependentKind {
  static let summary = "free text"
  static let columns = [Column(.text, isPrivate: true)]

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> KeptText? {
    if raw.isAbsent { return nil }
    guard raw.kind == .string else {
      throw ValueProblem(.wrongType, "a text must be a string, not \(raw.kindName)")
    }
    return try line.storableText(raw)
  }
}

extension DecodedLine {
  /// A string in a form that PostgreSQL can store, without secrets.
  ///
  /// - Throws: `text_too_long` above the limit for free texts.
  mutating func storableText(_ raw: RawValue) throws(ValueProblem) -> KeptText {
    var text = raw.text
    if raw.isEscaped {
      let unescaped = arena.unescape(raw.text)
      if unescaped.replacementCount > 0 { isTextRepaired = true }
      text = unescaped.bytes
    }
    let kept = arena.kept(text)
    guard kept.bytes.count <= rules.limits.textBytes else {
      throw ValueProblem(
        .textTooLong, "it has \(kept.bytes.count) bytes; the limit is \(rules.limits.textBytes)")
    }
    return kept
  }
}
