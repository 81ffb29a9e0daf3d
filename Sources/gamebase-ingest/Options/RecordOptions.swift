internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

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
    help: ArgumentHelp(
      "Read the record from this field of the line, which holds an object or its JSON text.",
      discussion: "Of the fields beside it only userId, appId and eventTime are used."),
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
    options.rules.appID = appId ?? ""
    options.expectedApp = expectApp
    options.rules.observedAt = observedAt
    options.rules.timeUnit = timeUnit
    options.rules.unwrapField = unwrap
    options.rules.storesPurchaseTokens = purchaseToken == .store
    options.asOf = asOf
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

  /// The files to read, each with its stream.
  ///
  /// - Parameter name: a name for standard input, the only path; nil: it has none.
  /// - Throws: `LoadError` when no input is named, and `ReadError` when a name fits no stream or
  ///   several, or nothing but skipped files was found.
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

/// The current time by this machine's clock, in milliseconds since 1970-01-01 UTC.
///
/// Commands that read lines without a load use it as the start of the run.
func currentMilliseconds() -> Int64 {
  Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
}
