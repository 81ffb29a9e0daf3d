internal import CSimdjson

/// The text of a JSON string with its escapes resolved, in memory that the JSON parser can read, and
/// the place of each byte in the string.
final class UnescapedString {
  private let memory: UnsafeMutablePointer<UInt8>
  private let count: Int
  /// For each byte of the text, the offset in the string of the character or escape that it comes
  /// from; after the last one, the length of the string.
  private let offsets: [Int]

  /// - Parameter text: the text of a string whose escapes were resolved before.
  init(text: ByteSlice) {
    memory = .allocate(capacity: text.count + gbi_json_padding())
    memory.initialize(repeating: 0, count: text.count + gbi_json_padding())
    memory.update(from: text.start, count: text.count)
    count = text.count
    offsets = []
  }

  /// - Parameter body: the text between the quotes of a valid JSON string.
  init(body: ByteSlice) {
    let padding = gbi_json_padding()
    memory = .allocate(capacity: body.count + padding)
    memory.initialize(repeating: 0, count: body.count + padding)
    var offsets: [Int] = []
    offsets.reserveCapacity(body.count + 1)
    var (read, written) = (0, 0)
    while read < body.count {
      let start = read
      guard body[read] == UInt8(ascii: "\\") else {
        memory[written] = body[read]
        written += 1
        read += 1
        offsets.append(start)
        continue
      }
      if body[read + 1] == UInt8(ascii: "u") {
        let named = unicodeEscape(body, at: read)
        read += named.length
        let scalar = named.isStorable ? named.scalar : 0xFFFD
        let length = encodeUTF8(scalar, memory + written)
        written += length
        for _ in 0..<length { offsets.append(start) }
      } else {
        memory[written] = simpleEscape(body[read + 1])
        written += 1
        read += 2
        offsets.append(start)
      }
    }
    offsets.append(body.count)
    count = written
    self.offsets = offsets
  }

  deinit { memory.deallocate() }

  /// Calls a function with the text.
  func withText<Value>(_ use: (ByteSlice) -> Value) -> Value {
    defer { withExtendedLifetime(self) {} }
    return use(ByteSlice(start: UnsafePointer(memory), count: count))
  }

  /// True when the text is a JSON object, array or string.
  var isJSON: Bool {
    withText { text in
      let first = text.buffer.first { !ByteSlice.isWhiteSpace($0) }
      guard let first, "{[\"".utf8.contains(first), let parser = gbi_json_parser_create() else {
        return false
      }
      defer { gbi_json_parser_destroy(parser) }
      var status = gbi_json_begin(parser, text.start, text.count, Limits.anyNesting)
      while status == GBI_JSON_MEMBER { status = gbi_json_next(parser) }
      return status == GBI_JSON_END || status == GBI_JSON_NOT_AN_OBJECT
    }
  }

  /// The replacement in the string for a replacement in the text.
  func escaped(_ edit: Edit) -> Edit {
    Edit(
      range: offsets[edit.range.lowerBound]..<offsets[edit.range.upperBound],
      bytes: edit.bytes.flatMap { byte in
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
          ? [UInt8(ascii: "\\"), byte] : [byte]
      })
  }
}
