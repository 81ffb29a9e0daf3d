import TestSupport
import Testing

/// `trace` with the real program: from rows to lines, and from lines to their outcomes.
@Suite(.serialized, .needsServer, .ownDatabase) struct TraceCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private func line(_ number: Int, _ more: String = "") -> String {
    CommandFixture.receipt(number).dropLast() + more + "}"
  }

  private func load(_ name: String, _ lines: [String], _ options: [String] = []) throws -> String {
    let path = try fixture.folder.write(name, lines: lines)
    let result = try fixture.run(
      ["load", path, "--max-rejects", "unlimited"] + CommandFixture.asOf + options)
    try #require([0, 3].contains(result.exitCode), "\(result.errors)")
    return path
  }

  private func trace(_ arguments: String...) throws -> [[String]] {
    let result = try fixture.run(["trace"] + arguments)
    #expect(result.exitCode == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }

  private func refusal(_ arguments: String...) throws -> String {
    let result = try fixture.run(["trace"] + arguments)
    #expect(result.exitCode == 64 && result.output.isEmpty, "\(arguments)")
    return result.errors
  }

  @Test func `a row is traced to its line, and to the lines that filled or contradicted it`() throws
  {
    let first = try load("receipt.jsonl", [line(1), line(2)])
    let second = try load(
      "receipt-2.jsonl", [line(2, #","storeCode":"GG""#), line(2, #","storeCode":"AS""#)])
    for key in [["p2"], [#"["p2"]"#]] {
      let result = try fixture.run(["trace", "--stream", "receipt"] + key)
      let words = result.output.split(separator: "\n").map {
        $0.split(separator: " ").map(String.init)
      }
      #expect(words.contains { $0.prefix(3) == ["\(first):2", "1", "1"] }, "\(result.output)")
      #expect(words.contains(["store_code", "\(second):1", "2"]))
      #expect(words.contains(["store_code", "\(second):2", "2", "GG", "AS"]))
    }
    #expect(try trace("--stream", "receipt", "p1").count == 2)
  }

  @Test func `a row is found by a key with absent parts`() throws {
    let path = try load(
      "levelup.jsonl",
      [#"{"userId":"u","userLevel":5,"levelUpTime":1751328000000,"appId":"a"}"#])
    let found = try trace(
      "--stream", "level_up", #"["a","u",null,5,"2025-07-01T09:00:00+09:00"]"#)
    #expect(found.contains { $0.first == "\(path):1" })
    #expect(
      try refusal("--stream", "level_up", "a", "u", "", "5", "2025-07-01T00:00:00Z")
        .contains("there is no row of level_up with that key"))
    #expect(
      try refusal("--stream", "level_up", "a", "u").contains(
        "app_id, user_id, character_id, user_level, leveled_up_at"))
    #expect(try refusal("--stream", "level_up", "a", "u", "c", "x", "y").contains("that is no key"))
    #expect(try refusal("--stream", "level_up", "[1").contains("that is no key"))
    #expect(try refusal("--stream", "receipt", "p9").contains("there is no row"))
  }

  @Test func `a line is traced to its row, fill, conflict or reject`() throws {
    let path = try load(
      "receipt.jsonl",
      [
        line(1), line(1, #","storeCode":"GG""#), line(1, #","storeCode":"AS""#), "{}", line(1),
      ])
    func became(_ number: Int) throws -> [String] {
      try trace("\(path):\(number)").last ?? []
    }
    #expect(try became(1) == ["inserted", #"["p1"]"#, "-", "-"])
    #expect(try became(2) == ["filled", #"["p1"]"#, "store_code", "-"])
    #expect(
      try became(3) == ["conflict", #"["p1"]"#, "store_code", "kept", "GG,", "refused", "AS"])
    #expect(try became(4).prefix(4) == ["rejected", "-", "paymentSeq", "missing_field:"])
    #expect(try became(5).joined(separator: " ").contains("the line was a duplicate"))
    // A file can also be given by number.
    #expect(try trace("1:1").last == ["inserted", #"["p1"]"#, "-", "-"])
    #expect(try refusal("\(path):6").contains("has 5 lines, and no line 6"))
    #expect(try refusal("\(path)-gone:1").contains("no loaded file is called"))
    #expect(try refusal("nothing").contains("name one line"))

    #expect(try fixture.run(["undo", path]).exitCode == 0)
    #expect(try trace("\(path):1").last?.prefix(4) == ["the", "file", "was", "undone"])
  }

  @Test func `a line without a record gets a list of possible outcomes`() throws {
    let path = try load("receipt.jsonl", [line(1), "", line(1)])
    let text = try trace("\(path):2").last?.joined(separator: " ")
    #expect(
      text
        == "nothing is kept of the line; it was one of these: a duplicate (1 line); blank (1 line)"
    )
  }
}
