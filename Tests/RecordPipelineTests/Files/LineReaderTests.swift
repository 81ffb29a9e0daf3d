import Testing

@testable import RecordPipeline

struct LineReaderTests {
  private struct Line: Equatable, CustomStringConvertible {
    var text: String
    var number: Int
    var offset: Int
    var byteCount: Int
    var isTooLong = false
    var description: String { "\(number)@\(offset)+\(byteCount) \(text.prefix(40)) \(isTooLong)" }
  }

  private func lines(
    _ source: any ByteSource, limit: Int = 1024
  ) throws -> (lines: [Line], seen: [UInt8], end: Int) {
    var seen: [UInt8] = []
    var reader = LineReader(source, limit: limit) { seen.append(contentsOf: $0) }
    var lines: [Line] = []
    while let line = try reader.next() {
      lines.append(
        Line(
          text: line.bytes.text, number: line.number, offset: line.byteOffset,
          byteCount: line.byteCount, isTooLong: line.isTooLong))
    }
    #expect(try reader.next() == nil)
    return (lines, seen, reader.byteOffset)
  }

  private func texts(_ text: String, limit: Int = 1024) throws -> [String] {
    try lines(ChunkedSource(text), limit: limit).lines.map(\.text)
  }

  @Test(
    arguments: [
      ("", []), ("\u{FEFF}", []), ("\n", [""]), ("\n\n", ["", ""]), ("\r\n", [""]), ("\r", [""]),
      ("a", ["a"]), ("a\n", ["a"]),
      ("a\r\n", ["a"]), ("a\r", ["a"]), ("a\n\nb", ["a", "", "b"]), ("a\r\r\n", ["a\r"]),
      ("a\rb\n", ["a\rb"]), ("\na", ["", "a"]), (" a \t\n", [" a \t"]),
      ("a\u{2028}b\u{85}c\u{B}d\n", ["a\u{2028}b\u{85}c\u{B}d"]),
      ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]), ("\u{FEFF}\u{FEFF}a", ["\u{FEFF}a"]),
      ("\u{FEFF}\n", [""]), (" \u{FEFF}a", [" \u{FEFF}a"]),
    ] as [(String, [String])])
  func `bytes are split only at line feeds`(text: String, expected: [String]) throws {
    // The lines are compared as bytes, because as Strings some of them are equal.
    #expect(try texts(text).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test func `offsets count every byte, including line breaks and the mark`() throws {
    let reading = try lines(ChunkedSource("\u{FEFF}ab\r\n\nc\né"))
    #expect(
      reading.lines == [
        Line(text: "ab", number: 1, offset: 3, byteCount: 2),
        Line(text: "", number: 2, offset: 7, byteCount: 0),
        Line(text: "c", number: 3, offset: 8, byteCount: 1),
        Line(text: "é", number: 4, offset: 10, byteCount: 2),
      ])
    #expect(reading.end == 12)
  }

  @Test(arguments: [[1], [2], [3], [7], [1, 2, 3, 5, 8], [64], [255, 1], [4096]])
  func `any split of the bytes gives the same lines`(sizes: [Int]) throws {
    var random = SplitMix(state: 7)
    var text = "\u{FEFF}"
    for _ in 0..<400 {
      let length = Int.random(in: 0..<90, using: &random)
      text += String(
        repeating: ["x", "é", "\r", " "].randomElement(using: &random) ?? "", count: length)
      text += ["\n", "\r\n", "\n\n"].randomElement(using: &random) ?? ""
    }
    text += "the end"
    for limit in [1, 16, 64, 1000] {
      let whole = try lines(ChunkedSource(text), limit: limit)
      let split = try lines(ChunkedSource(Array(text.utf8), sizes: sizes), limit: limit)
      #expect(whole.lines == split.lines)
      #expect(split.seen == Array(text.utf8))
      #expect(split.end == text.utf8.count)
    }
  }

  @Test(arguments: ["", "\n", "\r\n", "\r", "\nnext", "\r\nnext"], [[Int.max], [1], [10, 1]])
  func `a line at the limit is complete, and one byte more is too long`(
    ending: String, sizes: [Int]
  ) throws {
    let source = { (length: Int) in
      ChunkedSource(Array((String(repeating: "x", count: length) + ending).utf8), sizes: sizes)
    }
    let whole = try #require(try lines(source(10), limit: 10).lines.first)
    #expect(whole == Line(text: "xxxxxxxxxx", number: 1, offset: 0, byteCount: 10))
    for length in [11, 12, 13, 500] {
      let reading = try lines(source(length), limit: 10).lines
      #expect(reading.first?.isTooLong == true)
      #expect(reading.first?.byteCount == length)
      #expect(reading.dropFirst().map(\.text) == (ending.hasSuffix("next") ? ["next"] : []))
    }
  }

  @Test func `a line of a gigabyte takes only the memory of its prefix`() throws {
    let stretch = [UInt8](repeating: UInt8(ascii: "x"), count: 64 * 1024)
    let source = RepeatingSource(stretch, times: 16 * 1024, then: Array("\r\ngood\nbetter".utf8))
    var reader = LineReader(source, limit: 1024 * 1024) { _ in }
    let long = try #require(try reader.next())
    #expect(long.isTooLong)
    #expect(long.byteCount == 1 << 30)
    #expect(long.bytes.count <= 1024 * 1024)
    #expect(long.bytes.buffer.allSatisfy { $0 == UInt8(ascii: "x") })
    let good = try #require(try reader.next())
    #expect(good.bytes == "good" && good.number == 2 && good.byteOffset == 1 << 30 | 2)
    #expect(try reader.next()?.bytes.text == "better")
    #expect(try reader.next() == nil)
  }

  @Test func `an error of the source follows the lines before it`() throws {
    let error = ReadError(.truncated, "ends too early")
    let source = ChunkedSource(Array("a\nb".utf8), error: error)
    var reader = LineReader(source, limit: 10) { _ in }
    #expect(try reader.next()?.bytes.text == "a")
    #expect(throws: error) { try reader.next() }
  }

  @Test func `a line that is too long is a reject with its place and length`() throws {
    var rules = standardRules
    rules.limits.lineBytes = 100
    let long = receipt(["payload": "\"\(String(repeating: "x", count: 100))\""])
    let reading = try Reading(
      "\(gameUser())\n\(long)\r\n\n\(gameUser())", as: .gameUser, rules: rules)
    let reject = try #require(reading.rejects.first)
    #expect(reject.rejection.code == .lineTooLong)
    #expect(reject.rejection.field == nil)
    #expect(reject.lineNumber == 2)
    #expect(reject.byteOffset == gameUser().utf8.count + 1)
    #expect(reject.rawByteCount == long.utf8.count)
    #expect(reading.rows.count == 2)
    #expect(reading.totals.blankCount == 1)
  }

  @Test func `a long line is truncated, and its full length is recorded`() throws {
    let text = "{\"x\":\"" + String(repeating: "x", count: 200_000)
    let reject = try #require(try Reading(text, as: .gameUser).rejects.first)
    #expect(reject.raw.count == Limits.rejectedLineBytes)
    #expect(reject.raw.elementsEqual(text.utf8.prefix(Limits.rejectedLineBytes)))
    #expect(reject.rawByteCount == text.utf8.count)
  }
}
