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

  @Option(help: "The action for field names that are new to a stream.")
  var unknownFields: UnknownFieldPolicy = .warn

  @Flag(help: "Load a file again that is loaded under another --app-id or --observed-at.")
  var reloadAs = false

  @Flag(help: "Stop at the first file that fails.") var failFast = false

  @Option(
    help: "The number of streams to load in parallel; the number of cores if unset.",
    transform: number(1))
  var jobs: Int?

  @OptionGroup var waiting: WaitingOptions

  @Option(
    help: """
      Write the run's report as JSON; - is standard output, and the summary then goes to standard error. \
      Usage errors are reported too. %Y, %m and %d in the name stand for the day, {load} for the number of \
      the run.
      """)
  var report: String?

  @Option(help: "Write the figures of the run and the feeds for Prometheus, as a text file.")
  var metrics: String?

  /// The options of the load itself, with the key.
  func loadOptions() throws -> LoadOptions {
    var options = inputs.records.loadOptions
    options.erasureKey = try erasureKey.key()
    (options.unknownFields, options.reloadsUnderNewOptions) = (unknownFields, reloadAs)
    (options.failFast, options.jobs) = (failFast, jobs)
    (options.retries.retries, options.lockWaitSeconds) = (waiting.retries, waiting.lockWait)
    return options
  }

  func target() throws -> ConnectionTarget {
    try database.target(makesLocal: true, isQuiet: waiting.quiet)
  }
}

/// The option for the key that recognizes erased users.
struct ErasureKeyOptions: ParsableArguments {
  @Option(
    help: """
      The file of the key that recognizes erased users; \(ErasureKeyFile.environmentVariable) if unset. \
      Required once a user has been erased.
      """)
  var keyFile: String?

  /// Reads the key from its file; nil when neither the option nor the environment names a file.
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
    help:
      "The seconds to wait for a lock of another session, before it ends with 6; no limit if unset.",
    transform: number(0, Lock.longestWait))
  var lockWait: Int?

  @Option(
    help: "The number of retries when the server is unavailable or another session interferes.",
    transform: number(0))
  var retries = RetryPolicy().retries

  @Flag(help: "Print only errors and warnings.") var quiet = false
}

enum PurchaseTokenMode: String, ExpressibleByArgument, CaseIterable { case hash, store }

/// The options for reading lines; `load`, `validate` and `explain` share them, so that all three
/// reach the same verdicts.
struct RecordOptions: ParsableArguments {
  @Option(help: "The stream of all files.") var stream: RecordStream?

  @Option(
    help: "The application of lines without one; the database's setting app-id if unset.",
    transform: application)
  var appId: String?

  @Option(
    help: "Refuse a file when a line names another application than this one.",
    transform: application)
  var expectApp: String?

  @Option(
    help: "The observation time of game users and items without a time (RFC 3339).",
    transform: time)
  var observedAt: Int64?

  @Option(
    help: "The start of the run (RFC 3339), if not now; times in lines may be a day later at most.",
    transform: time)
  var asOf: Int64?

  @Option(help: "The unit of numeric times.") var timeUnit = TimeUnit.milliseconds

  @Option(
    help: """
      Read the record from this field of the line, which holds an object or its JSON text. Of the fields \
      beside it only userId, appId and eventTime are used.
      """,
    transform: form("must be the name of the field that holds the record") {
      $0.isEmpty || isSecretFieldName($0) ? nil : $0
    })
  var unwrap: String?

  @Option(help: "hash keeps only the SHA-256 of purchase tokens, store keeps the tokens as well.")
  var purchaseToken: PurchaseTokenMode = .hash

  @Option(
    help: """
      Fail a file with more refused lines than N or P%, or never (unlimited); if unset, with more than \
      \(RejectLimit.standardCount) and more than \(RejectLimit.standardPercentage)% of its lines. A file without \
      one good line fails, too, unless unlimited.
      """,
    transform: form("must be a number, a percentage such as 2%, or unlimited") { RejectLimit($0) })
  var maxRejects: RejectLimit?

  func validate() throws {
    if let appId, let expectApp, appId != expectApp {
      throw ValidationError("--app-id and --expect-app name different applications.")
    }
    let start = asOf ?? currentMilliseconds()
    if let observedAt, observedAt > NormalizationRules(startOfRun: start).latestTime {
      throw ValidationError(
        "--observed-at is more than a day after \(asOf == nil ? "now" : "--as-of"), which no line may be."
      )
    }
  }

  var loadOptions: LoadOptions {
    var options = LoadOptions()
    (options.rules.appID, options.expectedApp) = (appId ?? "", expectApp)
    (options.rules.observedAt, options.asOf) = (observedAt, asOf)
    (options.rules.timeUnit, options.rules.unwrapField) = (timeUnit, unwrap)
    options.rules.storesPurchaseTokens = purchaseToken == .store
    options.rejectLimit = maxRejects ?? .standard
    options.loaderVersion = Version.current
    return options
  }
}

/// The options that name files, with those for reading them.
struct InputOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Files, folders or patterns; s3://BUCKET/PREFIX, rclone:REMOTE:PATH; - is standard input.",
      discussion: """
        A word of the file's name, or else of its folder's name, selects the stream. A name of a storage \
        stands for all objects whose keys begin so. rclone reads them: s3:// with AWS's variables and \
        profiles, rclone: with a remote of rclone's configuration.
        """),
    completion: .file())
  var paths: [String] = []

  @OptionGroup(title: "Records") var records: RecordOptions

  @Option(
    help: "End with 7 when fewer files are found; with 0, a path may find none.",
    transform: number(0))
  var minFiles = 1

  /// The files to read, each with its stream; at least one must be named, and not only skipped ones found.
  ///
  /// - Parameter name: a name for standard input, the only path; nil: it has none.
  func found(named name: String? = nil) throws -> FoundInputs {
    guard !paths.isEmpty else {
      throw LoadError(.usage, "no input is named: give files or folders")
    }
    let discovery = InputDiscovery(stream: records.stream, minFiles: minFiles)
    let found = try discovery.inputs(paths, standardInput: name)
    if let error = found.errorOfSkippedAlone { throw error }
    return found
  }
}

/// The start of the run for commands that read lines without a load: now, in milliseconds since 1970-01-01 UTC.
func currentMilliseconds() -> Int64 {
  Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
}
