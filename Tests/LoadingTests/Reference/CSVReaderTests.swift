import Testing

@testable import Loading

struct CSVReaderTests {
  private func records(_ text: String) throws -> [CSVReader.Record] {
    var reader = CSVReader(Array(text.utf8))
    var records: [CSVReader.Record] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }

  @Test(
    arguments: [
      ("", []), ("a", [["a"]]), ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]),
      ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]), ("\u{FEFF}a,b", [["a", "b"]]),
      ("\u{FEFF}\"a\",b", [["a", "b"]]), ("a,\n,b\n,\n", [["a", ""], ["", "b"], ["", ""]]),
      ("\n\r\na\n\n\r\nb\n\n", [["a"], ["b"]]), ("\"a,b\",\"c\nd\"", [["a,b", "c\nd"]]),
      ("\"a\"\"b\",\"\"\r\n\"\"\"\"", [["a\"b", ""], ["\""]]), (" a ,\tb", [[" a ", "\tb"]]),
      ("\"a\r\nb\"\r\nc", [["a\r\nb"], ["c"]]), ("é,한\n", [["é", "한"]]),
    ] as [(String, [[String]])])
  func `text is split into records and values`(text: String, values: [[String]]) throws {
    #expect(try records(text).map(\.values) == values)
  }

  @Test func `a record has the number of its first line`() throws {
    #expect(
      try records("\u{FEFF}a\n\n\"b\n\nc\",\"d\n\"\r\ne\n\r\n\nf").map(\.line) == [1, 3, 7, 10])
  }

  @Test(arguments: [
    ("a\nb\"c", 2, "a value that does not begin with one"), ("a\n\"b\"c", 2, "follows a closing"),
    ("a\n\n\"b\nc\"\"", 3, "not closed"), ("a\rb", 1, "carriage return"),
    ("\"a\"\r", 1, "carriage"),
    ("\"a\nb\" ,c", 2, "follows a closing"),
  ]) func `a wrong form is refused by its line`(text: String, line: Int, reason: String) {
    let failure = #expect(throws: CSVReader.Failure.self) { try records(text) }
    #expect(failure?.line == line)
    #expect(failure?.reason.contains(reason) == true)
  }

  @Test(arguments: [[0x61, 0x0A, 0xFF], [0x61, 0x0A, 0x22, 0xC3, 0x22]] as [[UInt8]])
  func `bytes that are not UTF-8 are refused by their line`(bytes: [UInt8]) throws {
    var reader = CSVReader(bytes)
    #expect(try reader.next()?.values == ["a"])
    let failure = #expect(throws: CSVReader.Failure.self) { try reader.next() }
    #expect(failure == CSVReader.Failure(line: 2, reason: "the text is not UTF-8"))
  }
}
