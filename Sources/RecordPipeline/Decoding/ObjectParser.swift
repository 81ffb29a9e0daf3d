internal import CSimdjson

/// Walks over the members of one JSON object after another, strict in all of RFC 8259.
final class ObjectParser {
  private var parser: OpaquePointer
  /// Where the parser writes its members.
  private var member: UnsafePointer<gbi_json_member>
  /// What the parser's buffers have grown to fit; they are some four times a line's size.
  private var largest = 0
  /// True when there was no memory for the last object: the line is not to blame.
  private(set) var ranOutOfMemory = false

  /// Objects above this size give their parser's memory back afterwards.
  private static let largestKept = 256 * 1024

  init() {
    parser = Self.makeParser()
    member = gbi_json_current(parser)
  }

  deinit { gbi_json_parser_destroy(parser) }

  /// Hands out the members of an object, in order.
  ///
  /// - Parameters:
  ///   - bytes: the object's text; `LineDecoder.padding` readable bytes must follow it.
  ///   - maxDepth: levels of arrays and objects, the object itself being level 1.
  ///   - take: a member is valid when it is handed out, the text as a whole only at the end.
  /// - Throws: `Rejection` when the bytes are not one JSON object within the limit, or what `take`
  ///   throws.
  @inline(__always)
  func forEachMember(
    of bytes: ByteSlice, maxDepth: Int, _ take: (ObjectMember) throws(Rejection) -> Void
  ) throws(Rejection) {
    giveBackMemory(next: bytes.count)
    let (parser, member) = (parser, member)
    var status = gbi_json_begin(parser, bytes.start, bytes.count, maxDepth)
    while status == GBI_JSON_MEMBER {
      status = gbi_json_next(parser)
      if status == GBI_JSON_MEMBER { try take(ObjectMember(member.pointee)) }
    }
    if status != GBI_JSON_END { throw rejection(for: status, maxDepth: maxDepth) }
  }

  private func rejection(for status: gbi_json_status, maxDepth: Int) -> Rejection {
    switch status {
    case GBI_JSON_INVALID_UTF8:
      return Rejection(.invalidUTF8, "the line is not valid UTF-8")
    case GBI_JSON_NOT_AN_OBJECT:
      return Rejection(.notAnObject, "the line is JSON but not an object")
    case GBI_JSON_TOO_DEEP:
      return Rejection(
        .nestingTooDeep, "arrays and objects are nested deeper than \(maxDepth) levels")
    case GBI_JSON_NO_MEMORY:
      ranOutOfMemory = true
      return Rejection(.malformedJSON, "there is no memory to read the line")
    default:
      return Rejection(.malformedJSON, "the line is not one complete JSON object")
    }
  }

  private func giveBackMemory(next: Int) {
    if largest > Self.largestKept, next <= Self.largestKept {
      gbi_json_parser_destroy(parser)
      parser = Self.makeParser()
      member = gbi_json_current(parser)
      largest = 0
    }
    largest = max(largest, next)
  }

  private static func makeParser() -> OpaquePointer {
    guard let parser = gbi_json_parser_create() else {
      // A few hundred bytes could not be had: nothing that is tried now would work.
      preconditionFailure("out of memory")
    }
    return parser
  }
}

/// One member of an object as it is written there.
struct ObjectMember {
  /// Between the quotes, escapes not resolved.
  let key: ByteSlice
  let isKeyEscaped: Bool
  let value: RawValue

  @inline(__always)
  init(_ member: gbi_json_member) {
    key = ByteSlice(start: member.key, count: member.key_length)
    isKeyEscaped = member.key_escaped != 0
    value = RawValue(
      text: ByteSlice(start: member.value, count: member.value_length),
      kind: RawValue.Kind(rawValue: UInt8(truncatingIfNeeded: member.kind)) ?? .null,
      isEscaped: member.value_escaped != 0)
  }
}
