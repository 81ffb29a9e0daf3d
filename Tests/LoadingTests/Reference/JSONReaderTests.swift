import Testing

@testable import Loading

struct JSONReaderTests {
  private func read(_ text: String) throws(JSONReader.Failure) -> JSONReader.Node {
    try JSONReader.read(Array(text.utf8))
  }

  @Test func `values keep their lines, and repeated names stay apart`() throws {
    let root = try read("\u{FEFF}{\r\n \"a\" :\n[true,\nnull , -1.5e+3],\"a\":{}}\n")
    guard case .object(let members) = root.value else {
      Issue.record("no object")
      return
    }
    #expect(root.line == 1)
    #expect(members.map(\.name) == ["a", "a"])
    #expect(members.map(\.line) == [2, 4])
    guard case .array(let elements) = members[0].node.value else {
      Issue.record("no array")
      return
    }
    #expect(elements.map(\.line) == [3, 4, 4])
  }

  @Test(
    arguments: [
      (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u00e9\uD83D\uDE00\u0000""#, "é😀\u{0}"), ("\"나중에\"", "나중에"), ("\"\u{7F}\"", "\u{7F}"),
    ] as [(String, String)])
  func `texts are unescaped`(source: String, text: String) throws {
    guard case .text(let found) = try read(source).value else {
      Issue.record("no text")
      return
    }
    #expect(found == text)
  }

  @Test(arguments: [
    "", " ", "nul", "truex", "{", "[", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}",
    "{\"a\":1,}", "{,}", "{\"a\":1 \"b\":2}", "[1]]", "{} {}", "'a'", "\"a", "\"\\x\"", "\"\\u12\"",
    "\"\\u+123\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\t\"", "\"\n\"", "01",
    "-",
    "1.", ".5", "1e", "1e+", "+1", "0x1", "NaN", "\u{A0}1", "// a\n1", "\u{0}",
  ])
  func `text that is no JSON is refused`(text: String) {
    #expect(throws: JSONReader.Failure.self) { try read(text) }
  }

  @Test func `a failure names its line`() {
    #expect(throws: JSONReader.Failure(line: 3, reason: "a comma or } is missing")) {
      try read("{\n\"a\": 1\n\"b\": 2}")
    }
    #expect(throws: JSONReader.Failure(line: 2, reason: "a text is not UTF-8")) {
      try JSONReader.read(Array("[\n\"".utf8) + [0xFF, 0x22, 0x5D])
    }
  }

  @Test func `nesting is limited`() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    _ = try read(nested(JSONReader.mostLevels))
    #expect(throws: JSONReader.Failure.self) { try read(nested(JSONReader.mostLevels + 1)) }
  }
}
