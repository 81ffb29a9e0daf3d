internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest reference load push-actions`: loads the buttons of an app's push messages.
struct PushActionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push-actions",
    abstract: "Load the push actions of an app from its hive_push_actions.json.",
    usage: """
      gamebase-ingest reference load push-actions <file> [options]
      gamebase-ingest reference load push-actions hive_push_actions.json --app-id ab12 --database service=games
      """,
    discussion: """
      The file is a JSON object with actions, which gives each action its titles by language, and categories, \
      which lists up to three actions for each category. It replaces all actions of the app; other apps keep \
      theirs. A file with the same bytes as the app's newest one changes nothing. Needs the owner's rights.

      Exits with 5 when the file has a defect; each one is named, and nothing is changed. Warnings name what is \
      probably not meant: languages that the vendor does not know, actions in no category, white space around a \
      title, two actions of a category with one title, and names that the vendor reserves and ignores.
      """)

  @Argument(
    help: "The JSON file, plain or compressed; - is standard input.", completion: .file())
  var file: String

  @Option(
    help: "The app of the actions; default: the database's setting app-id, else none.")
  var appId: String?

  @OptionGroup var database: DatabaseOptions

  /// The most findings of a kind that are named.
  private static let mostListed = 50

  func validate() throws {
    if let problem = appId.flatMap({ DatabaseSetting.appID.problem(with: $0) }) {
      throw ValidationError("--app-id: \(problem).")
    }
  }

  func run() throws {
    let connection = try database.connectToSchema(asOwnerFor: "reference load")
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    let outcome = try reportingErrors {
      try PushActionLoad(
        file, appID: appId, loaderVersion: Version.current, connection: connection,
        wait: DatabaseOptions.wait, interruption: interruption
      ).run()
    }
    switch outcome {
    case .refused(let file): throw refusal(file.problems)
    case .loaded(let file, let app):
      try write(
        file,
        "push actions\(of(app)): \(file.actions.count) actions, \(file.titles.count) titles, "
          + "\(Set(file.buttons.map(\.category)).count) categories")
    case .unchanged(let file, let app):
      try write(file, "push actions\(of(app)): this file is loaded already; nothing was changed")
    }
  }

  private func of(_ app: String) -> String { app.isEmpty ? "" : " of \(printable(app))" }

  private func write(_ actions: PushActionFile, _ line: String) throws {
    for warning in actions.warnings.prefix(Self.mostListed) {
      Terminal.warning("\(file): \(warning.sentence)")
    }
    let more = actions.warnings.count - Self.mostListed
    if more > 0 { Terminal.warning("\(file): \(more) more warnings are not listed") }
    try Terminal.output(of: "the load of the push actions") { try Terminal.output(line) }
  }

  private func refusal(_ problems: [PushActionFile.Finding]) -> any Error {
    for problem in problems.prefix(Self.mostListed) {
      Terminal.problem("\(file): \(problem.sentence)")
    }
    let more = problems.count - Self.mostListed
    return Terminal.failure(
      .fileFailed,
      "\(file): \(problems.count) values or names are wrong"
        + (more > 0 ? ", of which \(more) are not listed" : "") + "; no push action was changed")
  }
}
