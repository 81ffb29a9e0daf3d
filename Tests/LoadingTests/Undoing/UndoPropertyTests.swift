import Foundation
import Loading
import RecordPipeline
import TestSupport
import Testing

/// Random files are loaded, some are undone, and all are loaded again.
@Suite(.serialized, .needsServer, .ownDatabase) struct UndoPropertyTests {
  /// Random on every run; a failure prints its seed, and `UNDO_SEED` repeats it.
  private static let seeds: [UInt64] =
    ProcessInfo.processInfo.environment["UNDO_SEED"].flatMap { UInt64($0) }.map { [$0] }
    ?? (0..<4).map { _ in .random(in: .min ... .max) }

  @Test(arguments: StreamCatalog.all.map(\.name), seeds)
  func `an undo leaves the rows of the other files, and a reload restores all rows`(
    stream: String, seed: UInt64
  ) throws {
    var random = SplitMix(state: seed)
    let lines = try LineSet(stream, using: &random)
    let files = lines.files(2 + Int(random.next() % 6), using: &random)
    var fixture = try LoadFixture()
    let paths = try files.indices.map { try fixture.folder.write("\($0)", lines: files[$0]) }
    let table = try #require(StreamCatalog.stream(named: stream)).targetTable
    try load(paths, stream, fixture)
    let once = try rows(table, lines, fixture)

    // Undo some files in turn; an earlier undo may already have included a file.
    for path in paths where Bool.random(using: &random) {
      _ = try Undo(
        .file(path), withLater: true, connection: try fixture.database.connect()
      ).run()
    }
    let left = try state(table, fixture)
    let leftPaths = try fixture.database.rows(
      "select path from ingest.source_file where undone_at is null order by source_file_id"
    ).compactMap { $0[0] }
    try load(paths, stream, fixture)
    let again = try rows(table, lines, fixture)
    #expect(again.agreed.symmetricDifference(once.agreed) == [], "seed \(seed)")
    #expect(again.contradicted == once.contradicted, "seed \(seed)")
    #expect(again.unexplained == [], "seed \(seed)")
    try checkCounts(table, fixture, seed)

    // The files stay on disk while another fixture empties the database.
    let folder = fixture.folder
    fixture = try LoadFixture()
    try load(leftPaths, stream, fixture)
    #expect(try state(table, fixture) == left, "seed \(seed)")
    withExtendedLifetime(folder) {}
  }

  private func load(_ paths: [String], _ stream: String, _ fixture: LoadFixture) throws {
    guard !paths.isEmpty else { return }
    let report = try fixture.load(paths, stream: stream)
    try #require(report.files.allSatisfy { $0.status != .failed })
  }

  private struct Rows {
    /// Rows of keys without contradicting lines.
    var agreed: Set<[String?]> = []
    /// The other keys; the load order decides which of their lines is stored.
    var contradicted: Set<[String?]> = []
    var unexplained: [String] = []
  }

  private func rows(_ table: String, _ lines: LineSet, _ fixture: LoadFixture) throws -> Rows {
    let columns = lines.rules.keys + lines.rules.compared
    var rows = Rows()
    for row in try fixture.database.rows(
      "select \(columns.joined(separator: ", ")) from \(table)")
    {
      let values = Dictionary(uniqueKeysWithValues: zip(columns, row))
      let key = lines.rules.keys.map { values[$0] ?? nil }
      if lines.contradictedKeys.contains(key) {
        rows.contradicted.insert(key)
        rows.unexplained += lines.unexplained(values, ofKey: key)
      } else {
        rows.agreed.insert(row)
      }
    }
    return rows
  }

  /// All stored rows with every column, and the path instead of the file number.
  ///
  /// The row digest is left out: a fill sets it to NULL, and an undo does not restore it.
  private func state(_ table: String, _ fixture: LoadFixture) throws -> [String] {
    let tables = [table, "ingest.reject", "ingest.conflict", "ingest.fill"]
    return try tables.flatMap { table in
      try fixture.database.rows(
        """
        select '\(table) ' || f.path || ' ' || (to_jsonb(t)
            - '{source_file_id,reject_id,conflict_id,fill_id,row_digest}'::text[])::text as line
          from \(table) t join ingest.source_file f using (source_file_id) order by line
        """
      ).compactMap { $0[0] }
    }
  }

  /// Expects that the counts of the loaded files equal the rows of the tables.
  private func checkCounts(_ table: String, _ fixture: LoadFixture, _ seed: UInt64) throws {
    let wrong = try fixture.database.rows(
      """
      select f.source_file_id from ingest.source_file f where f.undone_at is null
        and (f.inserted_count <> (select count(*) from \(table) t where t.source_file_id = f.source_file_id)
          or f.rejected_count <> (select count(*) from ingest.reject t where t.source_file_id = f.source_file_id)
          or f.filled_count <> (select count(distinct line_number) from ingest.fill t where t.source_file_id = f.source_file_id)
          or f.conflict_count <> (select count(distinct line_number) from ingest.conflict t where t.source_file_id = f.source_file_id))
      union all
      select f.source_file_id from ingest.source_file f where f.undone_at is not null
        and (exists (select from \(table) t where t.source_file_id = f.source_file_id)
          or exists (select from ingest.reject t where t.source_file_id = f.source_file_id)
          or exists (select from ingest.fill t where t.source_file_id = f.source_file_id)
          or exists (select from ingest.conflict t where t.source_file_id = f.source_file_id))
      """)
    #expect(wrong.isEmpty, "seed \(seed)")
  }
}
