internal import ArgumentParser
internal import Configuration
internal import Loading
internal import LocalCluster
internal import Postgres
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
    let clock = ReportClock()
    let given = Array(CommandLine.arguments.dropFirst())
    setFormat(of: given)
    do {
      let line = try ConfiguredCommandLine(given, of: self)
      ConfiguredCommandLine.current = line
      setFormat(of: line.arguments)
      ConfiguredCommandLine.noteUnknownVariables()
      var command = try parseAsRoot(line.arguments)
      try command.run()
    } catch {
      let line = ConfiguredCommandLine.current
      let failure = LoadError(ending: error)
      let message = failure?.message ?? withoutPassword(message(for: error))
      let code = failure.map { Terminal.code($0.exitCode) } ?? exitCode(for: error)
      // Help is a success, and the end of a run with findings has no message.
      guard !exitCode(for: error).isSuccess, !message.isEmpty else { exit(withError: error) }
      if failure == nil {
        line?.named.writeProblem(message, origin: line?.originOfError)
      } else {
        Terminal.problem(message)
      }
      RunOutputs.write(
        failure ?? LoadError(.usage, message), namedIn: line?.arguments ?? given, since: clock)
      exit(withError: code)
    }
  }

  /// Gives messages the form that a command line asks for; the parser reports a wrong one.
  private static func setFormat(of arguments: [String]) {
    let name = ConfiguredCommandLine.value(of: "log-format", in: arguments)
    Terminal.format = name.flatMap(OutputFormat.init) ?? .text
  }

  private static let exitCodeList = Loading.ExitCode.allCases.map { code in
    let number = String(code.rawValue)
    return String(repeating: " ", count: 5 - number.count) + "\(number)  \(code.summary)"
  }.joined(separator: "\n")
}

extension LoadError {
  /// The failure that ended a command; nil: an error of the parser, or an end that needs no message.
  init?(ending error: any Error) {
    switch error {
    case let error as LoadError: self = error
    case let error as PostgresError: self.init(error)
    case let error as ReadError:
      // A file with such a name that was found, and not named, only fails.
      self.init(
        ErrorCode(error.kind), error.message,
        exitCode: error.kind == .ambiguousName ? .usage : nil)
    case let error as ConfigurationError:
      self.init(error.kind == .usage ? .usage : .configuration, error.description)
    case let error as LocalClusterError: self.init(.configuration, error.description)
    default:
      guard GamebaseIngest.exitCode(for: error) == .failure else { return nil }
      self.init(.defect, withoutPassword("unexpected error: \(error)"))
    }
  }
}
