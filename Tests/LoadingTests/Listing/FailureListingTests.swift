import Loading
import Postgres
import TestSupport
import Testing

/// The tables of failed files, and the names that select them.
@Suite(.serialized, .needsServer, .ownDatabase) struct FailureListingTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func fail(_ name: String) throws {
    var options = LoadFixture.options
    options.rejectLimit = .count(0)
    _ = try fixture.load(lines: ["{}"], as: name, options: options)
  }

  @Test func `the limit shortens the table and not the count`() throws {
    try fail("receipt-a.jsonl")
    try fail("receipt-b.jsonl")
    let connection = try fixture.database.connect()
    let listing = FailureListing(on: connection)
    let newest = try listing.openFailures(limit: 1).table()
    #expect(newest.rows.map { $0[0] } == ["\(fixture.folder.path)/receipt-b.jsonl"])
    #expect(try listing.openCount() == 2)
    #expect(try listing.dismissals(limit: 5).table().rowCount == 0)
  }

  @Test func `a name that fits no failure, or several files, is a usage error`() throws {
    try fail("a/receipt.jsonl")
    try fail("b/receipt.jsonl")
    let listing = FailureListing(on: try fixture.database.connect())
    #expect(try listing.failures(ofFileCalled: "a/receipt.jsonl").map(\.number) == [1])
    #expect(try listing.failures(ofFileCalled: "2").map(\.number) == [2])
    for (name, message) in [
      ("receipt.jsonl", "failures of several files are called receipt.jsonl"),
      ("c.jsonl", "no failure is called c.jsonl"),
    ] {
      let error = try #require(
        throws: LoadError.self, performing: { try listing.failures(ofFileCalled: name) })
      #expect(error.exitCode == .usage && error.message.hasPrefix(message), "\(error)")
    }
  }
}
