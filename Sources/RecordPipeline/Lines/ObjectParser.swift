internal import CSimdjson

/// Iterates over the members of a JSON object, and accepts only text that RFC 8259 allows.
final class ObjectParser {
  /// The number of readable bytes that must follow a text in memory.
  static let padding = gbi_json_padding()

  private let parser: OpaquePointer
  /// The memory in which the parser stores the current member.
  private let member: UnsafePointer<gbi_json_member>

  init() {
    guard let parser = gbi_json_parser_create() else {
      // The allocation is a few hundred bytes. If it fails, a recovery would fail, too.
      preconditionFailure("out of memory")
    }
    self.parser = parser
    member = gbi_json_current(parser)
  }

  deinit { gbi_json_parser_destroy(parser) }

  /// Calls a function with each member of an object, in order; the object is valid only if the method returns.
  ///
  /// - Parameters:
  ///   - bytes: the object's text; `padding` readable bytes must follow it.
  ///   - maxDepth: the maximum of levels of arrays and objects; the object itself is level 1.
  ///   - take: gets members that are valid JSON.
  /// - Throws: `Rejection` when the bytes are not one JSON object within the limit, or what `take`
  ///   throws.
  @inline(__always)
  func forEachMember(
    of bytes: ByteSlice, maxDepth: Int, _ take: (ObjectMember) throws(Rejection) -> Void
  ) throws(Rejection) {
    let (parser, member) = (parser, member)
    var status = gbi_json_begin(parser, bytes.start, bytes.count, maxDepth)
    while status == GBI_JSON_MEMBER {
      status = gbi_json_next(parser)
      if status == GBI_JSON_MEMBER { try take(ObjectMember(member.pointee)) }
    }
    if status != GBI_JSON_END { throw Self.rejection(for: status, of: bytes, maxDepth: maxDepth) }
  }

  private static func rejection(
    for status: gbi_json_status, of bytes: ByteSlice, maxDepth: Int
  ) -> Rejection {
    switch status {
    case GBI_JSON_INVALID_UTF8: Rejection(.invalidUTF8, "the line is not valid UTF-8")
    case GBI_JSON_NOT_AN_OBJECT: Rejection(.notAnObject, "the line is JSON but not an object")
    case GBI_JSON_TOO_DEEP:
      Rejection(.nestingTooDeep, "arrays and objects are nested deeper than \(maxDepth) levels")
    case GBI_JSON_NO_MEMORY: .outOfMemory
    // LineReader removes the one at the start of a file.
    case _ where bytes.buffer.starts(with: ByteSlice.byteOrderMark):
      Rejection(
        .malformedJSON, "a byte-order mark begins the line, as where files were joined; remove it")
    default: Rejection(.malformedJSON, "the line is not one complete JSON object")
    }
  }
}

/// One member of an object, as written.
struct ObjectMember {
  /// The text between the quotes, with its escapes unresolved.
  let key: ByteSlice
  let isKeyEscaped: Bool
  var value: RawValue
}

extension ObjectMember {
  @inline(__always)
  fileprivate init(_ member: gbi_json_member) {
    key = ByteSlice(start: member.key, count: member.key_length)
    isKeyEscaped = member.key_escaped != 0
    value = RawValue(
      text: ByteSlice(start: member.value, count: member.value_length),
      kind: RawValue.Kind(rawValue: UInt8(truncatingIfNeeded: member.kind)) ?? .null,
      isEscaped: member.value_escaped != 0)
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
    case .number, .string: "a \(kind)"
    case .array, .object: "an \(kind)"
    }
  }

  /// The JSON as written, with the quotes of a string; only for a value of a line, which has them.
  var written: ByteSlice {
    kind == .string ? ByteSlice(start: text.start - 1, count: text.count + 2) : text
  }
}
