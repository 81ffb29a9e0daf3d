internal import Loading

/// The error that ends a failed command; its message is already on standard error.
struct CommandFailure: Error {
  let exitCode: Loading.ExitCode
  let code: ErrorCode
  let message: String
  var detail: [String: String] = [:]
}
