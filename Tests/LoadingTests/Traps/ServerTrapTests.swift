import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// Hostile lines through the real loader into a real server.
///
/// No line may end a load, and each stored value must equal the sent one.
@Suite(.serialized, .needsServer, .ownDatabase) struct ServerTrapTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func load(_ lines: [[UInt8]], as stream: String) throws -> FileReport {
    var bytes: [UInt8] = []
    for line in lines {
      bytes.append(contentsOf: line)
      bytes.append(0x0A)
    }
    let path = try fixture.folder.write("lines", bytes)
    let report = try fixture.load([path], stream: stream)
    let file = try #require(report.files.first)
    try #require(file.status == .loaded, "\(file.error ?? "")")
    let isClean = file.rejected + file.conflicts == 0
    #expect(report.exitCode == (isClean ? 0 : 3))
    let outcomes = [
      file.inserted, file.filled, file.duplicates, file.conflicts, file.rejected, file.blank,
    ]
    #expect(file.lines == outcomes.reduce(0, +))
    return file
  }

  /// The columns of each stored line, by line number: texts as hexadecimal bytes, because Swift's
  /// String treats canonical equivalents as equal.
  private func stored(_ columns: [String], in stream: RecordStream) throws -> [Int: [String?]] {
    let texts = columns.map { "encode(convert_to(\($0)::text, 'UTF8'), 'hex')" }
    let rows = try fixture.database.rows(
      "select line_number, \(texts.joined(separator: ", ")) from \(stream.targetTable)")
    var byLine: [Int: [String?]] = [:]
    for row in rows { byLine[row[0].flatMap { Int($0) } ?? 0] = Array(row.dropFirst()) }
    return byLine
  }

  private static func hex(_ text: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: text.utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private func check(_ traps: TrapLines) throws {
    var columns: Set<String> = []
    var refusedCount = 0
    for outcome in traps.outcomes {
      switch outcome {
      case .stored(let values): columns.formUnion(values.keys)
      case .refused: refusedCount += 1
      }
    }
    let file = try load(traps.lines, as: traps.stream.name)
    #expect(file.inserted == traps.lines.count - refusedCount)
    #expect(file.rejected == refusedCount)

    let names = columns.sorted()
    let rows = try stored(names, in: traps.stream)
    var refused: [Int: [String?]] = [:]
    for row in try fixture.database.rows("select line_number, code, field from ingest.reject") {
      refused[row[0].flatMap { Int($0) } ?? 0] = Array(row.dropFirst())
    }
    for (index, outcome) in traps.outcomes.enumerated() {
      // The start of the line identifies the trap.
      let start = String(decoding: traps.lines[index].prefix(160), as: UTF8.self)
      let place = "\(traps.stream.name) \(start)"
      switch outcome {
      case .stored(let values):
        guard let row = rows[index + 1] else {
          Issue.record("not stored, refused as \(refused[index + 1] ?? []): \(place)")
          continue
        }
        for (name, value) in zip(names, row) {
          if let expected = values[name] {
            #expect(value == expected.map(Self.hex), "\(name): \(place)")
          }
        }
      case .refused(let code, let field):
        #expect(refused[index + 1] == [code.rawValue, field], "\(place)")
      }
    }
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `each hostile line is stored unchanged or refused, and none ends a load`(name: String) throws
  {
    let stream = try #require(StreamCatalog.stream(named: name))
    try check(TrapLines.all(stream))
    let time = stream.columns.first { $0.type == .timestamptz }?.name ?? ""
    #expect(
      try fixture.database.value(
        "select count(*) from \(stream.targetTable) where not isfinite(\(time))") == "0")
    let names = try fixture.database.rows(
      "select encode(convert_to(field, 'UTF8'), 'hex') from ingest.unknown_field")
    for name in ["", "\u{E9}", "e\u{301}", "\u{FFFD}", "__proto__", "k299"] {
      #expect(names.filter { $0 == [Self.hex(name)] }.count == 1, "\(jsonString(name))")
    }
    // Every member of every `extra` can be read by name.
    let walked = try fixture.database.rows(
      """
      select json_typeof(extra), count(*) > 0 from \(stream.targetTable), json_each(extra)
        group by 1
      """)
    #expect(walked == [["object", "t"]])

    // The same rows again, through the merge: each is found.
    let traps = try TrapLines.all(stream)
    let again = try load(traps.lines + [[0x20]], as: name)
    #expect([again.inserted, again.filled, again.conflicts] == [0, 0, 0])
    #expect(again.duplicates + again.rejected == traps.lines.count)
  }

  @Test func `a conflict keeps both texts and the key unchanged`() throws {
    var expected: [[String?]] = []
    var lines: [[UInt8]] = []
    for text in TrapLines.texts {
      let json = jsonString(text)
      for store in [json, "\"\(text.utf8.count)\""] {
        lines.append(Array(Lines.receipt(["paymentSeq": json, "storeCode": store]).utf8))
      }
      expected.append([text, text, "\(text.utf8.count)"].map(Self.hex))
    }
    let file = try load(lines, as: "receipt")
    #expect([file.inserted, file.conflicts] == [expected.count, expected.count])
    let conflicts = try fixture.database.rows(
      """
      select encode(convert_to(natural_key->>0, 'UTF8'), 'hex'),
          encode(convert_to(kept, 'UTF8'), 'hex'), encode(convert_to(refused, 'UTF8'), 'hex')
        from ingest.conflict order by line_number
      """)
    #expect(conflicts == expected)
  }

  @Test func `texts that look the same but differ in bytes are different keys`() throws {
    let pairs = [("caf\u{E9}", "cafe\u{301}"), ("\u{212A}", "K"), ("\u{2126}", "\u{3A9}")]
    let firsts = pairs.map { Lines.receipt(["paymentSeq": jsonString($0.0)]) }
    let seconds = pairs.map { Lines.receipt(["paymentSeq": jsonString($0.1)]) }
    #expect(try load(firsts.map { Array($0.utf8) }, as: "receipt").inserted == 3)
    let file = try load((firsts + seconds + seconds).map { Array($0.utf8) }, as: "receipt")
    #expect([file.inserted, file.duplicates, file.conflicts] == [3, 6, 0])

    let users = pairs.flatMap { [$0.0, $0.1] }.map { Lines.levelUp(["userId": jsonString($0)]) }
    let players = try load((users + users).map { Array($0.utf8) }, as: "level_up")
    #expect([players.inserted, players.duplicates] == [6, 6])
  }

  // MARK: - Sizes

  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-".utf8)

  /// Printable text without a repetition that compression could find.
  private func noise(_ count: Int, seed: UInt64) -> String {
    var random = SplitMix(state: seed)
    let text = (0..<count).map { _ in Self.letters[Int(random.next() % 64)] }
    return String(decoding: text, as: UTF8.self)
  }

  /// By stream name: the identifiers of the key, user and application, and a compared field.
  static let longKeys: [String: (identifiers: [String], other: String)] = [
    "receipt": (["paymentSeq", "userId", "appId"], "storeCode"),
    "level_up": (["userId", "appId", "characterId"], "classId"),
    "game_user": (["userId", "appId", "characterId", "channelId"], "classId"),
    "item": (["gamebaseProductId", "appId", "marketItemId", "storeCode"], "itemName"),
    "event": (["eventId", "appId", "userId"], "data"),
  ]

  @Test func `the longest natural keys fit the index, as new, known and conflicting rows`() throws {
    let ids = (1...4).map { noise(512, seed: UInt64($0)) }
    for stream in StreamCatalog.all {
      let (identifiers, other) = try #require(Self.longKeys[stream.name])
      let makeLine = try #require(Lines.all[stream.name])
      let key = zip(identifiers, ids).map { ($0, Optional("\"\($1)\"")) }
      func line(_ value: String? = nil) -> [UInt8] {
        var fields = Dictionary(uniqueKeysWithValues: key)
        if let value { fields[other] = value }
        return Array(makeLine(fields).utf8)
      }
      let file = try load([line(), line("\"1\""), line("\"2\"")], as: stream.name)
      #expect([file.inserted, file.filled, file.conflicts] == [1, 1, 1])
      let owner = stream.hasUser ? ["user_id": "userId", "app_id": "appId"] : ["app_id": "appId"]
      let columns = owner.keys.sorted()
      let expected = columns.map { column in
        identifiers.firstIndex(of: owner[column] ?? "").map { Self.hex(ids[$0]) }
      }
      #expect(try stored(columns, in: stream)[1] == expected)

      let again = try load([line(), [0x20]], as: stream.name)
      #expect([again.inserted, again.duplicates] == [0, 1])
    }
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `identifiers are limited to 512 bytes of any characters`(name: String) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    var traps = try #require(TrapLines(stream))
    for id in [noise(512, seed: 9), String(repeating: "\u{E9}", count: 256)] {
      traps.store([traps.identifier.field: "\"\(id)\""], [traps.identifier.column: id])
      traps.refuse(
        .identifierTooLong, traps.identifier.field, [traps.identifier.field: "\"\(id)x\""])
    }
    try check(traps)
  }

  @Test func `a payload of 1 MiB is stored, and one byte more is refused`() throws {
    var traps = try #require(TrapLines(.receipt))
    let mebibyte = 1024 * 1024
    for text in [
      String(repeating: "x", count: mebibyte), String(repeating: "\u{20AC}", count: 349_525) + "x",
    ] {
      #expect(text.utf8.count == mebibyte)
      traps.store(["payload": "\"\(text)\""], ["payload": text])
      traps.refuse(.textTooLong, "payload", ["payload": "\"\(text)x\""])
    }
    try check(traps)
  }

  @Test func `a line of 16 MiB is read, one byte more is refused, and reading continues`()
    throws
  {
    let limit = 16 * 1024 * 1024
    func padded(_ key: String, to count: Int) -> [UInt8] {
      let line = Array(Lines.receipt(["paymentSeq": "\"\(key)\""]).utf8)
      return Array(repeating: 0x20, count: count - line.count) + line
    }
    let file = try load(
      [padded("a", to: limit), padded("b", to: limit + 1), padded("c", to: 200)], as: "receipt")
    #expect([file.inserted, file.rejected] == [2, 1])
    #expect(
      try fixture.database.rows("select line_number, code, raw_byte_count from ingest.reject")
        == [["2", "line_too_long", "\(limit + 1)"]])
    #expect(
      try fixture.database.rows("select payment_seq from game.receipt order by 1") == [
        ["a"], ["c"],
      ]
    )
  }

  /// A name of three letters, or of four from the 262,144th on.
  private func member(_ number: Int) -> String {
    let places = [number / 262_144, number / 4096 % 64, number / 64 % 64, number % 64]
    return String(
      decoding: places.dropFirst(number < 262_144 ? 1 : 0).map { Self.letters[$0] }, as: UTF8.self)
  }

  /// `count` members of eight bytes each, including the comma.
  private func members(_ count: Int) -> String {
    (0..<count).map { "\"\(member($0))\":1" }.joined(separator: ",")
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `a line of 130,000 members is stored`(name: String) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    var traps = try #require(TrapLines(stream))
    let members = members(130_000)
    #expect(members.utf8.count < 1024 * 1024 - 2)
    traps.store(extra: members)
    try check(traps)
    #expect(
      try fixture.database.value(
        "select count(*) from \(traps.stream.targetTable), json_object_keys(extra)") == "130000")
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `members without a column may take 1 MiB together`(name: String) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    var traps = try #require(TrapLines(stream))
    let limit = 1024 * 1024
    // With both braces and `"x":""` the object's length equals the limit.
    let longest = String(repeating: "x", count: limit - 8)
    traps.store(extra: "\"x\":\"\(longest)\"")
    traps.refuse(.textTooLong, "x", extra: "\"x\":\"\(longest)y\"")
    let nearly = "\"x\":\"\(longest.dropLast(6))\""
    traps.refuse(.textTooLong, "y", extra: "\(nearly),\"y\":10,\"z\":[]")
    // The reject names the member that exceeds the limit, not the first or last one.
    traps.refuse(.textTooLong, member(131_071), extra: members(300_000))
    // A name has no length limit, in the reject either.
    let name = String(repeating: "n", count: 2 * limit)
    traps.refuse(.textTooLong, name, extra: "\"\(name)\":1")
    try check(traps)
  }
}
