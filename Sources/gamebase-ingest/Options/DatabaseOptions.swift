internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Loading
internal import LocalCluster
internal import Postgres

/// The options that select the database of a command.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: """
      A connection string, URI or database name; libpq's environment if unset. Keep passwords in \
      ~/.pgpass, a service file or PGPASSWORD. A connection to another machine uses TLS and checks the \
      server's name (sslmode verify-full), unless sslmode is set.
      """)
  var database: String?

  @Option(
    name: .long, defaultAsFlag: "",
    help: ArgumentHelp(
      """
      A private PostgreSQL server, created and started when needed. Without a folder it is under your data \
      folder. Write inputs before --local, because a path that follows it is taken for the folder.
      """, valueName: "dir"))
  var local: String?

  @OptionGroup var configuration: ConfigurationOptions

  func validate() throws {
    if database != nil, local != nil {
      throw ValidationError("Use only one of --database and --local.")
    }
  }

  /// True when a variable of libpq names a server or a database.
  static var isInEnvironment: Bool {
    let environment = ProcessInfo.processInfo.environment
    return ConnectionTarget.environmentVariables.contains { environment[$0]?.isEmpty == false }
  }

  /// The database to connect to; with `--local`, the private server, which is started and migrated
  /// first.
  ///
  /// - Parameters:
  ///   - makesLocal: true to create the private server when it is missing; a command that works on
  ///     loaded data fails then, with exit code 78.
  ///   - isQuiet: true to leave out the warning about an insecure connection.
  func target(makesLocal: Bool = false, isQuiet: Bool = false) throws -> ConnectionTarget {
    var target: ConnectionTarget
    if let local {
      let cluster = LocalCluster(directory: local.isEmpty ? nil : local)
      guard makesLocal || cluster.exists else {
        throw LoadError(
          .configuration, "there is no private server in \(cluster.directory); load creates one")
      }
      try cluster.start { Terminal.note(printable($0)) }
      target = try ConnectionTarget(conninfo: cluster.connectionString)
      try Migrator(connection: .open(target)).migrate()
    } else if let database {
      do { target = try ConnectionTarget(conninfo: database) } catch {
        throw LoadError(.usage, "\(error)")
      }
    } else if Self.isInEnvironment {
      target = .environment
    } else {
      throw LoadError(
        .usage,
        "no database is named: give --database CONNINFO, set PGHOST and PGDATABASE (or PGSERVICE), "
          + "or add --local for a private server on this machine")
    }
    if local == nil, !isQuiet, let notice = target.notice { Terminal.warning(notice) }
    (target.tell, target.warn) = (Terminal.problem, Terminal.warning)
    return target
  }

  /// Opens a connection to the database, and retries while no server accepts changes.
  func connect(makesLocal: Bool = false) throws -> Connection {
    let target = try target(makesLocal: makesLocal)
    return try RetryPolicy()(
      warn: target.warn, interruption: Interruption(),
      canRepeat: { $0.exitCode == .temporary }
    ) { () throws(LoadError) in try Connection.open(target) }
  }

  /// Opens a connection to a database that is at the schema of this program (else 78).
  ///
  /// - Parameter command: a command that needs the owner's rights (else 78); nil: none are needed.
  func connectToSchema(asOwnerFor command: String? = nil) throws -> Connection {
    let connection = try connect()
    if let command { try connection.requireOwner(for: command) }
    try Migrator(connection: connection).requireCurrent()
    return connection
  }

  /// Shows lists of one moment.
  func show(_ format: OutputFormat, _ add: (inout StateOutput) throws -> Void) throws {
    let connection = try connectToSchema()
    try connection.transaction(.readOnlySnapshot) {
      var output = StateOutput(format, on: connection)
      try add(&output)
      try output.end()
    }
  }

  /// Refreshes the reports after a change, and says so.
  func refresh(_ interruption: Interruption) throws {
    let refresh = Refresh(warn: Terminal.warning, interruption: interruption)
    try Terminal.output(refresh.run(on: target(isQuiet: true)).sentence())
  }

  /// A change of stored data by a command, which a signal interrupts.
  func change(_ command: String, isDryRun: Bool = false) throws -> Change {
    Change(
      on: try connectToSchema(asOwnerFor: command), isDryRun: isDryRun,
      interruption: .bySignals())
  }
}

/// The options that select a configuration file and a part of it, and the form of messages.
///
/// They are read before the parser runs, because they decide about the values of other options and about
/// the parser's own messages.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: """
      The configuration file; \(ConfigurationFile.name) in the current folder or \
      \(ConfigurationFile.systemPath) if unset.
      """)
  var config: String?

  @Option(help: "The target of the configuration file; the only one if unset.") var target: String?

  @Option(help: "The form of messages on standard error; json has an object a line.")
  var logFormat: OutputFormat = .text
}

/// The options of a command that can show a change of stored data without keeping it.
struct ChangeOptions: ParsableArguments {
  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Do everything in the database, show the result, and roll it back.")
  var dryRun = false

  func change(_ command: String) throws -> Change {
    try database.change(command, isDryRun: dryRun)
  }

  /// Prints the rows of a change, and a sentence on what it has done or would do.
  ///
  /// - Parameter change: a noun for the message when the result cannot be printed; nil: nothing was
  ///   changed.
  func show(
    _ change: String?, _ rows: QueryResult? = nil, done: String, wouldBe: String
  ) throws {
    try Terminal.output(of: dryRun ? nil : change) {
      if let rows, rows.rowCount > 0 { try TextTable(rows).show() }
      try Terminal.output(dryRun ? "dry run: nothing was kept; \(wouldBe)" : done)
    }
  }
}
