internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres

/// `gamebase-ingest forget-user`: erases users.
struct ForgetUserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget-user",
    abstract: "Erase users everywhere, and keep their later lines out.",
    usage: """
      gamebase-ingest forget-user <user-id> [options]
      gamebase-ingest forget-user - --dry-run < ids.txt
      """,
    discussion: """
      Deletes a user's rows, refused lines, conflicts and fills in one transaction, and leaves a \
      tombstone: HMAC-SHA-256 of the id under a key that is kept outside the database. Lines of the \
      user that come later are counted as suppressed, and nothing of them is kept. Every load needs \
      the key from then on, so keep it as long as the database.

      A list has one id a line, in UTF-8. A line that begins or ends with white space, holds a NUL, \
      is no UTF-8 or is 0 is refused by its number, and the others are erased: exit code 3. An id \
      that really ends in a blank can be given as an argument, quoted.

      Make a key once: (umask 077; head -c 32 /dev/urandom > FILE)
      """)

  @Argument(
    help:
      "The user's id as it is stored, byte for byte; - reads ids from standard input, one a line.")
  var userID: String

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var erasureKey: ErasureKeyOptions

  @Option(help: ArgumentHelp("Only in this application.", valueName: "app-id"))
  var appID: String?

  @Option(
    help: ArgumentHelp(
      "Wait so long for sessions that still see the deleted rows, before VACUUM.",
      valueName: "seconds"))
  var wait = 0

  @Flag(help: "Count what would be erased, and change nothing.")
  var dryRun = false

  func validate() throws {
    if userID.isEmpty { throw ValidationError("Name the user.") }
    if wait < 0 { throw ValidationError("--wait takes seconds, 0 or more.") }
    // Swift repairs such text: somebody else would be erased, or nobody.
    let given = (1..<max(1, Int(CommandLine.argc))).map { CommandLine.unsafeArgv[$0] }
    let isRepaired = given.contains { $0.map { String(validatingCString: $0) == nil } ?? false }
    if isRepaired { throw ValidationError("An argument is no UTF-8, and neither id nor option.") }
  }

  func run() throws {
    let key = try erasureKey.key()
    if key == nil, !dryRun {
      throw Terminal.failure(
        .configuration,
        "a key is needed: give it by --key-file or \(ErasureKeyFile.environmentVariable). Make one "
          + "with: (umask 077; head -c 32 /dev/urandom > FILE)")
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
        userID: user, appID: appID, connection: connection, interruption: interruption)
      do {
        try reportingErrors {
          guard let key, !dryRun else { return try output.tell(user, erasure.count()) }
          let erased = try erasure.erase(key: key)
          last = erased.transaction
          try output.tell(user, erased.traces)
        }
      } catch {
        if !dryRun { output.tellLeft(users.ids[place...]) }
        throw error
      }
    }
    try output.tellEnd(userCount: users.ids.count)
    if let last {
      let outcome = try reportingErrors {
        try SpaceReclaiming(connection, interruption: interruption)
          .reclaim(after: last, waitSeconds: wait)
      }
      for line in outcome.lines { try Terminal.output(line) }
      try output.tellRemaining()
    }
    guard users.refused.isEmpty else {
      throw Terminal.failure(
        .loadedWithFindings,
        "lines that were refused: \(users.refused.count); their users are not erased")
    }
  }
}
