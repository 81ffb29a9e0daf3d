internal import ArgumentParser
internal import Foundation
internal import Loading
internal import LocalCluster
internal import Postgres

/// The options that select the database of a command.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A connection string, URI or database name; libpq's environment if unset.",
      discussion: """
        Keep passwords in ~/.pgpass, a service file or PGPASSWORD. A connection to another machine \
        uses TLS and checks the server's name (sslmode verify-full), unless sslmode is set.
        """,
      valueName: "conninfo"))
  var database: String?

  @Option(
    name: .long, defaultAsFlag: "",
    help: ArgumentHelp(
      "A private PostgreSQL server, created and started when needed.",
      discussion: """
        Without a folder it is under your data folder. Write inputs before --local, because a path that \
        follows it is taken for the folder.
        """,
      valueName: "dir"))
  var local: String?

  @OptionGroup var configuration: ConfigurationOptions

  func validate() throws {
    if database != nil, local != nil {
      throw ValidationError("Use only one of --database and --local.")
    }
  }

  /// The private server of `--local`; nil without that option.
  var localCluster: LocalCluster? {
    local.map { LocalCluster(directory: $0.isEmpty ? nil : $0) }
  }

  /// The database to connect to; with `--local`, the private server, which is created, started and
  /// migrated first.
  ///
  /// - Parameter isQuiet: true to leave out the warning about an insecure connection.
  /// - Throws: `CommandFailure`, with exit code 64 when no database is named.
  func target(isQuiet: Bool = false) throws -> ConnectionTarget {
    do {
      if let cluster = localCluster {
        try cluster.start { Terminal.note(printable($0)) }
        let target = try ConnectionTarget(conninfo: cluster.connectionString)
        try Migrator(connection: Connection(target)).migrate()
        return target
      }
      if let database {
        return announced(try ConnectionTarget(conninfo: database), unless: isQuiet)
      }
    } catch let error as LocalClusterError {
      throw Terminal.failure(.configuration, error.description)
    } catch let error as LoadError {
      throw Terminal.failure(error)
    } catch let error as PostgresError where error.refusal != nil {
      throw Terminal.failure(LoadError.connecting(error))
    } catch let error as PostgresError {
      throw Terminal.failure(local == nil ? .usage : .databaseUnavailable, error.description)
    }
    let environment = ProcessInfo.processInfo.environment
    let isNamed = ConnectionTarget.environmentVariables.contains {
      environment[$0]?.isEmpty == false
    }
    guard isNamed else {
      throw Terminal.failure(
        .usage,
        "no database is named: give --database CONNINFO, set PGHOST and PGDATABASE (or PGSERVICE), "
          + "or add --local for a private server on this machine")
    }
    return announced(.environment, unless: isQuiet)
  }

  /// Warns if the connection to the target is less secure than the default, and returns the target.
  private func announced(_ target: ConnectionTarget, unless isQuiet: Bool) -> ConnectionTarget {
    if !isQuiet, let notice = target.notice {
      Terminal.warning(notice)
    }
    return target
  }

  /// The database to connect to, for commands that work on loaded data: a missing private server is
  /// an error and is not created.
  ///
  /// - Throws: `CommandFailure`, with exit code 78 when the private server does not exist.
  func existingTarget() throws -> ConnectionTarget {
    if let cluster = localCluster, !cluster.exists {
      throw Terminal.failure(
        .configuration, "there is no private server in \(cluster.directory); load creates one")
    }
    return try target()
  }

  /// Opens a connection to the database, and retries while no server accepts changes.
  ///
  /// - Parameter makesLocal: true to create the private server when it is missing.
  func connect(makesLocal: Bool = false) throws -> Connection {
    let target = try makesLocal ? target() : existingTarget()
    return try reportingErrors {
      try RetryPolicy()(
        logger: commandLogger(), interruption: Interruption(),
        canRepeat: { $0.exitCode == .temporary }
      ) { () throws(LoadError) in try Connection.open(target) }
    }
  }

  /// Opens a connection to a database that is at the schema of this program.
  ///
  /// - Parameter command: a command that needs the owner's rights; nil: none are needed.
  /// - Throws: `CommandFailure`, with exit code 78 when the database is at another schema, or the
  ///   role lacks the rights.
  func connectToSchema(asOwnerFor command: String? = nil) throws -> Connection {
    let connection = try connect()
    try reportingErrors {
      if let command { try connection.requireOwner(for: command) }
      try Migrator(connection: connection).requireCurrent()
    }
    return connection
  }

  /// Says on standard error for whom a command waits.
  static var wait: LockWait { LockWait(commandLogger()) }

  /// A change of stored data by a command, which a signal interrupts.
  ///
  /// - Throws: as `connectToSchema`.
  func change(_ command: String, isDryRun: Bool = false) throws -> Change {
    Change(
      on: try connectToSchema(asOwnerFor: command), isDryRun: isDryRun, wait: Self.wait,
      interruption: .bySignals())
  }
}
