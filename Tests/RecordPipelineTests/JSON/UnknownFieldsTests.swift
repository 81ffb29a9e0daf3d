import RecordPipeline
import Testing

/// The counts of unknown fields, which reveal a change of the vendor's schema.
struct UnknownFieldsTests {
  private func fields(_ lines: [String], as stream: RecordStream = .gameUser) throws -> [String] {
    try Reading(lines.joined(separator: "\n"), as: stream).totals.unknownFields.map {
      "\($0.name ?? "others") \($0.lineCount) \($0.firstLine)"
    }
  }

  @Test func `names are counted by line, with the first line number`() throws {
    #expect(
      try fields([
        gameUser(), gameUser(["b": "1", "a": "2"]), "", gameUser(["a": "1", "A": "null"]),
        gameUser(["b": "1", "a": "2"]), gameUser(["c": "1", "a": "3"]),
        // A name counts once for a line, whatever its spelling.
        gameUser(["d": "1", "\\u0064": "2"]),
      ]) == ["b 2 2", "a 4 2", "A 1 4", "c 1 6", "d 1 7"])
  }

  @Test func `known names are not counted, even those that extra keeps`() throws {
    #expect(
      try fields([levelUp(["eventTime": "1616649225531", "classId": "null"])], as: .levelUp) == [])
  }

  @Test func `names of the receipt within an event are counted after the field with it`() throws {
    func purchase(_ data: String) -> String {
      event(["category": #""purchaseUpdated""#, "data": data, "a": "1"])
    }
    #expect(
      try fields(
        [
          purchase(receipt(["a": "1", "b": "2", "eventTime": "1616649225531"])),
          purchase(jsonText(receipt(["\\u0062": "2", "b": "3"]))),
          // The receipt of a refused line is not read.
          purchase(receipt(["c": "1", "price": #""x""#])),
        ], as: .event) == ["a 3 1", "data.a 1 1", "data.b 2 1"])
  }

  @Test func `fields of refused objects are counted, those of malformed lines are not`() throws {
    #expect(
      try fields([#"{"user_id":"u","level":3}"#, #"{"x":1,"y":01}"#, "[]", #"{"user_id":"v"}"#])
        == ["user_id 2 1", "level 1 1"])
  }

  @Test func `a NUL or a lone surrogate in a name becomes U+FFFD`() throws {
    #expect(
      try fields([gameUser(["\\u0000": "1", "\\ud800x": "1"])]) == [
        "\u{FFFD} 1 1", "\u{FFFD}x 1 1",
      ])
  }

  @Test func `names beyond the limits are counted together`() throws {
    let lines = (1...1200).map { gameUser(["n\($0)": "1", "m\($0)": "1"]) }
    let long = String(repeating: "x", count: 257)
    let longest = String(repeating: "y", count: 256)
    #expect(try fields([gameUser([longest: "1"])]) == ["\(longest) 1 1"])
    let counted = try fields(lines + [gameUser([long: "1", "n1": "1"])])
    #expect(counted.count == 1001)
    #expect(counted.first == "n1 2 1")
    #expect(counted[999] == "m500 1 500")
    #expect(counted.last == "others 701 501")
  }

  @Test func `the order of names does not change the counts`() throws {
    var random = SplitMix(state: 7)
    var expected: [String: Int] = [:]
    let lines = (0..<300).map { _ in
      let names = (0..<40).filter { _ in random.next() % 3 == 0 }.map { "f\($0)" }.shuffled(
        using: &random)
      for name in names { expected[name, default: 0] += 1 }
      return "{\"userId\":\"u\",\"userLevel\":1" + names.map { ",\"\($0)\":0" }.joined() + "}"
    }
    let fields = try Reading(lines.joined(separator: "\n"), as: .gameUser).totals.unknownFields
    #expect(
      Dictionary(uniqueKeysWithValues: fields.map { ($0.name ?? "", $0.lineCount) }) == expected)
  }
}
