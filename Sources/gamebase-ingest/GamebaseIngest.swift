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
      LoadCommand.self, RunCommand.self, RefreshCommand.self, ReferenceCommand.self,
      ValidateCommand.self, ExplainCommand.self, StatusCommand.self, ReportCommand.self,
      ExportCommand.self, FailuresCommand.self, RejectsCommand.self, ConflictsCommand.self,
      TraceCommand.self, UndoCommand.self, ForgetUserCommand.self, RetentionCommand.self,
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
    setFormat(of: given)
    do {
      let environment = ProcessInfo.processInfo.environment
      let line = try ConfiguredCommandLine(given, environment: environment, of: self)
      ConfiguredCommandLine.current = line
      setFormat(of: line.arguments)
      ConfiguredCommandLine.noteUnknownVariables(environment)
      var command = try parseAsRoot(line.arguments)
      try command.run()
    } catch {
      end(error, given)
    }
  }

  private static func end(_ error: any Error, _ given: [String]) -> Never {
    let line = ConfiguredCommandLine.current
    if let failure = LoadError(ending: error) {
      // A command that runs writes its report itself.
      if line == nil { Output.write(failure, namedIn: given) }
      Terminal.problem(failure.message)
      exit(withError: Terminal.code(failure.exitCode))
    }
    let message = withoutPassword(message(for: error))
    guard let line, !exitCode(for: error).isSuccess, !message.isEmpty else {
      exit(withError: error)
    }
    line.named.writeProblem(message, origin: line.originOfError)
    Output.write(LoadError(.usage, message), namedIn: line.arguments)
    exit(withError: exitCode(for: error))
  }

  /// Gives messages the form that a command line asks for; the parser reports a wrong one.
  private static func setFormat(of arguments: [String]) {
    let name = ConfiguredCommandLine.value(
      of: "log-format", in: arguments, ProcessInfo.processInfo.environment)
    Terminal.format = name.flatMap(OutputFormat.init) ?? .text
  }

  private static let exitCodeList = Loading.ExitCode.allCases.map { code in
    let number = String(code.rawValue)
    return String(repeating: " ", count: 5 - number.count) + "\(number)  \(code.summary)"
  }.joined(separator: "\n")
}
