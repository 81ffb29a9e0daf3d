internal import ArgumentParser
internal import Loading

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

  @Flag(help: "Print only errors.")
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
    if retries < 0 { throw ValidationError("--retries must not be negative.") }
    if lockWait < 0 { throw ValidationError("--lock-wait must not be negative.") }
  }

  /// Sets the exit code of a run with refused lines or conflicts as the options say.
  func applyFindingsPolicy(to report: inout RunReport) {
    FindingsPolicy(accepted: acceptRejects.flatMap { RejectLimit($0) }, exitCode: findingsExit)
      .apply(to: &report)
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
