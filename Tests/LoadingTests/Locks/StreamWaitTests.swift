import Loading
import Postgres
import TestSupport
import Testing

/// Commands that wait for a stream, and see what its holder did.
@Suite(.serialized, .needsServer, .ownDatabase) struct StreamWaitTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  @Test func `an undo waits for a running load of the stream and sees its rows`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    let other = try fixture.database.connect()
    try other.begin()
    try other.execute("lock table game.receipt in access exclusive mode")
    let load = Background { [fixture] in
      try fixture.load(lines: [Lines.receipt(), ""], as: "receipt-2.jsonl").exitCode
    }
    defer { _ = try? load.value() }
    _ = try fixture.database.processWaitingForLock()
    let undone = Background { [fixture] in
      try Change(on: try Connection(fixture.database.target)).undo(.file("1"))
        .inTheWay?.decoded(as: LaterFile.self).map(\.file)
    }
    defer { _ = try? undone.value() }
    _ = try fixture.database.processWaitingForLock(moreThan: 1)
    try other.commit()
    #expect(try load.value() == 0)
    #expect(try undone.value() == [2])
    #expect(try fixture.factCount() == 1)
  }

  @Test func `a replay of events waits for a change of receipts`() throws {
    let line = Lines.event([
      "category": #""purchaseUpdated""#, "data": Lines.receipt(["price": "-7"]),
    ])
    _ = try fixture.load(lines: [line], as: "event.jsonl")
    let holder = try fixture.database.connect()
    try holder.begin()
    try holder.query("select ingest.hold_stream('receipt')")
    let replay = Background { [fixture] in
      try Change.replay(
        EntryFilter(), key: nil, isDryRun: false, target: try fixture.database.target)
    }
    _ = try fixture.database.processWaitingForLock()
    holder.rollback()
    #expect(try replay.value().map(\.refused) == [1])
  }

  private struct LaterFile: Decodable {
    let file: Int
  }
}
