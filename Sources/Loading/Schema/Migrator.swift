internal import Foundation
package import Postgres
internal import SHA256

/// Migrates a database to the schema of this program.
///
/// Migrations are forward-only: they are applied in the order of their names, each in a transaction
/// of its own, and a migration never changes once it has been applied anywhere. Afterwards the
/// definitions (functions with their triggers, and the views of `report`) are rebuilt together if
/// one of their files has changed.
package struct Migrator {
  private let connection: Connection
  private let migrations: [SQLFile]
  private let functions: [SQLFile]
  private let views: [SQLFile]
  private let wait: LockWait

  /// - Parameter wait: says for whom a migration waits.
  package init(
    connection: Connection, wait: LockWait = .silent,
    migrations: [SQLFile] = EmbeddedSQL.migrations,
    functions: [SQLFile] = EmbeddedSQL.functions, views: [SQLFile] = EmbeddedSQL.views
  ) {
    self.connection = connection
    self.wait = wait
    self.migrations = migrations
    self.functions = functions
    self.views = views
  }

  /// The state of a database's schema, compared with the schema of this program.
  package struct Status: Sendable, Equatable {
    package var applied: [String] = []
    package var pending: [String] = []
    /// Applied migrations that this program does not have, usually because the database is newer.
    package var unknown: [String] = []
    /// True when a version before the first release migrated the database; this program lacks its
    /// migrations.
    package var isBeforeFirstRelease = false
    /// Applied migrations whose contents differ from those of this program.
    package var changed: [String] = []
    /// True when the functions and views are those of this program.
    package var areDefinitionsCurrent = false

    package var isCurrent: Bool {
      pending.isEmpty && unknown.isEmpty && changed.isEmpty && areDefinitionsCurrent
    }
  }

  package func status() throws -> Status {
    try connection.transaction { try readStatus() }
  }

  /// Applies the pending migrations and rebuilds outdated definitions.
  ///
  /// - Parameter applied: called with each migration's name after its commit.
  /// - Returns: the number of applied migrations.
  /// - Throws: `LoadError` when the database is newer than the program or older than the first
  ///   release, or when an applied migration has changed.
  @discardableResult
  package func migrate(applied: (String) -> Void = { _ in }) throws -> Int {
    var count = 0
    // Read again under the lock, because another session may migrate, too.
    let pending = try status().pending
    for migration in migrations where pending.contains(migration.name) {
      let wasApplied = try writing {
        try lock()
        let status = try readStatus()
        try refuse(status)
        try connection.execute(OwnerRights.becomingOwner)
        guard status.pending.contains(migration.name) else { return false }
        try migration.run(on: connection)
        try connection.execute(Self.record(of: migration))
        return true
      }
      if wasApplied {
        count += 1
        applied(migration.name)
      }
    }
    try writing {
      try lock()
      let status = try readStatus()
      try refuse(status)
      guard !status.areDefinitionsCurrent else { return }
      try connection.execute(OwnerRights.becomingOwner)
      for statement in try definitions.statements(checksum: definitionChecksum) {
        try statement.reporting {
          do { try connection.execute(statement.text) } catch let error as PostgresError
            where error.sqlState == .dependentObjectsStillExist
          {
            throw LoadError(.configuration, error.message, endsRun: true)
          }
        }
      }
    }
    return count
  }

  /// The statements of `migrate()` for this database, to review and to run with psql.
  ///
  /// Each transaction first checks that it is the next one, so a script that goes on after an error, or
  /// runs a second time, changes nothing more.
  ///
  /// - Throws: `LoadError` when `migrate()` would refuse the database.
  package func script() throws -> String {
    let status = try status()
    try refuse(status)
    guard !status.isCurrent else { return "-- The database is up to date." }
    var transactions: [String] = []
    var previous: String?
    for migration in migrations {
      if status.pending.contains(migration.name) {
        transactions.append(
          transaction(
            after: previous, of: migration.name, [migration.text, Self.record(of: migration)]))
      }
      previous = migration.name
    }
    transactions.append(
      transaction(
        after: previous, of: nil,
        try definitions.statements(checksum: definitionChecksum).map(\.text)))
    return transactions.joined(separator: "\n")
  }

  private func transaction(after previous: String?, of name: String?, _ statements: [String])
    -> String
  {
    let title = name ?? "functions and views"
    let wanted =
      previous.map { "exists (select from ingest.schema_migration where version = '\($0)')" }
      ?? "to_regclass('ingest.schema_migration') is null"
    let done = name.map { "exists (select from ingest.schema_migration where version = '\($0)')" }
    let isNext = previous == nil ? wanted : wanted + (done.map { " and not \($0)" } ?? "")
    return """
      -- \(title)
      begin;
      \(Connection.transactionSettings);
      select pg_catalog.pg_advisory_xact_lock(\(Locks.key(LockName.migrations)));
      do $next$
      begin
        if not (\(isNext)) then
          raise exception 'these are not the next statements of the database: \(title)'
            using hint = 'Print them again: gamebase-ingest migrate --print';
        end if;
      end
      $next$;
      \(OwnerRights.becomingOwner);
      \(statements.joined(separator: "\n"))
      commit;
      """
  }

  /// Checks that this program can write to the database.
  ///
  /// - Throws: `LoadError` with exit code 78 when the database is not at this program's schema, or
  ///   when `session_replication_role` is not `origin`, because the server would then run no
  ///   triggers.
  package func requireCurrent() throws {
    let (status, replicationRole) = try connection.transaction {
      (
        try readStatus(),
        try connection.onlyRow(
          of: String.self, "select current_setting('session_replication_role')")
      )
    }
    guard replicationRole == "origin" else {
      throw LoadError(
        .configuration,
        "session_replication_role is not origin for this role or database, so the server would not run "
          + "the checks of written rows; reset it with alter role or alter database", endsRun: true)
    }
    try refuse(status)
    guard status.isCurrent else {
      throw LoadError(
        .configuration,
        status.applied.isEmpty
          ? "the database has no schema of gamebase-ingest; run gamebase-ingest migrate"
          : (status.pending.isEmpty
            ? "the database has older functions and views"
            : "the database lacks \(status.pending.count == 1 ? "a migration" : "\(status.pending.count) migrations")")
            + "; run gamebase-ingest migrate",
        endsRun: true)
    }
  }

  /// True if there are reports, and the next refresh makes all of them anew.
  package func needsRebuild() throws -> Bool {
    try connection.onlyRow(
      of: Bool.self, "select rollup.needs_rebuild() and exists (select from rollup.player)")
  }

  /// Checks that stored rows break, from before the checks; they hold for new rows.
  ///
  /// - Returns: for each check a sentence with its table, and the statement that ends this state.
  package func brokenChecks() throws -> [String] {
    try connection.rows(
      of: String.self,
      """
      select format('table %s has rows that break the check %I; undo their files, then run: '
          'alter table %s validate constraint %I', c.conrelid::regclass, c.conname, c.conrelid::regclass,
          c.conname)
        from pg_constraint c
        where c.connamespace = 'game'::regnamespace and c.contype = 'c' and not c.convalidated
          and c.coninhcount = 0
        order by 1
      """)
  }

  // MARK: - Implementation

  /// Runs `body` in a transaction of its own, and retries it after contention with loads.
  private func writing<Value>(_ body: () throws -> Value) throws -> Value {
    var hasTold = false
    return try RetryPolicy.patient.throughContention(
      during: "migrating",
      delayed: { _ in
        if !hasTold { tellOfHolders() }
        hasTold = true
      }
    ) {
      try connection.writingTransaction {
        try shortenWaits()
        return try body()
      }
    }
  }

  /// Sets a short lock timeout, after which the transaction is retried.
  ///
  /// It ends a deadlock that the server cannot detect: a loader can hold the lock on one
  /// connection, and wait behind this session on another. It is shorter than the server's
  /// `deadlock_timeout` of 1 s: in a deadlock with a load this session gives up first, because a
  /// load of standard input cannot be repeated.
  func shortenWaits() throws { try connection.execute("set local lock_timeout = '500ms'") }

  /// Says which session keeps a migration or a grant waiting.
  ///
  /// Statements that change a table wait for every session that uses it.
  func tellOfHolders() {
    try? connection.transaction {
      let tables = try connection.rows(
        of: String.self,
        """
        select format('%s.%s', n.nspname, c.relname)
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname in ('game', 'ingest', 'report', 'rollup', 'staging') and c.relkind in ('r', 'p', 'v')
        """)
      try wait.tell(
        of: [.named(LockName.migrations)] + tables.map(LockHolder.Lock.anyUse), on: connection)
    }
  }

  /// Keeps other sessions from changing the schema, its grants or its partitions until the
  /// transaction ends.
  func lock() throws {
    try connection.query(
      "select pg_advisory_xact_lock($1)", [.integer(Locks.key(LockName.migrations))])
  }

  /// The entry of an applied migration; names and digests of files need no quotes.
  private static func record(of migration: SQLFile) -> String {
    """
    insert into ingest.schema_migration (version, checksum)
      values ('\(migration.name)', '\\x\(hexadecimal(migration.checksum))');
    """
  }

  private var definitions: DefinitionSet { DefinitionSet(functions: functions, views: views) }

  private func readStatus() throws -> Status {
    var status = Status()
    // to_regclass would answer from the session's cache, although another session has created the
    // schema while this one waited for the lock.
    let tables = try connection.query(
      """
      select from pg_catalog.pg_tables where schemaname = 'ingest' and tablename = 'schema_migration'
      """)
    guard tables.rowCount == 1 else {
      status.pending = migrations.map(\.name)
      return status
    }
    let applied = try connection.rows(
      of: AppliedMigration.self, "select version, checksum from ingest.schema_migration")
    let checksums = Dictionary(
      applied.map { ($0.version, $0.checksum) }, uniquingKeysWith: { first, _ in first })
    for migration in migrations {
      guard let checksum = checksums[migration.name] else {
        status.pending.append(migration.name)
        continue
      }
      status.applied.append(migration.name)
      if checksum != migration.checksum { status.changed.append(migration.name) }
    }
    let names = Set(migrations.map(\.name))
    status.unknown = checksums.keys.filter { !names.contains($0) }.sorted()
    // Names start with a timestamp, and every release begins with the same first migration.
    if let oldest = status.unknown.first, let first = migrations.first?.name {
      status.isBeforeFirstRelease = oldest < first
    }
    // An unknown migration may have created objects that this version does not know, so this
    // version's definitions do not fit.
    guard status.unknown.isEmpty else { return status }
    let built = try connection.row(
      of: [UInt8].self, "select checksum from ingest.definition_set")
    status.areDefinitionsCurrent = built == definitionChecksum
    return status
  }

  private struct AppliedMigration: Decodable {
    let version: String
    let checksum: [UInt8]
  }

  private func refuse(_ status: Status) throws {
    if let first = status.unknown.first, status.isBeforeFirstRelease {
      throw LoadError(
        .configuration,
        "the database was created before the first release (it has \(first)), and no migration starts "
          + "there; create a new database, run gamebase-ingest migrate and load the files again",
        endsRun: true)
    }
    if let first = status.unknown.first {
      throw LoadError(
        .configuration,
        "the database was migrated by a newer program (it has \(first)); use that version",
        endsRun: true)
    }
    if let first = status.changed.first {
      throw LoadError(
        .configuration,
        "\(first) was applied to this database with other contents; applied migrations never "
          + "change, so use the program that applied it, or restore the file", endsRun: true)
    }
  }

  private var definitionChecksum: [UInt8] {
    let hash = SHA256()
    // A migration can add a stream, and only a rebuild of the functions gives its table the
    // triggers.
    for migration in migrations { hash.update("\(migration.name)\n".utf8) }
    for file in functions + views { hash.update("\(file.name)\n\(file.text)".utf8) }
    return hash.finish().bytes
  }
}
