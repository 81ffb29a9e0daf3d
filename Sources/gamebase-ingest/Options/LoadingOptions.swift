internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// The options of a run of the loader, apart from its files and its database; `load` and `run` share
/// them.
struct LoadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The action for field names that are new to a stream: warn, fail or ignore.",
      valueName: "policy"))
  var unknownFields: UnknownFieldPolicy = .warn

  @Flag(
    help: ArgumentHelp(
      "Load a file again that is loaded under another --app-id or --observed-at.",
      discussion: "Otherwise such a file fails, because most often an option was forgotten."))
  var reloadAs = false

  @Flag(help: "Stop at the first file that fails.")
  var failFast = false

  @Option(
    help: ArgumentHelp(
      "The longest wait for a file that another loader is loading.", valueName: "seconds"))
  var lockWait = 60

  @Option(
    help: ArgumentHelp(
      "The number of streams to load in parallel; the number of cores if unset.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "The number of retries when the server is unavailable or another session blocks the load.",
      valueName: "n"))
  var retries = RetryPolicy().retries

  @Option(
    help: ArgumentHelp(
      "End with 0 instead of 3 if all files together have at most N or P% refused lines, and no conflict.",
      valueName: "n|p%"))
  var acceptRejects: String?

  @Option(
    help: ArgumentHelp(
      "The exit code for refused lines and conflicts, instead of 3.", valueName: "code"))
  var findingsExit: Int32?

  @Option(
    help: ArgumentHelp(
      "Move files that are loaded into this folder, after their commit; 74 if one cannot be moved.",
      discussion: "A file whose name is taken there stays. Its sidecars go along.",
      valueName: "folder"))
  var moveLoaded: String?

  @Flag(help: "Print only errors and warnings.")
  var quiet = false

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    if let acceptRejects, RejectLimit(acceptRejects) == nil {
      throw ValidationError(
        "--accept-rejects must be a number, a percentage such as 2%, or unlimited.")
    }
    if let findingsExit, !(0...125).contains(findingsExit) {
      throw ValidationError("--findings-exit must be 0 to 125.")
    }
    if moveLoaded?.isEmpty == true { throw ValidationError("--move-loaded needs a folder.") }
    if retries < 0 { throw ValidationError("--retries must not be negative.") }
    if lockWait < 0 { throw ValidationError("--lock-wait must not be negative.") }
  }

  /// Sets the exit code of a run with refused lines or conflicts as the options say.
  func applyFindingsPolicy(to report: inout RunReport) {
    FindingsPolicy(accepted: acceptRejects.flatMap { RejectLimit($0) }, exitCode: findingsExit)
      .apply(to: &report)
  }

  /// - Throws: `CommandFailure` when the folder for loaded files is one that is searched for files.
  func checkMove(of found: FoundInputs) throws {
    guard let moveLoaded else { return }
    let move = LoadedFileMove(to: moveLoaded, options: ReadOptions())
    if let folder = move.searchedFolder(of: found.inputs) {
      throw Terminal.failure(
        .usage,
        "--move-loaded names \(moveLoaded), which lies in \(folder): the next run would search it; "
          + "name a folder outside")
    }
  }

  /// Moves the files that the run has loaded, or found loaded.
  ///
  /// - Returns: false when one of them could not be moved.
  func moveFiles(of found: FoundInputs, _ report: RunReport, reading options: ReadOptions) -> Bool {
    guard let moveLoaded else { return true }
    let move = LoadedFileMove(to: moveLoaded, options: options)
    let digests = Dictionary(
      report.files.filter { $0.status != .failed }.compactMap { file in
        file.sha256.map { (file.path, $0) }
      }, uniquingKeysWith: { first, _ in first })
    var (count, isComplete) = (0, true)
    for input in found.inputs {
      guard let sha256 = digests[input.path] else { continue }
      do throws(LoadedFileMove.Failure) {
        if try move.move(input, sha256: sha256) != nil { count += 1 }
      } catch {
        isComplete = false
        Terminal.problem("\(error.path) \(error.reason)")
      }
    }
    if !quiet { Terminal.note("\(counted(count, "file")) moved to \(moveLoaded)") }
    return isComplete
  }

  func apply(to options: inout LoadOptions) {
    options.unknownFields = unknownFields
    options.failFast = failFast
    options.reloadsUnderNewOptions = reloadAs
    options.jobs = jobs
    options.retries.retries = retries
    options.lockWaitSeconds = lockWait
  }
}

extension UnknownFieldPolicy: ExpressibleByArgument {}

/// The option for the key that recognizes erased users.
struct ErasureKeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file of the key that recognizes erased users; \(ErasureKeyFile.environmentVariable) if unset.",
      discussion: "Required once a user has been erased.", valueName: "path"))
  var keyFile: String?

  /// Reads the key from its file; nil when neither the option nor the environment names a file.
  ///
  /// - Throws: `CommandFailure` when the file cannot be read or holds no key.
  func key() throws -> ErasureKey? {
    let environment = ProcessInfo.processInfo.environment[ErasureKeyFile.environmentVariable]
    guard let path = keyFile ?? environment, !path.isEmpty else { return nil }
    do throws(LoadError) { return try ErasureKeyFile(path).read() } catch {
      throw Terminal.failure(error)
    }
  }
}

/// The options of a command that ends with a refresh of the reports.
struct RefreshOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The longest wait for another session's refresh of the reports.", valueName: "seconds"))
  var refreshWait = LockWait.refreshSeconds

  func validate() throws {
    guard (0...LockWait.maximumSeconds).contains(refreshWait) else {
      throw ValidationError(
        "--refresh-wait must be 0 to \(LockWait.maximumSeconds) (a week).")
    }
  }
}

/// The options that tell missing, late and half-written files from quiet days.
struct CompletenessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "End with 7 when fewer files are found; 0 accepts a run without a file.", valueName: "n"))
  var minFiles = 1

  @Option(
    help: ArgumentHelp(
      "A file without a record (zero bytes, or blank lines): fail, warn or accept.",
      valueName: "policy"))
  var empty: EmptyFilePolicy = .warn

  @Option(
    help: ArgumentHelp(
      "Leave files that were written more recently to a later run, and end with 7.",
      discussion: "For writers that do not rename a finished file into place.",
      valueName: "seconds"))
  var minAge = 0

  func validate() throws {
    if minFiles < 0 { throw ValidationError("--min-files must not be negative.") }
    if minAge < 0 { throw ValidationError("--min-age must not be negative.") }
  }

  /// The files that are old enough to be read.
  func ready(_ found: FoundInputs) -> FoundInputs {
    guard minAge > 0 else { return found }
    var found = found
    found.postpone(youngerThan: minAge, now: Int(Date().timeIntervalSince1970))
    return found
  }

  func apply(to options: inout LoadOptions) {
    options.minFiles = minFiles
    options.emptyFiles = empty
  }
}

extension EmptyFilePolicy: ExpressibleByArgument {}
