internal import ArgumentParser
internal import Loading

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
