internal import CSimdjson

/// The text of a JSON string with its escapes resolved, and the place of each byte in the string.
final class UnescapedString {
  private let memory: UnsafeMutablePointer<UInt8>
  private let count: Int
  /// For each byte of the text, the offset in the string of the character or escape that it comes
  /// from; after the last one, the length of the string.
  let offsets: [Int]

  /// The largest number of levels of arrays and objects; a deeper text counts as no JSON.
  private static let levels = 1 << 16

  /// - Parameter body: the text between the quotes of a valid JSON string.
  init(_ body: ByteSlice) {
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

  /// Calls a function with the text if it is a JSON object, array or string; else returns nil.
  func withJSON<Value>(_ body: (ByteSlice) -> Value) -> Value? {
    defer { withExtendedLifetime(self) {} }
    let text = ByteSlice(start: UnsafePointer(memory), count: count)
    let first = text.buffer.first { !ByteSlice.isWhiteSpace($0) }
    guard let first, "{[\"".utf8.contains(first), Self.isJSON(text) else { return nil }
    return body(text)
  }

  private static func isJSON(_ text: ByteSlice) -> Bool {
    guard let parser = gbi_json_parser_create() else { return false }
    defer { gbi_json_parser_destroy(parser) }
    var status = gbi_json_begin(parser, text.start, text.count, levels)
    while status == GBI_JSON_MEMBER { status = gbi_json_next(parser) }
    return status == GBI_JSON_END || status == GBI_JSON_NOT_AN_OBJECT
  }
}
