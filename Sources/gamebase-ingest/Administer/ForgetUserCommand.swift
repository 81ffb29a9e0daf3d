internal import ArgumentParser
internal import Loading

struct ForgetUserCommand: ChangingCommand {
  static let help = """
    forget-user: Erase users from all tables, and suppress their later lines.

    gamebase-ingest forget-user <user-id> [options]
    gamebase-ingest forget-user - --dry-run < ids.txt

    Deletes the rows, refused lines, conflicts and fills of a user in one transaction, refreshes the \
    reports, and stores a tombstone: the HMAC-SHA-256 of the id under a key outside the database, by which \
    later lines of the user are suppressed. Every later load needs the key, so keep it as long as the \
    database. Create it once: (umask 077; head -c 32 /dev/urandom > FILE)

    The first erasure also empties refused lines whose user cannot be read, and extra of items. A line of \
    the list that cannot be an id is refused, with its number; the other users are erased, and the exit \
    code is 3.
    """

  @Argument(
    help:
      "The user's id, byte for byte as stored; - reads ids from standard input, one per line.")
  var userID: String

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var erasureKey: ErasureKeyOptions
  @Option(help: "Erase the user only in this application.") var appId: String?
  @Flag(help: "Count the rows to erase, and change nothing.") var dryRun = false

  func validate() throws {
    if userID.isEmpty { throw ValidationError("Name the user.") }
    // Swift has replaced invalid bytes, so such an id would be that of another user or of no user.
    let given = (1..<max(1, Int(CommandLine.argc))).map { CommandLine.unsafeArgv[$0] }
    let isRepaired = given.contains { $0.map { String(validatingCString: $0) == nil } ?? false }
    if isRepaired {
      throw ValidationError("An argument is not UTF-8, so it is neither an id nor an option.")
    }
  }

  func run() throws {
    let key = try erasureKey.key()
    if key == nil, !dryRun {
      throw LoadError(
        .configuration,
        "forget-user needs a key: give its file with --key-file or "
          + "\(ErasureKeyFile.environmentVariable). Create one with: "
          + "(umask 077; head -c 32 /dev/urandom > FILE)")
    }
    let change = Change(on: try database.connect(), isDryRun: dryRun, interruption: .bySignals())
    let users =
      userID == "-"
      ? try UserIDList(
        bytes: change.read("-", maxBytes: UserIDList.maxBytes, ifNot: "nothing was erased"))
      : UserIDList(argument: userID)
    users.refused.forEach(Terminal.problem)
    guard !users.ids.isEmpty else {
      throw LoadError(
        .usage,
        users.refused.isEmpty
          ? "standard input holds no user id" : "nothing was erased: no id is left")
    }
    var others: [Change.Trace] = []
    for (place, user) in users.ids.enumerated() {
      do {
        let traces =
          if let key, !dryRun {
            try change.erase(user, appID: appId, key: key)
          } else {
            try change.countTraces(of: user, appID: appId)
          }
        // The id of an argument is left out, because outputs are kept in logs.
        let isListed = users.ids.count + users.refused.count > 1
        try show(user, as: isListed ? user : "the user", traces.filter(\.isOfUser))
        // Only the first erasure empties values, and each user of a dry run could be the first one.
        others += traces.filter { $0.isOfStatistics || !$0.isOfUser && place == 0 }
      } catch {
        for user in dryRun ? [] : users.ids[place...] {
          Terminal.problem(
            "the erasure of \"\(printable(user))\" was not confirmed; mend the cause and run again"
          )
        }
        throw error
      }
    }
    let emptied = Dictionary(
      others.filter { !$0.isOfStatistics && $0.count > 0 }.map { ($0.place, $0.count) },
      uniquingKeysWith: +)
    if !emptied.isEmpty {
      try Terminal.output(
        "the first erasure also empties values in which no user can be found: "
          + emptied.map { "\($0) \($1)" }.sorted().joined(separator: ", "))
    }
    if dryRun {
      try Terminal.output("dry run: nothing was erased")
    } else {
      try Terminal.output(
        (users.ids.count == 1 ? "the user is erased" : "\(users.ids.count) users are erased")
          + "; later lines are suppressed")
      try Terminal.output(change.reclaimSpace())
      for place in Set(others.filter(\.isOfStatistics).map(\.place)).sorted() {
        try Terminal.output(
          "\(place) may still hold values, because ANALYZE skips empty tables and some columns; a "
            + "superuser can delete them from pg_catalog.pg_statistic")
      }
      try Terminal.output(Self.remaining)
    }
    if !users.refused.isEmpty {
      throw LoadError(
        .usage,
        "\(users.refused.count) lines of the list were refused; their users are not erased",
        exitCode: .loadedWithFindings)
    }
  }

  private func show(_ user: String, as name: String, _ traces: [Change.Trace]) throws {
    let sum = traces.map(\.count).reduce(0, +)
    let places = traces.filter { $0.count > 0 }.map { "\($0.place) \($0.count)" }
    try Terminal.output(
      "\(printable(name)): \(counted(sum, "row"))"
        + (places.isEmpty ? "" : " (\(places.joined(separator: ", ")))"))
    if sum == 0 {
      Terminal.warning(
        "no data of \"\(printable(user))\" was found: check the spelling"
          + (dryRun ? "" : "; later lines of this id are suppressed anyway"))
    }
  }

  /// The places that are the same for every erasure; most need work outside this database.
  private static let remaining = """
    Data may remain in places that this program cannot reach:
    - free space in the files of the tables, until it is reused: VACUUM FULL of the tables of game, ingest, \
    report and rollup and of pg_catalog.pg_statistic wipes it, once no older transaction runs in any database
    - write-ahead log, delayed replicas and backups, until their retention ends
    - source files, exports of rejects, and reports of other programs: rewrite or delete them
    - the server's log, if it logs statements with parameters, and the history of this shell
    - names of files and fields in the ledger, and texts of items, of other users and of events without a user
    """
}
