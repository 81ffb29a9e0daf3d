extension DecodedLine {
  /// Free text: any code points; NULs and unpaired surrogates become U+FFFD and mark the row.
  mutating func freeText(_ field: Spellings) throws(Rejection) -> ByteSlice? {
    try value(field) { line, raw throws(ValueProblem) in
      if raw.isAbsent { return nil }
      guard raw.kind == .string else {
        throw ValueProblem(.wrongType, "it is a text, not \(raw.kindName)")
      }
      return try line.storableText(raw)
    }
  }

  /// A string's text as PostgreSQL can hold it, within the limit for free texts.
  mutating func storableText(_ raw: RawValue) throws(ValueProblem) -> ByteSlice {
    var text = raw.text
    if raw.isEscaped {
      let unescaped = arena.unescape(raw.text)
      if unescaped.replacementCount > 0 { isTextRepaired = true }
      text = unescaped.bytes
    }
    guard text.count <= rules.limits.textBytes else {
      throw ValueProblem(
        .textTooLong, "it has \(text.count) bytes; the limit is \(rules.limits.textBytes)")
    }
    return text
  }
}

/// Text that people wrote.
enum FreeText: LoneKind {
  static let summary = "free text"
  static let columns = [Column.Content(.text, isPrivate: true)]

  @inline(__always)
  static func write(_ field: Spellings, of line: inout DecodedLine, to row: inout RowBuffer)
    throws(Rejection)
  {
    row.text(try line.freeText(field))
  }
}
