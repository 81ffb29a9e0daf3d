import Loading
import Logging
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
    let connection = try database.connect()
    try Migrator(connection: connection).migrate()
    try connection.transaction { try Self.empty(connection) }
  }

  /// Empties all tables but those of migrations: the streams, and the data of references.
  ///
  /// TRUNCATE makes new files for a table and all tables that refer to it, which is slow. So the
  /// ledger is emptied by deleting, referring tables first, and only tables with a page are
  /// truncated.
  private static func empty(_ connection: Connection) throws {
    let ledger = [
      "rollup.touched_file", "rollup.dropped_month", "rollup.refresh_state",
      "ingest.kept_observation",
      "ingest.embedded_count", "ingest.file_app", "ingest.met_file", "ingest.erased_line",
      "ingest.erased_record",
      "ingest.unknown_field", "ingest.known_field", "ingest.pruned_reject",
      "ingest.pruned_conflict",
      "ingest.fill",
      "ingest.overlaid_row", "ingest.conflict", "ingest.acceptance", "ingest.reject",
      "ingest.failed_reject", "ingest.failed_file", "ingest.open_day", "ingest.source_file",
      "ingest.load",
    ]
    for table in ledger { try connection.execute("delete from \(table)") }
    let others = try connection.query(
      """
      select string_agg(c.oid::regclass::text, ', ') from pg_class c
        where c.relkind = 'r' and pg_relation_size(c.oid) > 0 and (
          c.relnamespace in ('report'::regnamespace, 'rollup'::regnamespace) or c.relispartition
          or c.oid in (select format('game.%I', target_table)::regclass from ingest.stream)
          or c.oid = any ('{game.exchange_rate, game.push_action, game.push_action_title,
            game.push_category_action, ingest.reference_file, ingest.erased_user,
            ingest.erasure_key, ingest.setting, ingest.failure_dismissal,
            ingest.kept_item_name}'::regclass[]))
          and c.oid <> all ('{rollup.cohort_step, rollup.base_unit}'::regclass[]) and c.oid <> all ($1::text::regclass[])
      """, [.text("{\(ledger.joined(separator: ","))}")])[0, 0]
    if let others { try connection.execute("truncate \(others) restart identity cascade") }
    // The tables of a cluster have no page here.
    let spread = try connection.query(
      "select string_agg('game.' || target_table, ', ') from ingest.stream where ingest.is_distributed(stream)"
    )[0, 0]
    if let spread { try connection.execute("truncate \(spread)") }
    try connection.execute(
      """
      select setval(pg_get_serial_sequence(attrelid::regclass::text, attname), 1, false)
        from pg_attribute where attrelid = any ($1) and attidentity <> '';
      insert into rollup.refresh_state (stream) select stream from ingest.stream
      """.replacing("$1", with: "'{\(ledger.joined(separator: ","))}'::regclass[]"))
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

  static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

  /// Loads files or folders like the command.
  func load(
    _ paths: [String], stream: String? = nil, options: LoadOptions? = nil,
    interruption: Interruption = Interruption()
  ) throws -> RunReport {
    LoadRun(
      options ?? defaultOptions, target: try database.target, logger: Self.quiet,
      interruption: interruption
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
