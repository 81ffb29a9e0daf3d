import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// The tables and the export of stored rejects.
@Suite(.serialized, .needsServer, .ownDatabase) struct RejectListingTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func bad(_ number: Int) -> String {
    Lines.receipt(["paymentSeq": "\"p\(number)\"", "price": "-5"])
  }

  /// Runs `body` in a transaction, as the commands do.
  private func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    let connection = try fixture.database.connect()
    return try connection.transaction { try body(connection) }
  }

  @Test func `rejects are grouped by code and field, and listed one by one`() throws {
    _ = try fixture.load(lines: [Lines.receipt(), "{}", bad(1), bad(2)])
    var filter = RejectFilter()
    filter.stream = "receipt"
    let (groups, lines) = try read { connection in
      let listing = RejectListing(filter, on: connection)
      return (try listing.groups().table(), try listing.lines(limit: 2).table())
    }
    let path = "\(fixture.folder.path)/receipt.jsonl"
    #expect(groups.columnNames == ["stream", "code", "field", "lines", "first_example"])
    #expect(groups.rows.first == ["receipt", "negative_price", "price", "2", "\(path):3"])
    #expect(groups.rowCount == 2)
    #expect(lines.rows.map { $0[0] } == ["\(path):2", "\(path):3"])
  }

  @Test func `an export refuses lines that no one set of options loads`() throws {
    _ = try fixture.load(lines: ["{}"], as: "receipt.jsonl")
    var options = LoadFixture.options
    options.timeUnit = .seconds
    options.appID = "it's"
    _ = try fixture.load(lines: [bad(1)], as: "receipt-2.jsonl", options: options)
    #expect(throws: LoadError.self) {
      try read { try RejectExport(RejectFilter(), on: $0).loadingHint() }
    }
    var filter = RejectFilter()
    filter.path = "receipt-2.jsonl"
    filter.status = .loaded
    let hint = try read { try RejectExport(filter, on: $0).loadingHint() }
    guard case .options(let found) = hint else {
      Issue.record("\(hint)")
      return
    }
    #expect(found.stream == "receipt" && found.appID == "it's" && found.timeUnit == "s")
    #expect(found.unwrapField == nil && found.observedAt == nil)
    filter.path = "none.jsonl"
    #expect(try read { try RejectExport(filter, on: $0).loadingHint() } == .noLines)
  }

  @Test func `an export keeps a byte-order mark out of the first place`() throws {
    _ = try fixture.load(lines: [Lines.receipt(), "\u{FEFF}{}", "[1]"])
    var written: [UInt8] = []
    let counts = try read { connection in
      try RejectExport(RejectFilter(), on: connection).export { written += $0 }
    }
    #expect(counts.exported == 2 && counts.cut == 0)
    #expect(String(decoding: written, as: UTF8.self) == "\n\u{FEFF}{}\n[1]\n")
  }
}
