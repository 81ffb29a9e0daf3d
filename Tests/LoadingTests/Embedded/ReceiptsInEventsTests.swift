import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// Receipts that arrive within `purchaseUpdated` events: one row each, by the rules for receipts.
@Suite(.serialized, .needsServer, .ownDatabaseAlsoOnCluster) struct ReceiptsInEventsTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture(refreshing: true) }

  private func load(
    _ lines: [String], as name: String = "event.jsonl", options: LoadOptions? = nil
  ) throws -> FileReport {
    try #require(try fixture.load(lines: lines, as: name, options: options).files.first)
  }

  /// The rows of a query; NULL is the text `NULL`.
  private func rows(_ query: String) throws -> [[String]] {
    try fixture.database.rows(query).map { $0.map { $0 ?? "NULL" } }
  }

  private func embedded(_ file: FileReport) -> [Int] {
    file.embedded.map { [$0.inserted, $0.filled, $0.duplicates, $0.conflicts] } ?? []
  }

  private func counts(of table: String = "embedded_count") throws -> [[String]] {
    try rows(
      """
      select source_file_id, inserted_count, filled_count, duplicate_count, conflict_count
        from ingest.\(table) order by source_file_id
      """)
  }

  private func revenue() throws -> [[String]] {
    try rows(
      """
      select day, app_id, currency, purchase_count, paid_count, amount_minor
        from report.revenue_by_day order by 1, 2, 3
      """)
  }

  // MARK: - One file

  @Test func `a purchase brings its receipt with the file and line of the event`() throws {
    let file = try load([
      Lines.event(),
      Lines.purchase(["appId": #""a""#, "userId": #""u2""#], receipt: ["userId": nil]),
    ])
    #expect([file.inserted, file.lines] == [2, 2])
    #expect(embedded(file) == [1, 0, 0, 0])
    #expect(
      try rows(
        """
        select payment_seq, app_id, user_id, amount_minor, source_file_id, line_number, extra
          from game.receipt
        """) == [["p1", "a", "u2", "499", "1", "2", "NULL"]])
    #expect(
      try rows(
        "select category, event_group, payment_seq, data from game.event order by line_number")
        == [
          ["gameEvent", "other", "NULL", "NULL"], ["purchaseUpdated", "purchase", "p1", "NULL"],
        ])
    #expect(try counts() == [["1", "1", "0", "0", "0"]])
  }

  @Test func `a file without a purchase has no count of receipts`() throws {
    #expect(embedded(try load([Lines.event()])) == [0, 0, 0, 0])
    #expect(try counts() == [])
    #expect(try load([Lines.receipt()], as: "receipt.jsonl").embedded == nil)
  }

  @Test func `receipts of events are new, duplicate, filled or in conflict like other receipts`()
    throws
  {
    _ = try load([Lines.receipt(), Lines.receipt(["paymentSeq": #""p2""#])], as: "receipt.jsonl")
    let report = try fixture.load(
      lines: [
        Lines.purchase(),
        Lines.purchase(receipt: ["paymentSeq": #""p2""#, "storeCode": #""GG""#]),
        Lines.purchase(receipt: ["paymentSeq": #""p1""#, "price": "5"]),
        Lines.purchase(receipt: ["paymentSeq": #""p3""#]),
        Lines.purchase(
          ["eventId": #""e""#], receipt: ["paymentSeq": #""p3""#, "payload": #""x""#]),
      ], as: "event.jsonl")
    let file = try #require(report.files.first)
    #expect(embedded(file) == [1, 2, 1, 1])
    #expect([file.inserted, file.conflicts] == [5, 0])
    #expect(report.exitCode == 3)
    #expect(try counts() == [["2", "1", "2", "1", "1"]])
    #expect(
      try rows(
        "select stream, natural_key, field, kept, refused, line_number from ingest.conflict")
        == [["receipt", "[\"p1\"]", "amount_minor", "499", "500", "3"]])
    #expect(
      try rows("select stream, field, line_number from ingest.fill order by 3")
        == [["receipt", "store_code", "2"], ["receipt", "payload", "5"]])
  }

  @Test func `an event that is known still brings its receipt`() throws {
    _ = try load([
      Lines.event([
        "eventId": #""e""#, "category": #""purchaseUpdated""#,
        "data": Lines.receipt(),
      ])
    ])
    let file = try load(
      [
        Lines.event([
          "eventId": #""e""#, "category": #""purchaseUpdated""#,
          "data": Lines.receipt(["paymentSeq": #""p2""#]),
        ])
      ], as: "event-2.jsonl")
    #expect(file.conflicts == 1)
    #expect(embedded(file) == [1, 0, 0, 0])
  }

  @Test func `a receipt that breaks a rule refuses the line`() throws {
    let file = try load([
      Lines.event(), Lines.purchase(receipt: ["price": #""4,99""#]),
      Lines.purchase(receipt: ["userId": #""0""#]),
    ])
    #expect([file.inserted, file.rejected] == [1, 2])
    #expect(
      try rows("select code, field from ingest.reject order by line_number")
        == [["invalid_price", "data.price"], ["not_logged_in", "data.userId"]])
    #expect(try counts() == [])
  }

  // MARK: - Several files

  /// The same receipts by files of either stream and of both, in any order, side by side, alone or
  /// in a group: one row each, and the same revenue.
  @Test(arguments: 0..<6)
  func `the same receipts by any way give the same rows and revenue`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let numbers = (0..<40).map { "\"p\($0)\"" }
    func receipts(_ chosen: [String]) -> [String] {
      chosen.map { Lines.receipt(["paymentSeq": $0]) }
    }
    func events(_ chosen: [String]) -> [String] {
      chosen.map { Lines.purchase(receipt: ["paymentSeq": $0]) } + [Lines.event()]
    }
    var files = [
      ("receipt-a.jsonl", receipts(Array(numbers.shuffled(using: &random).prefix(30)))),
      ("event-a.jsonl", events(Array(numbers.shuffled(using: &random).prefix(30)))),
      ("event-b.jsonl", events(numbers)), ("receipt-b.jsonl", receipts(numbers)),
    ]
    // A long blank line keeps a file out of a group.
    if seed % 2 == 0 { files[1].1.append(Lines.tooLongToShare) }
    let paths = try files.map { try fixture.folder.write($0.0, lines: $0.1) }
    var options = LoadFixture.options
    options.jobs = 2
    options.refreshes = true
    let report = try fixture.load(paths.shuffled(using: &random), options: options)
    #expect(report.exitCode == 0)
    let inserted = report.files.map { file in
      file.stream == "receipt" ? file.inserted : file.embedded?.inserted ?? 0
    }
    #expect(inserted.reduce(0, +) == 40)
    #expect(try fixture.database.value("select count(*) from game.receipt") == "40")
    #expect(try revenue() == [["2025-07-01", "", "USD", "40", "40", "19960"]])
    // A full rebuild gives the same.
    _ = try Refresh(isFull: true, logger: LoadFixture.quiet).run(on: try fixture.database.target)
    #expect(try revenue() == [["2025-07-01", "", "USD", "40", "40", "19960"]])
  }

  @Test(arguments: [1, 2])
  func `event and receipt files are loaded in the order given`(jobs: Int) throws {
    let files = try [
      ("event-1.jsonl", [Lines.purchase(receipt: ["storeCode": #""AS""#])]),
      ("receipt-2.jsonl", [Lines.receipt(["storeCode": #""GG""#])]),
      // A file with the bytes of the first one would not be loaded.
      ("event-3.jsonl", [Lines.purchase(receipt: ["storeCode": #""AS""#]), ""]),
    ].map { try fixture.folder.write($0.0, lines: $0.1) }
    var options = LoadFixture.options
    options.jobs = jobs
    let report = try fixture.load(files, options: options)
    #expect(report.files.map(\.conflicts) == [0, 1, 0])
    #expect(try fixture.database.value("select store_code from game.receipt") == "AS")
    #expect(
      try rows("select stream from ingest.source_file order by source_file_id")
        == [["event"], ["receipt"], ["event"]])
  }

  @Test func `small files of events share a transaction, and each has its own counts`() throws {
    let paths = try (0..<4).map { number in
      try fixture.folder.write(
        "event-\(number).jsonl",
        lines: [
          Lines.purchase(receipt: ["paymentSeq": "\"p\(number / 2)\""]),
          Lines.event(["eventId": "\"e\(number)\""]),
        ])
    }
    let report = try fixture.load(paths)
    #expect(
      report.files.map(embedded) == [[1, 0, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 1, 0]])
    #expect(
      try fixture.database.value("select count(distinct loaded_at) from ingest.source_file")
        == "1")
    #expect(try counts().map { $0[1] } == ["1", "0", "1", "0"])
  }

  // MARK: - Reports

  @Test func `the reports contain receipts of events, once, also after other loads`() throws {
    _ = try load([Lines.receipt()], as: "receipt.jsonl")
    _ = try load([Lines.purchase(receipt: ["paymentSeq": #""p2""#])])
    #expect(try revenue() == [["2025-07-01", "", "USD", "2", "2", "998"]])
    _ = try load([Lines.event(["eventId": #""e""#])], as: "event-2.jsonl")
    _ = try load([Lines.receipt(["paymentSeq": #""p3""#])], as: "receipt-2.jsonl")
    #expect(try revenue() == [["2025-07-01", "", "USD", "3", "3", "1497"]])
    #expect(
      try rows(
        "select stream, source_file_id from rollup.refresh_state where source_file_id > 0 order by 1"
      )
        == [["event", "3"], ["receipt", "4"]])
    // Nothing is left for the next refresh.
    #expect(try fixture.database.value("select count(*) from rollup.pending_file") == "0")
    #expect(
      try rows("select stream, sum(line_count) from rollup.standing_file group by 1 order by 1")
        == [["event", "2"], ["receipt", "3"]])
  }

  @Test func `events make nobody a player`() throws {
    _ = try load([Lines.event(["userId": #""only""#]), Lines.purchase()])
    #expect(try rows("select user_id from report.player") == [["u1"]])
  }

  // MARK: - Undo, replay, trace

  private func undo(_ file: String, withLater: Bool = false) throws -> UndoReport {
    try Undo(
      .file(file), withLater: withLater, connection: try fixture.database.connect()
    ).run()
  }

  @Test func `an undo of an event file takes its receipts with it`() throws {
    _ = try load([Lines.receipt(["price": "-1"])], as: "receipt.jsonl")
    let before = try fixture.digests(ignoring: ["row_digest"])
    _ = try load([
      Lines.purchase(), Lines.purchase(receipt: ["paymentSeq": #""p2""#]),
      Lines.purchase(receipt: ["paymentSeq": #""p1""#, "userId": #""other""#]),
    ])
    #expect(try revenue() == [["2025-07-01", "", "USD", "2", "2", "998"]])
    let report = try undo("2")
    let file = try #require(report.files.first)
    #expect([file.rows, file.fills, file.conflicts] == [4, 1, 1])
    let after = try fixture.digests(ignoring: ["row_digest"])
    for table in ["game.receipt", "game.event", "ingest.conflict", "ingest.fill"] {
      #expect(after[table] == before[table], "\(table)")
    }
    #expect(try revenue() == [["2025-07-01", "", "USD", "1", "0", "0"]])
    // The ledger keeps the counts, like those of the lines.
    #expect(try counts() == [["2", "1", "1", "0", "1"]])
  }

  @Test func `dependents are found in both streams, and no others`() throws {
    _ = try load([Lines.purchase(), Lines.event()], as: "event-1.jsonl")
    _ = try load([Lines.receipt()], as: "receipt-2.jsonl")
    // It repeats an event of the first file, and brings no receipt.
    _ = try load([Lines.event(["extra": "1"])], as: "event-3.jsonl")
    _ = try load([Lines.receipt(["paymentSeq": #""p2""#])], as: "receipt-4.jsonl")
    #expect(try undo("1").inTheWay.map(\.file.sourceFileID) == [2, 3])
    #expect(try undo("4").files.map(\.file.sourceFileID) == [4])
    let report = try undo("1", withLater: true)
    #expect(report.files.map(\.file.sourceFileID) == [1, 2, 3])
    #expect(try fixture.factCount() == 0)
  }

  @Test func `an event file that repeats a receipt depends on the file of the receipt`() throws {
    _ = try load([Lines.receipt()], as: "receipt-1.jsonl")
    _ = try load([Lines.event(), Lines.event()], as: "event-2.jsonl")
    _ = try load([Lines.purchase()], as: "event-3.jsonl")
    #expect(try undo("1").inTheWay.map(\.file.sourceFileID) == [3])
    #expect(try undo("1", withLater: true).files.map(\.file.sourceFileID) == [1, 3])
    #expect(try rows("select category from game.event") == [["gameEvent"]])
  }

  private func replay() throws -> ReplayReport {
    try RejectReplay(
      RejectFilter(), options: LoadOptions(), target: try fixture.database.target
    ).replay()
  }

  @Test func `a replayed line brings its receipt, and the reports contain it`() throws {
    _ = try load([Lines.event(), Lines.purchase(receipt: ["price": "-7"])])
    _ = try load([Lines.receipt(["paymentSeq": #""p9""#])], as: "receipt.jsonl")
    try fixture.database.connect().execute(
      """
      update ingest.reject
        set raw = convert_to(replace(convert_from(raw, 'UTF8'), '-7', '7'), 'UTF8')
      """)
    let report = try replay()
    #expect(report.files.map(\.inserted) == [1])
    #expect(try counts() == [["1", "1", "0", "0", "0"]])
    #expect(
      try rows(
        "select payment_seq, source_file_id, line_number from game.receipt order by 1")
        == [["p1", "1", "2"], ["p9", "2", "1"]])
    #expect(try revenue() == [["2025-07-01", "", "USD", "2", "2", "1199"]])
  }

  @Test func `a replay of events waits for a change of receipts`() throws {
    _ = try load([Lines.purchase(receipt: ["price": "-7"])])
    let holder = try fixture.database.connect()
    try holder.begin()
    try holder.query("select ingest.hold_stream('receipt')")
    let replay = Background { try self.replay() }
    _ = try fixture.database.processWaitingForLock()
    holder.rollback()
    #expect(try replay.value().files.map(\.refused) == [1])
  }

  // MARK: - Erasure

  private static let key = ErasureKey([UInt8](repeating: 7, count: 32))

  private static var erasing: LoadOptions {
    var options = LoadFixture.options
    options.erasureKey = key
    return options
  }

  private func erase(_ user: String, in app: String? = nil) throws -> [String: Int] {
    let traces = try UserErasure(
      userID: user, appID: app, connection: try fixture.database.connect()
    ).erase(key: Self.key).traces
    return Dictionary(uniqueKeysWithValues: traces.map { ($0.place, $0.count) })
      .filter { $0.value > 0 }
  }

  @Test func `an erasure deletes events that brought the user's receipts`() throws {
    _ = try load([
      Lines.purchase(["userId": #""u2""#]), Lines.event(["userId": #""u2""#, "eventId": "1"]),
      Lines.event(["eventId": "2"]), Lines.purchase(["userId": nil], receipt: ["price": "-3"]),
      Lines.purchase(["userId": #""u2""#], receipt: ["price": "-3"]),
    ])
    // No erasure finds a line of two users.
    #expect(
      try erase("u1") == [
        "game.event": 2, "game.receipt": 1, "ingest.reject": 1, "bytes of ingest.reject": 1,
      ])
    #expect(
      try rows("select event_id, user_id from game.event") == [["1", "u2"]])
    // The counts of the lines stay balanced: one event of the file is left, two were erased.
    #expect(
      try rows(
        "select outcome, line_count from ingest.erased_line order by outcome")
        == [["inserted", "2"], ["rejected", "1"]])
  }

  @Test func `a line is suppressed when either of its users was erased`() throws {
    _ = try load([Lines.event(["userId": #""gone""#])])
    _ = try erase("gone")
    let file = try load(
      [
        Lines.event(["userId": #""gone""#, "eventId": #""1""#]),
        Lines.purchase(["userId": #""gone""#], receipt: ["paymentSeq": #""a""#]),
        Lines.purchase(receipt: ["userId": #""gone""#, "paymentSeq": #""b""#]),
        Lines.purchase(["userId": #""gone""#], receipt: ["userId": nil]),
        // An erased user comes before every other rule.
        Lines.purchase(receipt: ["userId": #""gone""#, "price": #""x""#]),
        Lines.purchase(["eventTime": nil], receipt: ["userId": #""gone""#]),
        Lines.event(["category": #""observerLaunching""#, "data": #""gone of course""#]),
        Lines.event(["eventId": #""2""#]),
      ], as: "event-2.jsonl", options: Self.erasing)
    #expect([file.inserted, file.rejected, file.suppressed] == [1, 1, 6])
    #expect(try fixture.database.value("select count(*) from game.receipt") == "0")
    #expect(try counts() == [])
  }

  @Test func `a receipt with an application of its own belongs to the line's user there`() throws {
    let lines = [
      Lines.purchase(
        ["userId": #""u""#, "appId": #""a""#], receipt: ["userId": nil, "appId": #""b""#])
    ]
    _ = try load(lines)
    #expect(try erase("u", in: "b") == ["game.event": 1, "game.receipt": 1])
    let file = try load(lines + [Lines.event()], as: "event-2.jsonl", options: Self.erasing)
    #expect([file.inserted, file.suppressed] == [1, 1])
    #expect(try fixture.database.value("select count(*) from game.receipt") == "0")
  }

  @Test func `a receipt of an unexpected application fails the file of its event`() throws {
    var options = LoadFixture.options
    options.expectedApp = "right"
    let line = Lines.purchase(["appId": #""right""#], receipt: ["appId": #""wrong""#])
    #expect(try load([line], options: options).errorCode == .otherApplication)
    #expect(try fixture.nothingIsLoaded())
  }

  @Test func `a refused event belongs to the user of the receipt that it carries`() throws {
    func line(_ payment: String, of user: String) -> String {
      Lines.purchase(
        ["userId": nil, "eventId": #""e""#],
        receipt: ["paymentSeq": "\"\(payment)\"", "userId": "\"\(user)\""])
    }
    // Line 2 brings a receipt of its own; line 3 contradicts the receipt of line 1, too.
    _ = try load([line("p1", of: "u1"), line("p2", of: "u2"), line("p1", of: "u3")])
    // The second line, as in the first file; after another refused event, it is no repeat of the one refused last.
    _ = try load([line("p9", of: "u9"), line("p2", of: "u4")], as: "event-2.jsonl")
    #expect(
      try rows("select stream, field, kept, refused from ingest.conflict order by conflict_id") == [
        ["event", "payment_seq", "p1", "p2"], ["receipt", "user_id", "u1", "u3"],
        ["event", "payment_seq", "p1", "p9"], ["event", "payment_seq", "p1", "p2"],
        ["receipt", "user_id", "u2", "u4"],
      ])
    #expect(try erase("u3") == ["ingest.conflict": 1])
    #expect(try erase("u4") == ["ingest.conflict": 2])
    #expect(try erase("u2") == ["game.receipt": 1, "ingest.conflict": 1])
    #expect(try erase("u9") == ["game.receipt": 1, "ingest.conflict": 1])
    #expect(
      try rows("select payment_seq from game.event where payment_seq is not null") == [["p1"]])
    #expect(try fixture.database.value("select count(*) from ingest.conflict") == "0")
  }

  // MARK: - Retention

  @Test func `dropping a month of events leaves their receipts and the reports`() throws {
    _ = try load([Lines.purchase(), Lines.event(["eventTime": "1754006400000"])])
    let months = Retention(target: try fixture.database.target, logger: LoadFixture.quiet)
    let july = try #require(
      try months.months(ofStreams: ["event"], keep: 0).first { $0.month == "2025-07-01" })
    try months.drop(july)
    _ = try months.refresh()
    #expect(try fixture.database.value("select count(*) from game.event") == "1")
    #expect(try fixture.database.value("select count(*) from game.receipt") == "1")
    #expect(try revenue() == [["2025-07-01", "", "USD", "1", "1", "499"]])
  }

  // MARK: - Comparison of data

  @Test func `the same members in another order are equal`() throws {
    func line(_ data: String) -> String { Lines.event(["eventId": #""e""#, "data": data]) }
    let file = try load([
      line(#"{"a":1,"b":[1, 2]}"#), line(#""{\"b\":[1, 2],\"a\":1}""#), line(#"{"a":1,"b":[1,2]}"#),
      line(#"{"a":1}"#), line("null"),
    ])
    #expect([file.inserted, file.duplicates, file.conflicts] == [1, 2, 2])
    #expect(
      try rows("select field, kept, refused from ingest.conflict order by 3")
        == [
          ["data", #"{"a":1,"b":[1, 2]}"#, #"{"a":1,"b":[1,2]}"#],
          ["data", #"{"a":1,"b":[1, 2]}"#, #"{"a":1}"#],
        ])
  }

  @Test func `a conflict of another column shows no conflict of equal data`() throws {
    func line(_ data: String, _ category: String) -> String {
      Lines.event(["eventId": #""e""#, "data": data, "category": category])
    }
    _ = try load([line(#"{"a":1,"b":2}"#, #""x""#), line(#"{"b":2,"a":1}"#, #""y""#)])
    #expect(try rows("select field from ingest.conflict") == [["category"]])
  }
}
