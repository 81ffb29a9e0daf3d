import Testing

@testable import RecordPipeline

struct StringUnescapingTests {
  private func unescaped(_ text: String) -> (text: String, bytes: [UInt8], replacements: Int) {
    var text = text
    var arena = TextArena()
    return text.withUTF8 { utf8 in
      var none: UInt8 = 0
      return withUnsafePointer(to: &none) { empty in
        let slice = ByteSlice(start: utf8.baseAddress ?? empty, count: utf8.count)
        let result = arena.unescape(slice)
        return (result.bytes.text, Array(result.bytes.buffer), result.replacementCount)
      }
    }
  }

  @Test(arguments: [
    ("", ""), ("plain é \u{1F600}", "plain é \u{1F600}"), (#"\"\\\/"#, "\"\\/"),
    (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"), (#"\u0041\u00e9\u00E9"#, "Aéé"), (#"\u20ac"#, "€"),
    (#"\u007f\u0080\u07ff\u0800\uffff"#, "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}"),
    (#"\ud83d\ude00"#, "\u{1F600}"), (#"\uD800\uDC00"#, "\u{10000}"),
    (#"\uDBFF\uDFFF"#, "\u{10FFFF}"),
    (#"\ud7ff\ue000"#, "\u{D7FF}\u{E000}"), (#"\\u0041"#, "\\u0041"), (#"\\\u0041"#, "\\A"),
    (#"\u005cn"#, "\\n"), (#"\u0022"#, "\""), (#"e\u0301"#, "e\u{301}"),
  ])
  func `escapes are resolved`(text: String, expected: String) {
    let result = unescaped(text)
    #expect(result.bytes == Array(expected.utf8))
    #expect(result.replacements == 0)
  }

  @Test(arguments: [
    (#"\u0000"#, "\u{FFFD}", 1), (#"a\u0000b\u0000"#, "a\u{FFFD}b\u{FFFD}", 2),
    (#"\ud800"#, "\u{FFFD}", 1), (#"\udfff"#, "\u{FFFD}", 1),
    (#"\udc00\ud800"#, "\u{FFFD}\u{FFFD}", 2),
    (#"\ud800\ud800\udc00"#, "\u{FFFD}\u{10000}", 1), (#"\ud83dx"#, "\u{FFFD}x", 1),
    (#"\ud83d\n"#, "\u{FFFD}\n", 1), (#"\ud83d\u0041"#, "\u{FFFD}A", 1),
    (#"\ud83d\\ude00"#, "\u{FFFD}\\ude00", 1),
    (#"\ud83d\ude00\ude00"#, "\u{1F600}\u{FFFD}", 1),
  ])
  func `characters that a text cannot hold become U+FFFD and are counted`(
    text: String, expected: String, count: Int
  ) {
    let result = unescaped(text)
    #expect(result.bytes == Array(expected.utf8))
    #expect(result.replacements == count)
  }

  @Test func `code points are decoded from their escapes`() {
    for value in UInt32(1)...0x10FFFF where value % 37 == 0 || value < 0x900 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let escape = String(scalar).utf16.map { unit in
        "\\u" + String(UInt32(0x10000) + UInt32(unit), radix: 16).dropFirst()
      }.joined()
      if unescaped(escape).bytes != Array(String(scalar).utf8) { Issue.record("\(escape)") }
    }
  }

  @Test func `the texts of one line share a buffer without overwriting each other`() {
    var arena = TextArena()
    for _ in 0..<2 {
      var slices: [ByteSlice] = []
      var escape = #"\u0061bc"#
      escape.withUTF8 { utf8 in
        guard let start = utf8.baseAddress else { return }
        for _ in 0..<100_000 {
          slices.append(arena.unescape(ByteSlice(start: start, count: utf8.count)).bytes)
        }
      }
      #expect(slices.allSatisfy { $0 == "abc" })
      #expect(arena.capacity < 4 * 800_000)
      arena.reset()
      #expect(arena.capacity <= 1024 * 1024)
    }
  }
}
