internal import ArgumentParser
internal import Loading

/// `gamebase-ingest refresh`: brings the reports up to date with the loaded files.
struct RefreshCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Bring the reports up to date with the loaded files.",
    discussion: """
      load ends with a refresh, so this command is needed only after load --no-refresh, or after a \
      refresh that failed. It recomputes what the files and changes since the last refresh touch, in \
      one transaction: readers see the reports before or after it. Loads go on meanwhile; another \
      refresh waits.

      --full computes every figure again from the stored rows, with the same result. --dry-run says \
      what a refresh would compute, and changes nothing.
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var locks: LockOptions

  @Flag(help: "Rebuild all reports, instead of the parts that have changed.")
  var full = false

  @Flag(help: "Say what would be computed, and change nothing.")
  var dryRun = false

  @Flag(help: "Print no progress and no summary.")
  var quiet = false

  @Option(
    help: ArgumentHelp(
      "The number of retries when the server is unavailable or another session interferes.",
      valueName: "n"))
  var retries = RetryPolicy().retries

  func validate() throws {
    if retries < 0 { throw ValidationError("--retries must not be negative.") }
  }

  func run() throws {
    let target = try database.existingTarget()
    let progress = RefreshProgress()
    let refresh = Refresh(
      isFull: full, waitSeconds: locks.lockWait, retries: RetryPolicy(retries: retries),
      logger: commandLogger(), progress: progress, interruption: .bySignals())
    if dryRun {
      let plan = try reportingErrors { try refresh.plan(on: target) }
      try Terminal.output(plan.sentence)
      return
    }
    let display = quiet ? nil : ProgressDisplay(progress)
    defer { display?.finish() }
    let refreshed = try reportingErrors { try refresh.run(on: target) }
    display?.finish()
    if quiet { return }
    try Terminal.output(of: "the refresh") { try Terminal.output(refreshed.sentence) }
  }
}
