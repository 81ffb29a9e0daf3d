import Foundation
import Loading
import Postgres
import RecordPipeline
import TestSupport

/// A migrated, empty database and a folder for input files.
struct LoadFixture: Sendable {
  let database: TestDatabase
  let folder: TemporaryFolder
  /// The options of loads that pass none.
  private let defaultOptions: LoadOptions

  /// The start of every run: 2026-01-01.
  static let asOf: Int64 = 1_767_225_600_000

  /// - Parameter refreshing: true when loads end with a refresh, as those of the command do. It takes
  ///   most of the time of a small load.
  init(refreshing: Bool = false) throws {
    var options = Self.options
    options.refreshes = refreshing
    defaultOptions = options
    database = try .current
    folder = try TemporaryFolder()
    try database.recreate(asCopyOf: Self.migrated.get())
  }

  /// A copy of a migrated database takes a fifth of the time of a migration.
  private static let migrated: Result<TestDatabase, any Error> = Result {
    let database = try TestDatabase()
    try Migrator(connection: database.connect()).migrate()
    atexit { try? LoadFixture.migrated.get().drop() }
    return database
  }

  static var options: LoadOptions {
    var options = LoadOptions()
    options.asOf = asOf
    options.refreshes = false
    options.rejectLimit = .unlimited
    options.loaderVersion = "test"
    options.retries = RetryPolicy(retries: 0)
    return options
  }

  /// Loads files or folders like the command.
  func load(
    _ paths: [String], stream: String? = nil, options: LoadOptions? = nil,
    interruption: Interruption = Interruption()
  ) throws -> RunReport {
    LoadRun(
      options ?? defaultOptions, target: try database.target, interruption: interruption
    ).load(try Self.inputs(paths, stream: stream))
  }

  static func inputs(_ paths: [String], stream: String? = nil) throws -> FoundInputs {
    let stream = stream.flatMap { StreamCatalog.stream(named: $0) }
    return try InputDiscovery(stream: stream).inputs(paths)
  }

  /// Writes one file and loads it.
  func load(
    lines: [String], as name: String = "receipt.jsonl", stream: String? = nil,
    options: LoadOptions? = nil
  ) throws -> RunReport {
    try load([try folder.write(name, lines: lines)], stream: stream, options: options)
  }

  /// A digest of each table of `ingest` and `game`, except the table of runs, which records every
  /// run.
  func digests(ignoring columns: [String] = []) throws -> [String: String] {
    let connection = try database.connect()
    let tables = try connection.query(
      """
      select format('%I.%I', n.nspname, c.relname) from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('ingest', 'game') and c.relkind in ('r', 'p') and not c.relispartition
          and c.oid <> 'ingest.load'::regclass
      """
    ).rows.compactMap { $0[0] }
    var digests: [String: String] = [:]
    for table in tables {
      let row = columns.reduce("to_jsonb(t)") { "\($0) - '\($1)'" }
      digests[table] = try connection.query(
        """
        select count(*) || ' rows ' || coalesce(md5(string_agg(line, E'\\n' order by line)), '')
          from (select (\(row))::text as line from \(table) t) lines
        """)[0, 0]
    }
    return digests
  }

  /// The number of rows in all fact tables together.
  func factCount() throws -> Int {
    let count = try database.value(
      """
      select (select count(*) from game.receipt) + (select count(*) from game.level_up)
        + (select count(*) from game.game_user_snapshot)
        + (select count(*) from game.item_snapshot) + (select count(*) from game.event)
      """)
    return count.flatMap { Int($0) } ?? -1
  }

  /// True when no row, reject, conflict or ledger entry exists.
  func nothingIsLoaded() throws -> Bool {
    let counts = try database.rows(
      """
      select (select count(*) from ingest.source_file), (select count(*) from ingest.reject),
        (select count(*) from ingest.conflict), (select count(*) from ingest.fill)
      """)
    return try factCount() == 0 && counts == [["0", "0", "0", "0"]]
  }
}
