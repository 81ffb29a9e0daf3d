internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres

/// `gamebase-ingest forget-user`: erases users.
struct ForgetUserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget-user",
    abstract: "Erase users from all tables, and suppress their later lines.",
    usage: """
      gamebase-ingest forget-user <user-id> [options]
      gamebase-ingest forget-user - --dry-run < ids.txt
      """,
    discussion: """
      Deletes the rows, refused lines, conflicts and fills of a user in one transaction, refreshes the \
      reports, and stores a tombstone: the HMAC-SHA-256 of the id under a key that stays outside the database. Later lines of \
      the user are counted as suppressed, and nothing else of them is stored. Every later load needs \
      the key, so keep it as long as the database.

      A list has one id per line, in UTF-8. A line is refused, with its number, when it begins or ends \
      with white space, holds a NUL, is not UTF-8, or is 0; the other users are erased, and the exit \
      code is 3. Give an id that does end with a blank as a quoted argument.

      Create a key once: (umask 077; head -c 32 /dev/urandom > FILE)
      """)

  @Argument(
    help:
      "The user's id, byte for byte as stored; - reads ids from standard input, one per line.")
  var userID: String

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var erasureKey: ErasureKeyOptions

  @Option(help: ArgumentHelp("Erase the user only in this application.", valueName: "app-id"))
  var appID: String?

  @Option(
    help: ArgumentHelp(
      "The longest wait, before VACUUM, for sessions that still see the deleted rows.",
      valueName: "seconds"))
  var wait = 0

  @Flag(help: "Count the rows to erase, and change nothing.")
  var dryRun = false

  func validate() throws {
    if userID.isEmpty { throw ValidationError("Name the user.") }
    if wait < 0 { throw ValidationError("--wait must not be negative.") }
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
      throw Terminal.failure(
        .configuration,
        "forget-user needs a key: give its file with --key-file or "
          + "\(ErasureKeyFile.environmentVariable). Create one with: "
          + "(umask 077; head -c 32 /dev/urandom > FILE)")
    }
    let users = try reportingErrors {
      userID == "-"
        ? try UserIDList(readingFrom: STDIN_FILENO) : UserIDList(argument: userID)
    }
    for refusal in users.refused { Terminal.problem(refusal.message) }
    guard !users.ids.isEmpty else {
      throw Terminal.failure(
        .usage,
        users.refused.isEmpty
          ? "standard input holds no user id" : "nothing was erased: no id is left")
    }
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    let connection = try database.connect()
    let output = ErasureOutput(isList: users.ids.count + users.refused.count > 1, isDryRun: dryRun)
    var last: TransactionNumber?
    for (place, user) in users.ids.enumerated() {
      let erasure = UserErasure(
        userID: user, appID: appID, connection: connection, wait: DatabaseOptions.wait,
        interruption: interruption)
      do {
        try reportingErrors {
          guard let key, !dryRun else { return try output.show(user, erasure.count()) }
          let erased = try erasure.erase(key: key)
          last = erased.transaction
          try output.show(user, erased.traces)
        }
      } catch {
        if !dryRun { output.showUnconfirmed(users.ids[place...]) }
        throw error
      }
    }
    try output.showEnd(userCount: users.ids.count)
    if let last {
      let outcome = try reportingErrors {
        try SpaceReclaiming(connection, interruption: interruption)
          .reclaim(after: last, waitSeconds: wait)
      }
      for line in outcome.lines { try Terminal.output(line) }
      try output.showRemaining()
    }
    guard users.refused.isEmpty else {
      throw Terminal.failure(
        .loadedWithFindings,
        "\(users.refused.count) lines of the list were refused; their users are not erased")
    }
  }
}
