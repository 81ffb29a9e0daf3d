internal import CSimdjson

/// Turns the bytes of one line after another into a `DecodedLine`.
package final class LineDecoder {
  /// How many readable bytes must follow a line in memory.
  package static let padding = gbi_json_padding()

  package let line: DecodedLine
  private var parser: OpaquePointer
  private let maxDepth: Int

  /// What the parser's buffers have grown to fit; they are some five times a line's size.
  private var largestLine = 0
  /// Lines above this size give their parser's memory back afterwards.
  private static let largestKeptLine = 256 * 1024

  package init(names: FieldNames, rules: NormalizationRules, limits: Limits) {
    line = DecodedLine(names: names, rules: rules)
    maxDepth = limits.nesting
    parser = Self.makeParser()
  }

  deinit { gbi_json_parser_destroy(parser) }

  /// Decodes a line; `line` then holds its values.
  ///
  /// - Parameter bytes: the line without its line break; `padding` readable bytes must follow it.
  /// - Throws: `Rejection` when the bytes are not one JSON object within the limits.
  package func decode(_ bytes: ByteSlice) throws(Rejection) {
    line.reset()
    giveBackMemory(nextLine: bytes.count)
    var status = bytes.start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      gbi_json_begin(parser, $0, bytes.count, maxDepth)
    }
    var member = gbi_json_member()
    while status == GBI_JSON_MEMBER {
      status = gbi_json_next(parser, &member)
      if status == GBI_JSON_MEMBER { take(member) }
    }
    if status != GBI_JSON_END { throw rejection(for: status) }
  }

  @inline(__always)
  private func take(_ member: gbi_json_member) {
    let key = Self.slice(member.key, member.key_length)
    let value = RawValue(
      text: Self.slice(member.value, member.value_length),
      kind: RawValue.Kind(rawValue: member.kind) ?? .null, isEscaped: member.value_escaped != 0)
    let isKeyEscaped = member.key_escaped != 0
    // A name may be spelled with escapes; it is the same name.
    let name = isKeyEscaped ? line.arena.unescape(key).bytes : key
    if let slot = line.names.slot(of: name) {
      line.add(value, slot: slot)
      guard !value.isAbsent, line.isFirstKeptInExtra(slot) else { return }
    }
    line.extra.append(key: key, isKeyEscaped: isKeyEscaped, value: value)
  }

  @inline(__always)
  private static func slice(_ start: UnsafePointer<CChar>?, _ count: Int) -> ByteSlice {
    let empty: StaticString = ""
    guard let start else { return ByteSlice(start: empty.utf8Start, count: 0) }
    return ByteSlice(
      start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
  }

  private func rejection(for status: gbi_json_status) -> Rejection {
    switch status {
    case GBI_JSON_INVALID_UTF8:
      Rejection(.invalidUTF8, "the line is not valid UTF-8")
    case GBI_JSON_NOT_AN_OBJECT:
      Rejection(.notAnObject, "the line is JSON but not an object")
    case GBI_JSON_TOO_DEEP:
      Rejection(.nestingTooDeep, "arrays and objects are nested deeper than \(maxDepth) levels")
    default:
      Rejection(.malformedJSON, "the line is not one complete JSON object")
    }
  }

  private func giveBackMemory(nextLine: Int) {
    if largestLine > Self.largestKeptLine, nextLine <= Self.largestKeptLine {
      gbi_json_parser_destroy(parser)
      parser = Self.makeParser()
      largestLine = 0
    }
    largestLine = max(largestLine, nextLine)
  }

  private static func makeParser() -> OpaquePointer {
    guard let parser = gbi_json_parser_create() else {
      // A few hundred bytes could not be had: nothing that is tried now would work.
      preconditionFailure("out of memory")
    }
    return parser
  }
}
