internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// What `--purchase-token` can say.
enum PurchaseTokenMode: String, ExpressibleByArgument, CaseIterable { case hash, store }

/// How lines are read: the same for `load` and `validate`, so that both give the same verdicts.
struct RecordOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Files, folders or patterns; - is standard input.",
      discussion: "A word of a file's name, or else of its folder's, says which stream it holds."),
    completion: .file())
  var paths: [String] = []

  @Option(help: "What all files hold: \(alternatives(StreamCatalog.all.map(\.name))).")
  var stream: String?

  @Option(help: "The application of lines that name none; the database's setting app-id if unset.")
  var appId: String?

  @Option(
    help: ArgumentHelp(
      "Refuse a file with a line that names another application than this.", valueName: "app-id"))
  var expectApp: String?

  @Option(help: "When game users without a time were observed (RFC 3339).")
  var observedAt: String?

  @Option(
    help: "Counts as the start of the run (RFC 3339): times may be up to a day after it.")
  var asOf: String?

  @Option(help: "The unit of times that are numbers: ms, s or us.")
  var timeUnit: String = "ms"

  @Option(
    help: ArgumentHelp(
      "Take the record from this field of the line: an object, or the text of one.",
      discussion: "Of what is beside it userId, appId and eventTime are used.", valueName: "field"))
  var unwrap: String?

  @Option(help: "Of purchase tokens, hash keeps only the SHA-256, store keeps the tokens as well.")
  var purchaseToken: PurchaseTokenMode = .hash

  @Option(
    help: "Refused lines that a file may have: N, P% or unlimited; 100 or 1%, the larger, if unset."
  )
  var maxRejects: String?

  @Option(help: ArgumentHelp("Decoded bytes of a file; any number if unset.", valueName: "n"))
  var maxBytes: Int?

  @Option(
    help: ArgumentHelp(
      "How long a pipe or standard input may give nothing; 0 is for ever.", valueName: "seconds"))
  var readTimeout: Double = ReadOptions().readTimeout ?? 0

  @Flag(help: "Read named pipes too, each once, as standard input is.")
  var allowPipes = false

  @Flag(help: "Follow symbolic links that are found in folders.")
  var followSymlinks = false

  @Flag(
    help: "Refuse the command line when a file in a folder fits no stream, instead of skipping it.")
  var strictFiles = false

  @Option(help: "Bytes of a line.")
  var maxLineBytes: Int = Limits().lineBytes

  @Option(help: "Levels of nested arrays and objects.")
  var maxNesting: Int = Limits().nesting

  @Option(help: "Bytes of an identifier, up to 512.")
  var maxIdentifierBytes: Int = Limits().identifierBytes

  @Option(help: "Bytes of a free text.")
  var maxTextBytes: Int = Limits().textBytes

  func validate() throws {
    try checkStream(stream)
    guard TimeUnit(rawValue: timeUnit) != nil else {
      throw ValidationError("--time-unit is ms, s or us.")
    }
    guard readTimeout >= 0, maxBytes ?? 0 >= 0 else {
      throw ValidationError("--read-timeout and --max-bytes are not negative.")
    }
    if let unwrap, unwrap.isEmpty || isSecretFieldName(unwrap) {
      throw ValidationError("--unwrap names the field that holds the record.")
    }
    for (name, app) in [("--app-id", appId), ("--expect-app", expectApp)] {
      if let problem = app.flatMap({ DatabaseSetting.appID.problem(with: $0) }) {
        throw ValidationError("\(name): \(problem).")
      }
    }
    if let appId, appId.utf8.count > maxIdentifierBytes {
      throw ValidationError("--app-id is longer than --max-identifier-bytes allows.")
    }
    if let appId, let expectApp, appId != expectApp {
      throw ValidationError("--app-id and --expect-app name two applications.")
    }
    if let maxRejects, RejectLimit(maxRejects) == nil {
      throw ValidationError("--max-rejects is a number, a percentage such as 2%, or unlimited.")
    }
    for (name, time) in [("--observed-at", observedAt), ("--as-of", asOf)] {
      guard let time else { continue }
      guard let time = epochMilliseconds(time), TimeRule.possibleOptions.contains(time) else {
        throw ValidationError(
          "\(name) is a time from 2000 to 2100 with an offset, such as 2026-01-31T00:00:00Z.")
      }
    }
    guard (1...1 << 27).contains(maxLineBytes), (1...1024).contains(maxNesting),
      (1...512).contains(maxIdentifierBytes), (1...1 << 27).contains(maxTextBytes)
    else {
      throw ValidationError(
        "Limits: --max-line-bytes 1...134217728, --max-nesting 1...1024, "
          + "--max-identifier-bytes 1...512, --max-text-bytes 1...134217728.")
    }
  }

  /// The files to read, each with its stream.
  ///
  /// - Throws: exit code 64 with a sentence when there are none, or one's stream cannot be told.
  func inputs() throws -> FoundInputs {
    guard !paths.isEmpty else {
      throw Terminal.failure(
        .usage, "no input is named: give files or folders")
    }
    return try inputs(paths)
  }

  func inputs(_ paths: [String]) throws -> FoundInputs {
    do throws(InputUsageError) {
      return try InputDiscovery(
        stream: stream.flatMap { StreamCatalog.stream(named: $0) }, followsLinks: followSymlinks,
        isStrict: strictFiles
      ).inputs(paths)
    } catch {
      throw Terminal.failure(.usage, error.description, cause: ErrorCode(error.kind))
    }
  }

  var loadOptions: LoadOptions {
    var options = LoadOptions()
    options.appID = appId
    options.expectedApp = expectApp
    options.observedAt = observedAt.flatMap(epochMilliseconds)
    options.asOf = asOf.flatMap(epochMilliseconds)
    options.timeUnit = TimeUnit(rawValue: timeUnit) ?? .milliseconds
    options.reading.maxBytes = maxBytes
    options.reading.readTimeout = readTimeout == 0 ? nil : readTimeout
    options.reading.allowsPipes = allowPipes
    options.reading.followsLinks = followSymlinks
    options.limits.lineBytes = maxLineBytes
    options.limits.nesting = maxNesting
    options.limits.identifierBytes = maxIdentifierBytes
    options.limits.textBytes = maxTextBytes
    options.unwrapField = unwrap
    options.storesPurchaseTokens = purchaseToken == .store
    options.rejectLimit = maxRejects.flatMap { RejectLimit($0) } ?? .standard
    options.loaderVersion = Version.current
    return options
  }
}
