internal import Loading

/// The end of a command that failed: its message has been told on standard error.
struct CommandFailure: Error {
  let exitCode: Loading.ExitCode
  let code: ErrorCode
  let message: String
  var detail: [String: String] = [:]
}
