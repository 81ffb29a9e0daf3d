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
    LogStyle.current = style(of: given)
    do {
      let line = try configured(given)
      if let line { LogStyle.current = style(of: line.arguments) }
      ConfiguredCommandLine.noteUnknownVariables(ProcessInfo.processInfo.environment)
      line?.use()
      var command = try parseAsRoot(line?.arguments ?? given)
      try command.run()
    } catch let failure as CommandFailure {
      exit(withError: Terminal.code(failure.exitCode))
    } catch {
      let code = exitCode(for: error)
      let message = withoutPassword(message(for: error))
      guard !code.isSuccess, !message.isEmpty else { exit(withError: error) }
      let line = (try? configured(given)) ?? nil
      CommandLineProblem(
        message, origin: line?.origin(ofErrorIn: GamebaseIngest.self), arguments: given,
        of: GamebaseIngest.self
      ).write()
      if code.rawValue == Loading.ExitCode.usage.rawValue {
        report(
          CommandFailure(exitCode: .usage, code: .usage, message: message),
          to: line?.arguments ?? given)
      }
      exit(withError: code)
    }
  }

  /// The command line with the values of the configuration file; nil: no file belongs to it.
  ///
  /// - Throws: `CommandFailure` when the file cannot be used.
  private static func configured(_ arguments: [String]) throws -> ConfiguredCommandLine? {
    do throws(ConfigurationError) {
      return try ConfiguredCommandLine(
        arguments, environment: ProcessInfo.processInfo.environment, of: GamebaseIngest.self)
    } catch {
      let exitCode = error.kind == .usage ? Loading.ExitCode.usage : .configuration
      let failure = Terminal.failure(exitCode, error.description)
      if let failure = failure as? CommandFailure { report(failure, to: arguments) }
      throw failure
    }
  }

  /// The form of messages that a command line asks for.
  ///
  /// A wrong value is reported by the parser.
  private static func style(of arguments: [String]) -> LogStyle {
    func value(_ name: String) -> String? {
      ConfiguredCommandLine.value(of: name, in: arguments, ProcessInfo.processInfo.environment)
    }
    var style = LogStyle()
    style.format = value("log-format").flatMap(LogStyle.Format.init) ?? .text
    return style
  }

  /// Writes the report of a command line that could not be run, if it names a report.
  private static func report(_ failure: CommandFailure, to arguments: [String]) {
    Output.write(RunReport(failure), namedIn: arguments)
  }

  private static let exitCodeList = Loading.ExitCode.allCases.map { code in
    let number = String(code.rawValue)
    let padding = String(repeating: " ", count: 5 - number.count)
    return "\(padding)\(number)  \(code.summary)"
  }.joined(separator: "\n")
}
