internal import ArgumentParser
internal import Foundation
internal import Loading
internal import LocalCluster
internal import Postgres

/// Which database a command works on.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A connection string, URI or database name; libpq's environment without it.",
      discussion: """
        Passwords belong into ~/.pgpass, a service file or PGPASSWORD. Another machine has to prove \
        its name by TLS (sslmode verify-full), unless sslmode says otherwise.
        """,
      valueName: "conninfo"))
  var database: String?

  @Option(
    name: .long, defaultAsFlag: "",
    help: ArgumentHelp(
      "A private PostgreSQL server, made and started when needed.",
      discussion: "Without a folder it lives under your data folder. Write inputs before it.",
      valueName: "dir"))
  var local: String?

  func validate() throws {
    if database != nil, local != nil {
      throw ValidationError("--database and --local name two databases; use one of them.")
    }
  }

  /// The private server that was asked for; nil: a database that is there already.
  var localCluster: LocalCluster? {
    local.map { LocalCluster(directory: $0.isEmpty ? nil : $0) }
  }

  /// Where to connect to; starts and migrates the private server when one was asked for.
  ///
  /// - Parameter isQuiet: nothing is said of a connection that is weaker than it could be.
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

  /// The same target, after one line on what is weaker about it than it has to be.
  private func announced(_ target: ConnectionTarget, unless isQuiet: Bool) -> ConnectionTarget {
    if !isQuiet, let notice = target.notice {
      Terminal.warning(notice)
    }
    return target
  }

  /// The database of a command that works on what is there: a private server that is not there is
  /// not made.
  func existingTarget() throws -> ConnectionTarget {
    if let cluster = localCluster, !cluster.exists {
      throw Terminal.failure(
        .configuration, "there is no private server in \(cluster.directory); load makes one")
    }
    return try target()
  }

  /// A connection to it.
  ///
  /// - Parameter makesLocal: whether a private server that is not there is made.
  func connect(makesLocal: Bool = false) throws -> Connection {
    let target = try makesLocal ? target() : existingTarget()
    return try reportingErrors { try Connection.toBegin(target) }
  }

  /// The same for a command that reads what loads have left.
  ///
  /// - Throws: exit code 78 with a sentence when the database is not at this program's schema.
  func connectToSchema() throws -> Connection {
    let connection = try connect()
    try reportingErrors { try Migrator(connection: connection).requireCurrent() }
    return connection
  }
}
