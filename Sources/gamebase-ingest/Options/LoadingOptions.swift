internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

/// The options that `load` and `run` share.
struct RunOptions: ParsableArguments {
  @OptionGroup var inputs: InputOptions
  @OptionGroup(title: "Database and configuration") var database: DatabaseOptions
  @OptionGroup(title: "Erased users") var erasureKey: ErasureKeyOptions
  @OptionGroup(title: "Loading") var loading: LoadingOptions
  @OptionGroup(title: "Outputs") var outputs: OutputOptions

  /// The options of the load itself.
  ///
  /// - Throws: `LoadError` when the key cannot be read.
  var loadOptions: LoadOptions {
    get throws {
      var options = inputs.records.loadOptions
      options.erasureKey = try erasureKey.key()
      options.unknownFields = loading.unknownFields
      options.failFast = loading.failFast
      options.reloadsUnderNewOptions = loading.reloadAs
      options.jobs = loading.jobs
      options.retries.retries = loading.waiting.retries
      options.lockWaitSeconds = loading.waiting.lockWait
      return options
    }
  }

  var target: ConnectionTarget {
    get throws { try database.target(makesLocal: true, isQuiet: loading.waiting.quiet) }
  }
}

/// The options for the outputs of a run.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the run's report as JSON; - is standard output.",
      discussion: """
        Usage errors are reported too. With -, the summary goes to standard error. %Y, %m and %d in \
        the name stand for the day, {load} for the number of the run.
        """))
  var report: String?

  @Option(help: "Write the figures of the run and the feeds for Prometheus, as a text file.")
  var metrics: String?
}

/// The options of the load itself, apart from its files.
struct LoadingOptions: ParsableArguments {
  @Option(help: "The action for field names that are new to a stream.")
  var unknownFields: UnknownFieldPolicy = .warn

  @Flag(
    help: ArgumentHelp(
      "Load a file again that is loaded under another --app-id or --observed-at.",
      discussion: "Otherwise such a file fails, because most often an option was forgotten."))
  var reloadAs = false

  @Flag(help: "Stop at the first file that fails.") var failFast = false

  @Option(
    help: "The number of streams to load in parallel; the number of cores if unset.",
    transform: number(1))
  var jobs: Int?

  @OptionGroup var waiting: WaitingOptions
}

/// The option for the key that recognizes erased users.
struct ErasureKeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file of the key that recognizes erased users; \(ErasureKeyFile.environmentVariable) if unset.",
      discussion: "Required once a user has been erased."))
  var keyFile: String?

  /// Reads the key from its file; nil when neither the option nor the environment names a file.
  ///
  /// - Throws: `LoadError` when the file cannot be read or holds no key.
  func key() throws -> ErasureKey? {
    let environment = ProcessInfo.processInfo.environment[ErasureKeyFile.environmentVariable]
    guard let path = keyFile ?? environment, !path.isEmpty else { return nil }
    Output.keep(path)
    return try ErasureKeyFile.read(path)
  }
}

/// The options of long commands: for other sessions, and for what is printed meanwhile.
struct WaitingOptions: ParsableArguments {
  @Option(
    help: """
      The longest wait, in seconds, for a lock of another session: a stream's or that of the reports. \
      Without it, there is no limit; with it, the command then ends with 6.
      """,
    transform: number(0, Lock.longestWait))
  var lockWait: Int?

  @Option(
    help: "The number of retries when the server is unavailable or another session interferes.",
    transform: number(0))
  var retries = RetryPolicy().retries

  @Flag(help: "Print only errors and warnings.") var quiet = false
}
