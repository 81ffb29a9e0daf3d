import Testing

@testable import RecordPipeline

/// Escapes in number; the fixtures have each kind of them in a payload.
struct StringUnescapingTests {
  private func unescaped(_ text: String) -> [UInt8] {
    var arena = TextArena()
    return Array(text.utf8).withSlice { Array(arena.unescape($0).bytes.buffer) }
  }

  @Test func `code points are decoded from their escapes`() {
    for value in UInt32(1)...0x10FFFF where value % 37 == 0 || value < 0x900 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let escape = String(scalar).utf16.map { unit in
        "\\u" + String(UInt32(0x10000) + UInt32(unit), radix: 16).dropFirst()
      }.joined()
      if unescaped(escape) != Array(String(scalar).utf8) { Issue.record("\(escape)") }
    }
  }

  @Test func `the texts of one line share a buffer without overwriting each other`() {
    var arena = TextArena()
    for _ in 0..<2 {
      var slices: [ByteSlice] = []
      Array(#"\u0061bc"#.utf8).withSlice { escape in
        for _ in 0..<100_000 { slices.append(arena.unescape(escape).bytes) }
      }
      #expect(slices.allSatisfy { $0 == "abc" })
      #expect(arena.capacity < 4 * 800_000)
      arena.reset()
      #expect(arena.capacity <= 1024 * 1024)
    }
  }
}
