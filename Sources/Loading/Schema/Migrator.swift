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

  package init(
    connection: Connection,
    migrations: [SQLFile] = EmbeddedSQL.migrations,
    functions: [SQLFile] = EmbeddedSQL.functions, views: [SQLFile] = EmbeddedSQL.views
  ) {
    (self.connection, self.migrations) = (connection, migrations)
    (self.functions, self.views) = (functions, views)
  }

  /// The state of a database's schema, compared with the schema of this program.
  package struct Status: Sendable, Equatable {
    package var applied: [String] = []
    package var pending: [String] = []
    /// Applied migrations that this program does not have, usually because the database is newer.
    package var unknown: [String] = []
    /// Applied migrations whose contents differ from those of this program.
    package var changed: [String] = []
    /// True when the functions and views are those of this program.
    package var areDefinitionsCurrent = false

    package var isCurrent: Bool { problem == nil }

    /// The reason why this program cannot write to the database, as the end of a sentence, and the next
    /// step; nil: it can.
    package var problem: String? {
      if let other = unknown.first {
        // Names start with a timestamp, and every release begins with the same first migration.
        return (applied + pending).contains { $0 < other }
          ? "was migrated by a newer program (it has \(other)); use that version"
          : "was created before the first release (it has \(other)), and no migration starts there; "
            + "create a new database, run gamebase-ingest migrate and load the files again"
      }
      if let other = changed.first {
        return
          "has \(other) with other contents; applied migrations never change, so use the program that "
          + "applied it, or restore the file"
      }
      let lack: String
      if applied.isEmpty {
        lack = "has no schema of gamebase-ingest"
      } else if !pending.isEmpty {
        lack = pending.count == 1 ? "lacks a migration" : "lacks \(pending.count) migrations"
      } else if !areDefinitionsCurrent {
        lack = "has older functions and views"
      } else {
        return nil
      }
      return "\(lack); run gamebase-ingest migrate"
    }

    /// - Parameter hasPath: true where it is enough that migrations of this program lead on from the database.
    /// - Throws: `LoadError` with the problem.
    fileprivate func requireCurrent(orPath hasPath: Bool = false) throws {
      guard let problem, !hasPath || !unknown.isEmpty || !changed.isEmpty else { return }
      throw LoadError(.configuration, "the database \(problem)")
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
    while let name = try changing(during: "migrating", runNextStep), name != Self.definitions {
      count += 1
      applied(name)
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
    try status.requireCurrent(orPath: true)
    guard !status.isCurrent else { return "-- The database is up to date." }
    return try steps(after: status).map(transaction).joined(separator: "\n")
  }

  /// Checks that this program can write to the database.
  ///
  /// - Throws: `LoadError` with exit code 78 when the database is not at this program's schema, or
  ///   when `session_replication_role` is not `origin`, because the server would then run no
  ///   triggers.
  package func requireCurrent() throws {
    try connection.transaction { try requireCurrentInTransaction() }
  }

  func requireCurrentInTransaction() throws {
    let role = try connection.onlyRow(
      of: String.self, "select current_setting('session_replication_role')")
    guard role == "origin" else {
      throw LoadError(
        .configuration,
        "session_replication_role is not origin for this role or database, so the server would not run "
          + "the checks of written rows; reset it with alter role or alter database")
    }
    try readStatus().requireCurrent()
  }

  /// True if there are reports, and the next refresh makes all of them anew.
  package func needsRebuild() throws -> Bool {
    try connection.onlyRow(
      of: Bool.self, "select rollup.needs_rebuild() and exists (select from rollup.player)")
  }

  // MARK: - Implementation

  /// The name of the last step of `migrate()`; the other steps are migrations.
  private static let definitions = "functions and views"

  /// The step that brings a database of version 0.9, whose newest migration is `newest`, to the migrations that
  /// its text names.
  private static let upgrade = (
    name: "upgrade_from_0.9", newest: "20261124181000_create_table_place"
  )

  /// The statements that `migrate()` runs, one transaction for each element.
  private func steps(after status: Status) throws -> [SQLFile] {
    func list(_ elements: [String]) -> String { "{\(elements.joined(separator: ","))}" }
    var pending: [SQLFile] = []
    if status.pending.first == Self.upgrade.name {
      let comments = migrations.filter { status.applied.contains($0.name) }
        .flatMap { $0.text.matches(of: /(?ms)^comment on .*?';$/).map(\.output) }
      let text = ([EmbeddedSQL.upgrade.text[...]] + comments).joined(separator: "\n")
      pending.append(SQLFile(name: Self.upgrade.name, text: text))
    }
    // Names and digests of files need no quotes.
    pending += migrations.filter { status.pending.contains($0.name) }.map {
      SQLFile(
        name: $0.name,
        text: """
          \($0.text)
          insert into ingest.schema_migration (version, checksum)
            values ('\($0.name)', '\\x\(hexadecimal($0.checksum))');
          """)
    }
    guard !status.areDefinitionsCurrent else { return pending }
    let texts = (functions + views).map { "-- \($0.name)\n$file$\($0.text)$file$" }
    let rebuild = try EmbeddedSQL.definitions.filled(
      with: [
        "functions": list(functions.map(\.name)), "views": list(views.map(\.name)),
        "checksum": "\\x\(hexadecimal(definitionChecksum))",
      ], on: connection
    ).replacing(":definitions", with: texts.joined(separator: ",\n"))
    return pending + [SQLFile(name: Self.definitions, text: rebuild)]
  }

  /// Runs the first of the steps and returns its name; nil: there is none.
  ///
  /// - Throws: `LoadError` that names the file, or a `PostgresError` when a retry may succeed.
  private func runNextStep() throws -> String? {
    // Read in each transaction, because another session may migrate, too.
    let status = try readStatus()
    try status.requireCurrent(orPath: true)
    guard let step = try steps(after: status).first else { return nil }
    try connection.becomeOwner()
    do { try connection.execute(step.text) } catch let error as PostgresError
      where ![.contention, .unavailable].contains(error.kind) && !error.isConnectionLost
    {
      // The statement of the definitions names the file itself.
      let place = step.name == Self.definitions ? "" : "\(step.name).sql: "
      throw LoadError(.configuration, "\(place)\(error). It was rolled back as a whole")
    }
    return step.name
  }

  /// A step with the checks that `migrate()` makes before it.
  private func transaction(of step: SQLFile) -> String {
    func isApplied(_ name: String) -> String {
      "exists (select from ingest.schema_migration where version = '\(name)')"
    }
    let isNew = step.name == Self.definitions ? "" : " and not \(isApplied(step.name))"
    let isNext =
      step.name == Self.upgrade.name
      ? isApplied(Self.upgrade.newest)
      : migrations.prefix { $0.name != step.name }.last.map { isApplied($0.name) + isNew }
        ?? "to_regclass('ingest.schema_migration') is null"
    return """
      -- \(step.name)
      begin;
      \(Connection.transactionSettings);
      select pg_catalog.pg_advisory_xact_lock(\(Lock.migrations.key));
      do $next$
      begin
        if not (\(isNext)) then
          raise exception 'these are not the next statements of the database: \(step.name)'
            using hint = 'Print them again: gamebase-ingest migrate --print';
        end if;
      end
      $next$;
      \(Connection.becomingOwner);
      \(step.text)
      commit;
      """
  }

  /// Runs `body` in a transaction of its own, in which no other session changes the schema or its
  /// grants, and retries it after contention with loads.
  ///
  /// The short lock timeout ends a deadlock that the server cannot detect: a loader can hold the lock
  /// on one connection, and wait behind this session on another. It is shorter than the server's
  /// `deadlock_timeout` of 1 s: in a deadlock with a load this session gives up first, because a load
  /// of standard input cannot be repeated.
  func changing<Value>(during stage: String, _ body: () throws -> Value) throws -> Value {
    try RetryPolicy.patient.throughContention(during: stage, delayed: tellOfHolders) {
      defer { connection.rollback() }
      try connection.begin()
      try connection.execute("set local lock_timeout = '500ms'")
      try lock()
      let value = try body()
      FaultPoint.beforeCommit.reached()
      try connection.commit()
      FaultPoint.afterCommit.reached()
      return value
    }
  }

  /// Says which session keeps a migration or a grant waiting.
  ///
  /// Statements that change a table wait for every session that uses it.
  private func tellOfHolders() {
    try? connection.transaction {
      let tables = try connection.rows(
        of: String.self,
        """
        select format('%s.%s', relnamespace::regnamespace, relname) from pg_class
          where relnamespace::regnamespace::text in ('game', 'ingest', 'report', 'rollup', 'staging')
            and relkind in ('r', 'p', 'v')
        """)
      let holder = try connection.holder(of: [.migrations] + tables.map(Lock.table))
      if let holder { connection.tell(holder.waitMessage) }
    }
  }

  /// Keeps other sessions from changing the schema, its grants or its partitions until the
  /// transaction ends.
  func lock() throws {
    try connection.query("select pg_advisory_xact_lock($1)", [.integer(Lock.migrations.key)])
  }

  private func readStatus() throws -> Status {
    var status = Status()
    let names = migrations.map(\.name)
    // to_regclass would answer from the session's cache, although another session has created the
    // schema while this one waited for the lock.
    let tables = try connection.query(
      "select from pg_catalog.pg_tables where schemaname = 'ingest' and tablename = 'schema_migration'"
    )
    guard tables.rowCount == 1 else {
      status.pending = names
      return status
    }
    let applied = try connection.rows(
      of: AppliedMigration.self, "select version, checksum from ingest.schema_migration order by 1")
    let checksums = Dictionary(uniqueKeysWithValues: applied.map { ($0.version, $0.checksum) })
    status.applied = names.filter { checksums[$0] != nil }
    status.pending = names.filter { checksums[$0] == nil }
    status.unknown = applied.map(\.version).filter { !names.contains($0) }
    status.changed = migrations.filter { checksums[$0.name, default: $0.checksum] != $0.checksum }
      .map(\.name)
    if status.applied.isEmpty, status.unknown.last == Self.upgrade.newest {
      status.unknown = []
      status.applied = names.filter(EmbeddedSQL.upgrade.text.contains)
      status.pending = [Self.upgrade.name] + names.filter { !status.applied.contains($0) }
    }
    // An unknown migration may have created objects that this version does not know, so this
    // version's definitions do not fit.
    if status.unknown.isEmpty {
      let built = try connection.row(
        of: [UInt8].self, "select checksum from ingest.definition_set")
      status.areDefinitionsCurrent = built == definitionChecksum
    }
    return status
  }

  private struct AppliedMigration: Decodable {
    let version: String
    let checksum: [UInt8]
  }

  private var definitionChecksum: [UInt8] {
    let hash = SHA256()
    // A migration can add a stream, and only a rebuild of the functions gives its table the
    // triggers.
    for migration in migrations { hash.update("\(migration.name)\n".utf8) }
    for file in functions + views + [EmbeddedSQL.definitions] {
      hash.update("\(file.name)\n\(file.text)".utf8)
    }
    return hash.finish().bytes
  }
}
