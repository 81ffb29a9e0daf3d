internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest failures dismiss`: failures about which nothing is to be done any more.
struct FailuresDismissCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss",
    abstract: "Take failures off the list of files that wait to be loaded again.",
    usage: """
      gamebase-ingest failures dismiss <failure> ... [options]
      gamebase-ingest failures dismiss inbox/receipts-test.jsonl --note 'a test of the vendor'
      """,
    discussion: """
      A failure is named by its number as failures list prints it, by its file's path, or by the end of \
      that path from a / on. What was dismissed when, by whom and with which note stays in \
      ingest.failure_dismissal. The file can be loaded all the same; if it fails again, that is a new \
      failure. It needs the rights of the tables' owner.
      """)

  @Argument(help: "Numbers or paths of failures.")
  var failures: [String]

  @OptionGroup var database: DatabaseOptions

  @Option(help: ArgumentHelp("Why, for those who ask later.", valueName: "text"))
  var note: String?

  func run() throws {
    let connection = try database.connectToSchema()
    try reportingErrors {
      let dismissed = try connection.transaction {
        let meant = try failures.flatMap { try failures(called: $0, connection) }
        return (meant, try Failure.dismiss(meant, note: note, on: connection))
      }
      for failure in dismissed.0 {
        try Terminal.output("dismissed \(failure.number): \(printable(failure.path))")
      }
    }
  }

  /// The failures of one file.
  private func failures(called name: String, _ connection: Connection) throws -> [Failure] {
    let found = try Failure.all(called: name, on: connection)
    guard !found.isEmpty else {
      throw Terminal.failure(
        .usage,
        "no failure is called \(name); nothing was dismissed. gamebase-ingest failures list shows those "
          + "that are open")
    }
    guard Set(found.map(\.path)).count == 1 else {
      let listed = found.prefix(5).map { "\($0.number) (\($0.stream) \($0.path))" }
      let more = found.count > listed.count ? "; and \(found.count - listed.count) more" : ""
      throw Terminal.failure(
        .usage,
        "failures of several files are called \(name), and nothing was dismissed; name one by its "
          + "number: \(listed.joined(separator: "; "))\(more)")
    }
    return found
  }
}
