internal import ArgumentParser
internal import Configuration
internal import Foundation
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
      MigrateCommand.self, GrantCommand.self, DistributeCommand.self, SettingsCommand.self,
      LoadCommand.self, RunCommand.self,
      RefreshCommand.self, ReferenceCommand.self, ValidateCommand.self,
      ExplainCommand.self, StatusCommand.self, ReportCommand.self, ExportCommand.self,
      FailuresCommand.self,
      RejectsCommand.self, ConflictsCommand.self, TraceCommand.self, UndoCommand.self,
      ForgetUserCommand.self, RetentionCommand.self,
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
    let given = Array(CommandLine.arguments.dropFirst())
    Terminal.format = format(of: given)
    do {
      let environment = ProcessInfo.processInfo.environment
      let line = try ConfiguredCommandLine(
        given, environment: environment, of: GamebaseIngest.self)
      ConfiguredCommandLine.current = line
      Terminal.format = format(of: line.arguments)
      ConfiguredCommandLine.noteUnknownVariables(environment)
      run(line)
    } catch {
      let failure = LoadError(error)
      Output.write(RunReport(failure), namedIn: given)
      end(failure)
    }
  }

  private static func run(_ line: ConfiguredCommandLine) {
    do {
      var command = try parseAsRoot(line.arguments)
      try command.run()
    } catch {
      if let failure = LoadError(ending: error) { end(failure) }
      let code = exitCode(for: error)
      let message = withoutPassword(message(for: error))
      guard !code.isSuccess, !message.isEmpty else { exit(withError: error) }
      line.named.writeProblem(message, origin: line.originOfError)
      Output.write(RunReport(LoadError(.usage, message)), namedIn: line.arguments)
      exit(withError: code)
    }
  }

  private static func end(_ failure: LoadError) -> Never {
    Terminal.problem(failure.message)
    exit(withError: Terminal.code(failure.exitCode))
  }

  /// The form of messages that a command line asks for.
  ///
  /// A wrong value is reported by the parser.
  private static func format(of arguments: [String]) -> OutputFormat {
    ConfiguredCommandLine.value(
      of: "log-format", in: arguments, ProcessInfo.processInfo.environment
    ).flatMap(OutputFormat.init) ?? .text
  }

  private static let exitCodeList = Loading.ExitCode.allCases.map { code in
    let number = String(code.rawValue)
    let padding = String(repeating: " ", count: 5 - number.count)
    return "\(padding)\(number)  \(code.summary)"
  }.joined(separator: "\n")
}
