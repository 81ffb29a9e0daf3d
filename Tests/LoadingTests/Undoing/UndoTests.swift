import Foundation
import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// Undo of files: the removed records, the kept ones, and the refusals.
@Suite(.serialized, .needsServer, .ownDatabase) struct UndoTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func undo(
    _ choice: FileChoice, withLater: Bool = false, dryRun: Bool = false
  ) throws -> UndoReport {
    try Undo(
      choice, withLater: withLater, isDryRun: dryRun, connection: try fixture.database.connect()
    ).run()
  }

  /// Expects a refusal and returns its message.
  private func refusal(_ choice: FileChoice) throws -> String {
    let error = #expect(throws: LoadError.self) { try undo(choice) }
    #expect(error?.exitCode == .usage)
    return error?.message ?? ""
  }

  @Test func `an undo removes rows, rejects and conflicts, and reports their counts`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    let before = try fixture.digests()
    let lines = [
      Lines.receipt(["paymentSeq": #""p2""#]), Lines.receipt(["price": "1"]), "{}",
    ]
    _ = try fixture.load(lines: lines, as: "receipt-2.jsonl")
    let report = try undo(.file("2"))
    let file = try #require(report.files.first)
    let counts = [file.rows, file.fills, file.rejects, file.conflicts]
    #expect(counts == [1, 0, 1, 1])
    #expect(
      try fixture.database.rows(
        """
        select inserted_count, conflict_count, rejected_count, undone_at is not null
          from ingest.source_file order by source_file_id
        """) == [["1", "0", "0", "f"], ["1", "1", "1", "t"]])
    let after = try fixture.digests()
    for table in ["game.receipt", "ingest.reject", "ingest.conflict", "ingest.fill"] {
      #expect(after[table] == before[table], "\(table)")
    }
    // The same bytes are new again, once.
    let again = try fixture.load(lines: lines, as: "receipt-2.jsonl").files.first
    #expect(again?.status == .loaded && again?.inserted == 1)
    #expect(
      try fixture.load(lines: lines, as: "receipt-2.jsonl").files.first?.status == .alreadyLoaded)
  }

  @Test func `an undo clears the filled values and their follower columns`() throws {
    let bare = ["price": "-1", "appId": nil] as [String: String?]
    _ = try fixture.load(lines: [Lines.receipt(bare)])
    let before = try fixture.digests(ignoring: ["row_digest"])
    let filling = Lines.receipt([
      "price": "4.989999771118164", "appId": #""a""#, "productType": #""consumable""#,
      "sandboxPayment": "true", "purchaseToken": #""tok""#, "expiryTime": "1751328000001",
    ])
    var options = LoadFixture.options
    options.storesPurchaseTokens = true
    _ = try fixture.load(lines: [filling], as: "receipt-2.jsonl", options: options)
    #expect(
      try fixture.database.rows(
        "select app_id, price_raw, price_repaired, product_type_raw from game.receipt")
        == [["a", "4.989999771118164", "t", "consumable"]])
    #expect(try undo(.file("2")).files.map(\.fills) == [7])
    let after = try fixture.digests(ignoring: ["row_digest"])
    #expect(after["game.receipt"] == before["game.receipt"])
    #expect(after["ingest.fill"] == before["ingest.fill"])
  }

  @Test(arguments: ["level_up", "game_user"])
  func `an undo finds fills of rows whose key has absent parts`(stream: String) throws {
    let line = stream == "level_up" ? Lines.levelUp : Lines.gameUser
    func load(_ changes: [[String: String?]]) throws {
      _ = try fixture.load(lines: changes.map(line), as: "x", stream: stream)
    }
    try load([[:], ["characterId": #""c""#], ["userId": #""u2""#]])
    let before = try fixture.digests(ignoring: ["row_digest"])
    try load([["classId": #""k""#], ["classId": #""k""#, "characterId": #""c""#]])
    #expect(try undo(.file("2")).files.map(\.fills) == [2])
    let table = try #require(StreamCatalog.stream(named: stream)).targetTable
    #expect(try fixture.digests(ignoring: ["row_digest"])[table] == before[table])
  }

  @Test func `a path suffix names a file, and a full path takes precedence`() throws {
    let inner = try fixture.folder.write("a/x/receipt.jsonl", lines: [Lines.receipt()])
    _ = try fixture.load([inner])
    _ = try fixture.load(lines: [Lines.receipt(["paymentSeq": #""p2""#])], as: "b/receipt.jsonl")
    try fixture.database.execute(
      "update ingest.source_file set path = 'x/receipt.jsonl' where source_file_id = 2")
    #expect(try refusal(.file("receipt.jsonl")).contains("several loaded files match"))
    #expect(try undo(.file("x/receipt.jsonl")).files.map(\.file.sourceFileID) == [2])
    #expect(try undo(.file("a/x/receipt.jsonl")).files.map(\.file.path) == [inner])
  }

  @Test func `a file is named by path, number or digest, and an ambiguous name is refused`() throws
  {
    let name = "receipt.jsonl"
    _ = try fixture.load(lines: [Lines.receipt()], as: name)
    _ = try fixture.load(lines: [Lines.receipt(["paymentSeq": #""p2""#])], as: name)
    let path = "\(fixture.folder.path)/\(name)"
    let twice = try refusal(.file(path))
    #expect(
      twice.contains("several loaded files match") && twice.contains("1 (receipt \(path)"))
    #expect(try refusal(.file("9")).contains("no loaded file is called 9"))
    let byEnd = try refusal(.file(name))
    #expect(
      byEnd.contains("several loaded files match") && byEnd.contains("2 (receipt \(path)"))
    // A typo, or the right name in another folder: the message lists the likely files.
    for near in ["reciept.jsonl", "/elsewhere/\(name)"] {
      let told = try refusal(.file(near))
      #expect(
        told.contains("no loaded file is called") && told.contains("it could be 2 (receipt \(path)")
      )
    }
    #expect(try !refusal(.file("eceipt.jsonl")).contains("several"))
    #expect(try !refusal(.file("something-else")).contains("it could be"))
    #expect(try refusal(.load(9)).contains("load 9 has loaded no file"))
    let digest = try #require(
      try fixture.database.value(
        "select encode(sha256, 'hex') from ingest.source_file where source_file_id = 2"))
    #expect(try refusal(.file(String(digest.prefix(7)))).contains("at least 8 digits"))
    let byDigest = try undo(.file(String(digest.prefix(8)).uppercased()), dryRun: true)
    #expect(byDigest.files.map(\.file.sourceFileID) == [2])
    #expect(try undo(.file("2")).files.map(\.file.sourceFileID) == [2])
    #expect(try undo(.file(path)).files.map(\.file.sourceFileID) == [1])
    // A second undo changes nothing.
    #expect(try undo(.file("2")).files.isEmpty)
    #expect(try undo(.file(path)).files.isEmpty)
  }

  @Test(arguments: [
    ["storeCode": #""GG""#], ["price": "7"], [:] as [String: String?],
  ])
  func `later files that may have met the rows block the undo or are undone too`(
    second: [String: String?]
  ) throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    _ = try fixture.load(lines: [Lines.receipt(second), ""], as: "receipt-2.jsonl")
    _ = try fixture.load(
      lines: [Lines.receipt(["paymentSeq": #""p3""#])], as: "receipt-3.jsonl")
    let before = try fixture.digests()
    let refused = try undo(.file("1"))
    #expect(refused.isRefused && refused.inTheWay.map(\.file.sourceFileID) == [2])
    #expect(try fixture.digests() == before)

    let dry = try undo(.file("1"), withLater: true, dryRun: true)
    #expect(dry.files.map(\.file.sourceFileID) == [1, 2])
    #expect(dry.files.map(\.wasAskedFor) == [true, false])
    #expect(try fixture.digests() == before)

    #expect(try undo(.file("1"), withLater: true).files.map(\.file.sourceFileID) == [1, 2])
    #expect(try fixture.database.rows("select payment_seq from game.receipt") == [["p3"]])
    // No file blocks the undo of the last one.
    #expect(try !undo(.file("3")).isRefused)
  }

  @Test func `a file without inserted or filled rows has no dependents`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    _ = try fixture.load(lines: [Lines.receipt(), ""], as: "receipt-2.jsonl")
    _ = try fixture.load(lines: [Lines.receipt(), "", ""], as: "receipt-3.jsonl")
    #expect(try undo(.file("2")).files.map(\.file.sourceFileID) == [2])
    #expect(try fixture.factCount() == 1)
  }

  @Test func `all files of a run are undone together, across streams`() throws {
    let paths = [
      try fixture.folder.write("receipt.jsonl", lines: [Lines.receipt()]),
      try fixture.folder.write("receipt-2.jsonl", lines: [Lines.receipt(), ""]),
      try fixture.folder.write("levelup.jsonl", lines: [Lines.levelUp()]),
    ]
    _ = try fixture.load(paths)
    _ = try fixture.load(
      lines: [Lines.receipt(["paymentSeq": #""p2""#])], as: "receipt-3.jsonl")
    #expect(try undo(.load(1)).files.count == 3)
    #expect(try fixture.database.rows("select payment_seq from game.receipt") == [["p2"]])
    #expect(try fixture.database.value("select count(*) from game.level_up") == "0")
    #expect(try fixture.load(paths).files.map(\.status) == [.loaded, .loaded, .loaded])
  }

  @Test func `a replayed line of an older file depends on younger files`() throws {
    _ = try fixture.load(lines: [
      Lines.receipt(["price": "-2"]), Lines.receipt(["paymentSeq": #""p0""#]),
    ])
    _ = try fixture.load(lines: [Lines.receipt(["price": "2"])], as: "receipt-2.jsonl")
    try fixture.database.execute(
      "update ingest.reject set raw = convert_to(replace(convert_from(raw, 'UTF8'), '-2', '2'), 'UTF8')"
    )
    _ = try RejectReplay(
      RejectFilter(), options: LoadOptions(), target: try fixture.database.target
    ).replay()
    #expect(try undo(.file("2")).inTheWay.map(\.file.sourceFileID) == [1])
    // Undoing a file removes its replayed rows and its rejects.
    #expect(try undo(.file("2"), withLater: true).files.map(\.file.sourceFileID) == [1, 2])
    #expect(try fixture.factCount() == 0)
    #expect(try fixture.database.value("select count(*) from ingest.reject") == "0")
    #expect(
      try fixture.database.rows(
        """
        select inserted_count, duplicate_count, rejected_count from ingest.source_file
          order by source_file_id
        """) == [["1", "1", "0"], ["1", "0", "0"]])
  }

  @Test func `an undo waits for a running load of the stream and sees its rows`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    let other = try fixture.database.connect()
    try other.begin()
    try other.execute("lock table game.receipt in access exclusive mode")
    let load = Background {
      try fixture.load(lines: [Lines.receipt(), ""], as: "receipt-2.jsonl").exitCode
    }
    defer { _ = try? load.value() }
    _ = try fixture.database.processWaitingForLock()
    let undone = Background {
      try Undo(.file("1"), connection: try Connection(fixture.database.target)).run()
    }
    defer { _ = try? undone.value() }
    _ = try fixture.database.processWaitingForLock(moreThan: 1)
    try other.commit()
    #expect(try load.value() == 0)
    #expect(try undone.value().inTheWay.map(\.file.sourceFileID) == [2])
    #expect(try fixture.factCount() == 1)
  }
}
