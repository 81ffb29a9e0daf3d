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

  @OptionGroup var locks: LockOptions

  @Option(
    help: ArgumentHelp(
      "The number of streams to load in parallel; the number of cores if unset.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "The number of retries when the server is unavailable or another session blocks the load.",
      valueName: "n"))
  var retries = RetryPolicy().retries

  @Flag(help: "Print only errors and warnings.")
  var quiet = false

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    if retries < 0 { throw ValidationError("--retries must not be negative.") }
  }

  func apply(to options: inout LoadOptions) {
    options.unknownFields = unknownFields
    options.failFast = failFast
    options.reloadsUnderNewOptions = reloadAs
    options.jobs = jobs
    options.retries.retries = retries
    options.lockWaitSeconds = locks.lockWait
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
    OutputFile.keep(path)
    do throws(LoadError) { return try ErasureKeyFile(path).read() } catch {
      throw Terminal.failure(error)
    }
  }
}

/// The option for the locks of streams and reports.
struct LockOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The longest wait for a lock of another session: a stream's or that of the reports.",
      discussion: "Without it, there is no limit; with it, the command then ends with 6.",
      valueName: "seconds"))
  var lockWait: Int?

  func validate() throws {
    guard (0...LockWait.maximumSeconds).contains(lockWait ?? 0) else {
      throw ValidationError("--lock-wait must be 0 to \(LockWait.maximumSeconds) (a week).")
    }
  }
}

/// The options that tell missing files from quiet days.
struct CompletenessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "End with 7 when fewer files are found; with 0, a path may find none.", valueName: "n"))
  var minFiles = 1

  func validate() throws {
    if minFiles < 0 { throw ValidationError("--min-files must not be negative.") }
  }
}
