internal import CSimdjson

/// The text of a JSON string with its escapes resolved, in memory that the JSON parser can read, and
/// the place of each byte in the string.
final class UnescapedString {
  private let memory: UnsafeMutablePointer<UInt8>
  private let count: Int
  /// The escapes of the string, in order.
  private let escapes: [Escape]

  /// An escape in the string, and the text that it stands for.
  private struct Escape {
    let textStart, textEnd, bodyStart, bodyEnd: UInt32
  }

  /// - Parameter text: the text of a string whose escapes were resolved before.
  init(text: ByteSlice) {
    memory = .allocate(capacity: text.count + gbi_json_padding())
    memory.initialize(repeating: 0, count: text.count + gbi_json_padding())
    memory.update(from: text.start, count: text.count)
    count = text.count
    escapes = []
  }

  /// - Parameter body: the text between the quotes of a valid JSON string.
  init(body: ByteSlice) {
    let padding = gbi_json_padding()
    memory = .allocate(capacity: body.count + padding)
    memory.initialize(repeating: 0, count: body.count + padding)
    var escapes: [Escape] = []
    var (read, written) = (0, 0)
    while read < body.count {
      guard body[read] == UInt8(ascii: "\\") else {
        memory[written] = body[read]
        written += 1
        read += 1
        continue
      }
      let (bodyStart, textStart) = (read, written)
      if body[read + 1] == UInt8(ascii: "u") {
        let named = unicodeEscape(body, at: read)
        read += named.length
        written += encodeUTF8(named.isStorable ? named.scalar : 0xFFFD, memory + written)
      } else {
        memory[written] = simpleEscape(body[read + 1])
        written += 1
        read += 2
      }
      escapes.append(
        Escape(
          textStart: UInt32(textStart), textEnd: UInt32(written), bodyStart: UInt32(bodyStart),
          bodyEnd: UInt32(read)))
    }
    count = written
    self.escapes = escapes
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
      range: place(of: edit.range.lowerBound)..<place(of: edit.range.upperBound),
      bytes: edit.bytes.flatMap { byte in
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
          ? [UInt8(ascii: "\\"), byte] : [byte]
      })
  }

  /// The offset in the string of a byte of the text, or of the escape that it comes from; of the end
  /// of the text, the length of the string.
  private func place(of byte: Int) -> Int {
    var (low, high) = (0, escapes.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(escapes[middle].textStart) <= byte { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return byte }
    let last = escapes[low - 1]
    return byte < Int(last.textEnd)
      ? Int(last.bodyStart) : Int(last.bodyEnd) + byte - Int(last.textEnd)
  }
}
