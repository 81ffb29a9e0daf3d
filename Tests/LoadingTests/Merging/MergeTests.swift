import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

@Suite(.serialized, .needsServer, .ownDatabaseAlsoOnCluster) struct MergeTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  @Test(arguments: MergeCase.receipts + MergeCase.players)
  func `lines of one key become one row`(case merge: MergeCase) throws {
    for (lines, counts) in zip(merge.files, merge.counts) {
      let report = try fixture.load(lines: lines, as: "a.jsonl", stream: merge.stream)
      let file = try #require(report.files.first)
      #expect(
        MergeCase.Counts(file.inserted, file.filled, file.duplicates, file.conflicts) == counts)
      #expect(report.exitCode == (counts.conflicts > 0 ? 3 : 0), "\(file.error ?? "")")
    }
    let stream = try #require(StreamCatalog.stream(named: merge.stream))
    let columns = merge.row.keys.sorted()
    let rows = try fixture.database.rows(
      "select \((columns + ["0"]).joined(separator: ", ")) from \(stream.targetTable)")
    #expect(rows == [columns.map { merge.row[$0] ?? nil } + ["0"]])
    #expect(
      try fixture.database.rows(
        """
        select field, kept, refused, source_file_id, line_number, natural_key, stream
          from ingest.conflict order by source_file_id, line_number, field
        """) == merge.conflicts.map { $0 + [merge.key, merge.stream] })
    #expect(
      try fixture.database.rows(
        """
        select field, source_file_id, line_number, natural_key, stream from ingest.fill
          order by field
        """) == merge.fills.map { $0 + [merge.key, merge.stream] })
  }

  @Test(arguments: MergeCase.differentKeys)
  func `keys that differ in any part are separate rows`(
    stream: String, lines: [String]
  ) throws {
    // A known row sends all rows after it through the merge.
    let first = try fixture.load(lines: [lines[0]], as: "a", stream: stream)
    #expect(first.files.first?.inserted == 1)
    let rest = try fixture.load(lines: lines.reversed(), as: "b", stream: stream)
    #expect(rest.files.first?.inserted == lines.count - 1)
    #expect(rest.files.first?.duplicates == 1)
    #expect(try fixture.factCount() == lines.count)
  }
}
