internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// The values of `--purchase-token`.
enum PurchaseTokenMode: String, ExpressibleByArgument, CaseIterable { case hash, store }

/// The options for reading lines; `load`, `validate` and `explain` share them, so that all three
/// reach the same verdicts.
struct RecordOptions: ParsableArguments {
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

  @Option(help: "The stream of all files: \(alternatives(StreamCatalog.all.map(\.name))).")
  var stream: String?

  @Option(help: "The application of lines without one; the database's setting app-id if unset.")
  var appId: String?

  @Option(
    help: ArgumentHelp(
      "Refuse a file when a line names another application than this one.", valueName: "app-id"))
  var expectApp: String?

  @Option(help: "The observation time of game users and items without a time (RFC 3339).")
  var observedAt: String?

  @Option(
    help: "The start of the run (RFC 3339), if not now; times in lines may be a day later at most.")
  var asOf: String?

  @Option(help: "The unit of numeric times: ms, s or us.")
  var timeUnit: String = "ms"

  @Option(
    help: ArgumentHelp(
      "Read the record from this field of the line, which holds an object or its JSON text.",
      discussion: "Of the fields beside it only userId, appId and eventTime are used.",
      valueName: "field"))
  var unwrap: String?

  @Option(help: "hash keeps only the SHA-256 of purchase tokens, store keeps the tokens as well.")
  var purchaseToken: PurchaseTokenMode = .hash

  @Option(
    help: """
      Fail a file with more refused lines than N or P%, or never (unlimited); if unset, with more than \
      \(RejectLimit.standardCount) and more than \(RejectLimit.standardPercentage)% of its lines. A file without \
      one good line fails, too, unless unlimited.
      """
  )
  var maxRejects: String?

  func validate() throws {
    try checkStream(stream)
    guard TimeUnit(rawValue: timeUnit) != nil else {
      throw ValidationError("--time-unit must be ms, s or us.")
    }
    if let unwrap, unwrap.isEmpty || isSecretFieldName(unwrap) {
      throw ValidationError("--unwrap must name the field that holds the record.")
    }
    for (name, app) in [("--app-id", appId), ("--expect-app", expectApp)] {
      if let problem = app.flatMap({ ApplicationName.problem(with: $0) }) {
        throw ValidationError("\(name): \(problem).")
      }
    }
    if let appId, let expectApp, appId != expectApp {
      throw ValidationError("--app-id and --expect-app name different applications.")
    }
    if let maxRejects, RejectLimit(maxRejects) == nil {
      throw ValidationError(
        "--max-rejects must be a number, a percentage such as 2%, or unlimited.")
    }
    for (name, time) in [("--observed-at", observedAt), ("--as-of", asOf)] {
      guard let time else { continue }
      guard let time = epochMilliseconds(time), TimeRule.possibleOptions.contains(time) else {
        throw ValidationError(
          "\(name) must be a time from 2000 to 2100 with an offset, such as 2026-01-31T00:00:00Z.")
      }
    }
    if let observed = observedAt.flatMap(epochMilliseconds) {
      let start = asOf.flatMap(epochMilliseconds) ?? Int64(Date().timeIntervalSince1970 * 1000)
      guard observed <= NormalizationRules(startOfRun: start).latestTime else {
        throw ValidationError(
          "--observed-at is more than a day after \(asOf == nil ? "now" : "--as-of"), which no line may be."
        )
      }
    }
  }

  /// The files to read, each with its stream.
  ///
  /// - Throws: `CommandFailure` with exit code 64 when no input is named, a named file fits no stream or
  ///   several, or nothing but skipped files was found.
  func inputs(_ completeness: CompletenessOptions) throws -> FoundInputs {
    guard !paths.isEmpty else {
      throw Terminal.failure(
        .usage, "no input is named: give files or folders")
    }
    let found = try find { () throws(InputUsageError) in
      try discovery(completeness).inputs(paths)
    }
    if let error = found.errorOfSkippedAlone {
      throw Terminal.failure(.usage, error.description, cause: ErrorCode(error.kind))
    }
    return found
  }

  /// Standard input under a name.
  ///
  /// - Throws: `CommandFailure` with exit code 64 when the name fits no stream or several.
  func standardInput(
    named name: String, _ completeness: CompletenessOptions
  ) throws -> FoundInputs {
    try find { () throws(InputUsageError) in
      try discovery(completeness).standardInput(named: name)
    }
  }

  /// The files of one source.
  ///
  /// - Parameters:
  ///   - name: the stream of all files; nil: as the option says.
  ///   - source: the name of the source for messages; nil: the command line.
  func inputs(
    _ paths: [String], stream name: String? = nil, minFiles: Int = 1, source: String? = nil
  ) throws -> FoundInputs {
    try checkStream(name)
    return try find { () throws(InputUsageError) in
      try InputDiscovery(
        stream: (name ?? stream).flatMap { StreamCatalog.stream(named: $0) }, minFiles: minFiles,
        isNight: true, source: source
      ).inputs(paths)
    }
  }

  private func discovery(_ completeness: CompletenessOptions) -> InputDiscovery {
    InputDiscovery(
      stream: stream.flatMap { StreamCatalog.stream(named: $0) }, minFiles: completeness.minFiles)
  }

  private func find(_ search: () throws(InputUsageError) -> FoundInputs) throws -> FoundInputs {
    do throws(InputUsageError) { return try search() } catch {
      throw Terminal.failure(error.exitCode, error.description, cause: ErrorCode(error.kind))
    }
  }

  var loadOptions: LoadOptions {
    var options = LoadOptions()
    options.appID = appId
    options.expectedApp = expectApp
    options.observedAt = observedAt.flatMap(epochMilliseconds)
    options.asOf = asOf.flatMap(epochMilliseconds)
    options.timeUnit = TimeUnit(rawValue: timeUnit) ?? .milliseconds
    options.unwrapField = unwrap
    options.storesPurchaseTokens = purchaseToken == .store
    options.rejectLimit = maxRejects.flatMap { RejectLimit($0) } ?? .standard
    options.loaderVersion = Version.current
    return options
  }
}

/// A line of a file, written as `path:line`; the last colon separates them, because a path may hold
/// colons.
struct LinePlace: ExpressibleByArgument {
  let path: String
  let line: Int

  init?(argument: String) {
    guard let colon = argument.lastIndex(of: ":"),
      let line = Int(argument[argument.index(after: colon)...]), line >= 1,
      colon > argument.startIndex
    else { return nil }
    path = String(argument[..<colon])
    self.line = line
  }
}

/// The current time by this machine's clock, in milliseconds since 1970-01-01 UTC.
///
/// Commands that read lines without a load use it as the start of the run.
func currentMilliseconds() -> Int64 {
  Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
}

/// Checks the value of `--stream`.
///
/// - Parameter name: nil: the option is not given.
/// - Throws: `ValidationError` when no stream has that name.
func checkStream(_ name: String?) throws {
  guard let name, StreamCatalog.stream(named: name) == nil else { return }
  let names = StreamCatalog.all.map(\.name).joined(separator: ", ")
  throw ValidationError("--stream must be one of \(names).")
}
