internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest forget-user`: erases one user.
struct ForgetUserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget-user",
    abstract: "Erase one user everywhere, and keep the user's later lines out.",
    usage: """
      gamebase-ingest forget-user <user-id> [options]
      gamebase-ingest forget-user - --dry-run < id.txt
      """,
    discussion: """
      Deletes the user's rows, refused lines, conflicts and fills in one transaction, and leaves a \
      tombstone: HMAC-SHA-256 of the id under a key that is kept outside the database. Lines of the \
      user that come later are counted as suppressed, and nothing of them is kept. Every load needs \
      the key from then on, so keep it as long as the database.

      Make a key once: (umask 077; head -c 32 /dev/urandom > FILE)
      """)

  @Argument(help: "The user's id as it is stored; - reads it from standard input.")
  var userID: String

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var erasureKey: ErasureKeyOptions

  @Option(help: ArgumentHelp("Only in this application.", valueName: "app-id"))
  var appID: String?

  @Flag(help: "Count what would be erased, and change nothing.")
  var dryRun = false

  func validate() throws {
    if userID.isEmpty { throw ValidationError("Name the user.") }
  }

  func run() throws {
    let key = try erasureKey.key()
    if key == nil, !dryRun {
      throw Terminal.failure(
        .configuration,
        "a key is needed: give it by --key-file or \(ErasureKeyFile.environmentVariable). Make one "
          + "with: (umask 077; head -c 32 /dev/urandom > FILE)")
    }
    let user = try userID == "-" ? idFromInput() : userID
    let connection = try database.connect()
    let erasure = UserErasure(userID: user, appID: appID, connection: connection)
    guard let key, !dryRun else {
      try printTable(try reportingErrors { try erasure.count() })
      return try Terminal.output("dry run: nothing was erased")
    }
    let traces = try reportingErrors { try erasure.erase(key: key) }
    try printTable(traces.filter { !$0.isOfStatistics })
    try Terminal.output("the user is erased; lines that come later are suppressed")
    let isReclaimed = try reportingErrors { try SpaceReclaiming(connection).reclaim() }
    try Terminal.output(
      isReclaimed
        ? "VACUUM and ANALYZE are done"
        : "the deleted rows are still in the tables' files: this role may not run VACUUM. Have the "
          + "tables' owner run: \(SpaceReclaiming.statement)")
    for trace in traces where trace.isOfStatistics {
      try Terminal.output(
        "\(trace.place) may still hold values: ANALYZE passes over empty tables and some columns; a "
          + "superuser can delete them from pg_catalog.pg_statistic")
    }
    try Terminal.output(Self.remaining)
  }

  /// What no statement can reach.
  private static let remaining = """
    What remains is outside this program's reach:
    - free space in the tables' files is reused, not wiped: VACUUM FULL of these tables and of \
    pg_catalog.pg_statistic wipes it
    - write-ahead log, replicas with a delay, and backups: by their retention
    - source files, exports of rejects, and reports of other programs: rewrite or expire them
    - the server's log, where it logs statements with their parameters; this shell's history
    - names of files in the ledger, and what other users' lines say in free texts
    """

  private func idFromInput() throws -> String {
    guard let line = readLine(strippingNewline: true), !line.isEmpty else {
      throw Terminal.failure(.usage, "standard input holds no user id")
    }
    return line
  }

  private func printTable(_ traces: [UserErasure.Trace]) throws {
    var table = TextTable(["table", "rows"])
    for trace in traces { table.add([trace.place, String(trace.count)]) }
    for line in table.lines { try Terminal.output(line) }
  }
}
