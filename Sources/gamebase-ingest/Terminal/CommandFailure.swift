internal import Loading

/// The error that ends a failed command; its message has already been written to standard error.
struct CommandFailure: Error {
  let exitCode: Loading.ExitCode
  let code: ErrorCode
  let message: String
  var detail: [String: String] = [:]
}
