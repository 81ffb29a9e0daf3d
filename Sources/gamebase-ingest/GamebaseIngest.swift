internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// The command `gamebase-ingest`.
@main
struct GamebaseIngest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gamebase-ingest",
    abstract: """
      Loads JSONL of Gamebase into PostgreSQL: \
      \(enumeration(StreamCatalog.all.map(\.recordNoun), with: "and")).
      """,
    discussion: """
      A file is loaded completely or not at all, and never twice: a file is known by its bytes, not by \
      its name. Lines that break a rule are stored in ingest.reject with the reason.

      Exit codes:
      \(exitCodeList)
      """,
    version: Version.current,
    subcommands: [
      MigrateCommand.self, GrantCommand.self, SettingsCommand.self, LoadCommand.self,
      RefreshCommand.self, ReferenceCommand.self, ValidateCommand.self,
      ExplainCommand.self, StatusCommand.self, FailuresCommand.self, RejectsCommand.self,
      ConflictsCommand.self, TraceCommand.self, UndoCommand.self, ForgetUserCommand.self,
      RetentionCommand.self,
      GenerateCommand.self, LocalCommand.self,
    ])

  static func main() {
    Terminal.holdStandardStreams()
    forbidCoreDumps()
    forbidBacktraces()
    // A command line without arguments is an error. On Linux the arguments come from /proc; where
    // /proc cannot be read, the list is empty although the user gave some.
    guard CommandLine.arguments.count > 1 else {
      Terminal.note(helpMessage())
      exit(withError: Terminal.code(.usage))
    }
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as CommandFailure {
      exit(withError: Terminal.code(failure.exitCode))
    } catch {
      let code = exitCode(for: error)
      let message = message(for: error)
      guard !code.isSuccess, !message.isEmpty else { exit(withError: error) }
      let arguments = Array(CommandLine.arguments.dropFirst())
      CommandLineProblem(message, arguments: arguments, of: GamebaseIngest.self).write()
      if code.rawValue == Loading.ExitCode.usage.rawValue,
        let destination = ReportDestination(namedIn: arguments)
      {
        let failure = CommandFailure(exitCode: .usage, code: .usage, message: message)
        _ = destination.write(RunReport(failure))
      }
      exit(withError: code)
    }
  }

  private static let exitCodeList = Loading.ExitCode.allCases.map { code in
    let number = String(code.rawValue)
    let padding = String(repeating: " ", count: 5 - number.count)
    return "\(padding)\(number)  \(code.summary)"
  }.joined(separator: "\n")
}
