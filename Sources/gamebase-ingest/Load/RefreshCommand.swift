internal import ArgumentParser
internal import Loading

struct RefreshCommand: Command {
  static let help = """
    refresh: Bring the reports up to date with the loaded files.

    load ends with a refresh, so this is needed only after load --no-refresh, or after a refresh that \
    failed. It recomputes what has changed, in one transaction. Loads go on meanwhile; another refresh waits.
    """

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var waiting: WaitingOptions
  @Flag(help: "Rebuild all reports, instead of the parts that have changed.") var full = false
  @Flag(help: "Say what would be computed, and change nothing.") var dryRun = false

  func run() throws {
    if dryRun {
      let change = Change(
        on: try database.connectToSchema(), interruption: .bySignals())
      let plan = try change.planRefresh(isFull: full, waitSeconds: waiting.lockWait)
      return try Terminal.output(plan.dryRunSentence)
    }
    let target = try database.target()
    let progress = RefreshProgress()
    let refresh = Refresh(
      isFull: full, waitSeconds: waiting.lockWait, retries: RetryPolicy(retries: waiting.retries),
      warn: Terminal.warning, progress: progress, interruption: .bySignals())
    let report = try showingProgress(isQuiet: waiting.quiet, line: { progress.line }) {
      try refresh.run(on: target)
    }
    if waiting.quiet { return }
    try Terminal.output(of: "the refresh") { try Terminal.output(report.sentence()) }
  }
}

extension RefreshReport {
  /// One line for a refresh that succeeded.
  ///
  /// - Parameter isOfRun: true at the end of a load, which does not tell a rebuild.
  func sentence(isOfRun: Bool = false) -> String {
    let isRebuilt = isFull == true && !isOfRun
    guard isFull != nil else { return "the reports were up to date already" }
    let setAside =
      setAsideCount == 0
      ? "" : "; \(counted(setAsideCount, "player")) set aside, see report.set_aside_player"
    return "the reports are \(isRebuilt ? "rebuilt" : "refreshed"): \(counted(files, "file")), "
      + "\(counted(players, "player"))\(setAside), \(elapsedText(durationSeconds))"
  }

  /// One line for a refresh that has only begun.
  var dryRunSentence: String {
    guard let isFull else { return "the reports are up to date already" }
    guard !isFull else {
      return "a refresh would rebuild the reports from all rows: \(counted(players, "player"))"
    }
    guard files + rows + players > 0 else {
      return "a refresh would convert purchases at other exchange rates"
    }
    return "a refresh would read \(counted(files, "changed file")) with \(counted(rows, "row")) of "
      + counted(players, "player")
  }
}
