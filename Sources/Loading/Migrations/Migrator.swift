internal import Crypto
internal import Foundation
package import Postgres

/// Brings a database to the schema that this program was built with.
///
/// Migrations go forward only: ordered by name, each in a transaction of its own, none changed once
/// it has been applied anywhere. After them the definitions (functions with their triggers, and the views
/// of `report`) are built anew, all together, when one of their files has changed.
package struct Migrator {
  private let connection: Connection
  private let migrations: [SQLFile]
  private let functions: [SQLFile]
  private let views: [SQLFile]

  package init(
    connection: Connection, migrations: [SQLFile] = EmbeddedSQL.migrations,
    functions: [SQLFile] = EmbeddedSQL.functions, views: [SQLFile] = EmbeddedSQL.views
  ) {
    self.connection = connection
    self.migrations = migrations
    self.functions = functions
    self.views = views
  }

  /// How a database stands to this program.
  package struct Status: Sendable, Equatable {
    package var applied: [String] = []
    package var pending: [String] = []
    /// Applied here, but unknown to this program: the database is newer.
    package var unknown: [String] = []
    /// Made by migrations of before the first release, which this program does not have.
    package var isBeforeFirstRelease = false
    /// Applied with other contents than this program has.
    package var changed: [String] = []
    /// Functions and views.
    package var areDefinitionsCurrent = false

    package var isCurrent: Bool {
      pending.isEmpty && unknown.isEmpty && changed.isEmpty && areDefinitionsCurrent
    }
  }

  package func status() throws -> Status {
    try connection.transaction { try readStatus() }
  }

  /// Applies what is pending.
  ///
  /// - Parameter applied: hears of each migration once it is committed.
  /// - Returns: how many migrations were applied.
  /// - Throws: `LoadError` with what to do when the database is newer than the program or older than
  ///   the first release, or a migration was changed after it had been applied.
  @discardableResult
  package func migrate(applied: (String) -> Void = { _ in }) throws -> Int {
    var count = 0
    for migration in migrations {
      let wasApplied = try writing {
        try lock()
        let status = try readStatus()
        try refuse(status)
        try takeOwnersPart()
        guard status.pending.contains(migration.name) else { return false }
        try migration.run(on: connection)
        try connection.query(
          "insert into ingest.schema_migration (version, checksum) values ($1, $2)",
          [.text(migration.name), .bytes(migration.checksum)])
        return true
      }
      if wasApplied {
        count += 1
        applied(migration.name)
      }
    }
    try writing {
      try lock()
      guard try !readStatus().areDefinitionsCurrent else { return }
      try takeOwnersPart()
      try DefinitionSet(functions: functions, views: views, connection: connection)
        .build(checksum: definitionChecksum)
    }
    return count
  }

  /// - Throws: `LoadError` when the database is not at this program's schema.
  package func requireCurrent() throws {
    let (status, replicationRole) = try connection.transaction {
      (
        try readStatus(),
        try connection.query("select current_setting('session_replication_role')")[0, 0]
      )
    }
    guard replicationRole == "origin" else {
      throw LoadError(
        .configuration,
        "session_replication_role is not origin for this role or database, so the server would not "
          + "check what is written; reset it with alter role or alter database", endsRun: true)
    }
    try refuse(status)
    guard status.isCurrent else {
      throw LoadError(
        .configuration,
        status.applied.isEmpty
          ? "the database has no schema of gamebase-ingest; run gamebase-ingest migrate"
          : (status.pending.isEmpty
            ? "the database has older functions and views"
            : "the database lacks \(status.pending.count) migrations")
            + "; run gamebase-ingest migrate",
        endsRun: true)
    }
  }

  // MARK: - Inside

  /// A transaction of its own, again when loads are in its way.
  private func writing<Value>(_ body: () throws -> Value) throws -> Value {
    try RetryPolicy.patient.throughContention(during: "migrating") {
      try connection.writingTransaction {
        try shortenWaits()
        return try body()
      }
    }
  }

  /// Gives up a wait soon, to begin anew: who waits behind us for a table or for the lock of the catalog
  /// may be the one that we wait for, on another of its connections, where no server sees a deadlock.
  func shortenWaits() throws { try connection.execute("set local lock_timeout = '3s'") }

  /// Keeps others from changing the schema or its rights until the transaction ends.
  func lock() throws {
    try connection.query(
      "select pg_advisory_xact_lock($1)", [.integer(Locks.key(LockName.migrations))])
  }

  /// Does the rest of the transaction as the schema's owner, where the caller may: what a migration
  /// makes is then the owner's, whoever runs it, and has the rights that his things have.
  private func takeOwnersPart() throws {
    let owner = try connection.query(
      """
      select pg_get_userbyid(nspowner) from pg_namespace
        where nspname = 'ingest' and pg_get_userbyid(nspowner) <> current_user
          and pg_has_role(nspowner, 'member')
      """)[0, 0]
    guard let owner else { return }
    try connection.execute("set local role \(try connection.quotedIdentifier(owner))")
  }

  private func readStatus() throws -> Status {
    var status = Status()
    let exists = try connection.query("select to_regclass('ingest.schema_migration')")
    guard exists[0, 0] != nil else {
      status.pending = migrations.map(\.name)
      return status
    }
    let rows = try connection.query(
      "select version, encode(checksum, 'hex') from ingest.schema_migration order by version"
    ).rows
    let checksums = Dictionary(
      rows.map { ($0[0] ?? "", $0[1] ?? "") }, uniquingKeysWith: { first, _ in first })
    for migration in migrations {
      guard let checksum = checksums[migration.name] else {
        status.pending.append(migration.name)
        continue
      }
      status.applied.append(migration.name)
      if checksum != hexadecimal(migration.checksum) { status.changed.append(migration.name) }
    }
    let names = Set(migrations.map(\.name))
    status.unknown = checksums.keys.filter { !names.contains($0) }.sorted()
    // Names begin with their time, and no migration was added before the first one since the first release.
    if let oldest = status.unknown.first, let first = migrations.first?.name {
      status.isBeforeFirstRelease = oldest < first
    }
    // An unknown migration may have made objects that this version does not know.
    guard status.unknown.isEmpty else { return status }
    let built = try connection.query("select encode(checksum, 'hex') from ingest.definition_set")
    status.areDefinitionsCurrent =
      built.rowCount == 1 && built[0, 0] == hexadecimal(definitionChecksum)
    return status
  }

  private func refuse(_ status: Status) throws {
    if let first = status.unknown.first, status.isBeforeFirstRelease {
      throw LoadError(
        .configuration,
        "the database was made before the first release (it has \(first)), and no migration leads from "
          + "there; make a new database, run gamebase-ingest migrate and load the files again",
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
    var hash = SHA256()
    // A new stream's table gets its trigger with the functions.
    for migration in migrations { hash.update(data: Data("\(migration.name)\n".utf8)) }
    for file in functions + views { hash.update(data: Data("\(file.name)\n\(file.text)".utf8)) }
    return Array(hash.finalize())
  }
}
