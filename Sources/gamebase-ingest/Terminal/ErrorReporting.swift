internal import CProcess
internal import Foundation
internal import Loading
internal import Postgres

/// Runs `body`, and turns an error of the loader or the database into a message and an exit code.
func reportingErrors<Value>(_ body: () throws -> Value) throws -> Value {
  do { return try body() } catch let error as LoadError {
    throw Terminal.failure(error)
  } catch let error as PostgresError {
    if let raised = LoadError(raised: error) { throw Terminal.failure(raised) }
    if error.isConnectionLost, error.kind == .setup {
      throw Terminal.failure(LoadError.connecting(error))
    }
    if error.sqlState == .insufficientPrivilege {
      throw Terminal.failure(
        .configuration, "\(error). \(LoadError.missingRight)", cause: .missingRight)
    }
    throw Terminal.failure(exitCode(of: error), error.description)
  }
}

private func exitCode(of error: PostgresError) -> ExitCode {
  switch error.kind {
  case .unavailable, .contention, .cancelled: .temporary
  case .resources: .databaseUnavailable
  case .row, .setup: .configuration
  case .internalError: .defect
  }
}

/// The error that ends a failed command; its message has already been written to standard error.
struct CommandFailure: Error {
  let exitCode: Loading.ExitCode
  let code: ErrorCode
  let message: String
  var detail: [String: String] = [:]
}

extension Interruption {
  /// The interruption that the first SIGINT or SIGTERM of this process requests.
  ///
  /// On the second, the program exits at once.
  static func bySignals() -> Interruption {
    let interruption = Interruption()
    // With these signals ignored, a closed pipe or a limit on file sizes makes the write fail.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let queue = DispatchQueue(label: "signals")
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // The source lives as long as its handler holds it: until the process ends.
        withExtendedLifetime(source) {}
        // The server rolls back the open transaction when the connection closes.
        if interruption.isRequested { _exit(128 + number) }
        interruption.request(signal: number)
      }
      source.resume()
    }
    return interruption
  }
}

/// Disables core dumps, because a dump holds parts of the input, passwords and keys.
///
/// The resource limit keeps the kernel from writing a file. A kernel that pipes dumps to a
/// collector ignores the limit, so the process is also marked as not dumpable. The mark also keeps
/// other programs of the same user from reading the process's memory. Child processes inherit the
/// limit but not the mark.
func forbidCoreDumps() {
  var limit = rlimit(rlim_cur: 0, rlim_max: 0)
  setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &limit)
  _ = gbi_forbid_dumps()
}

/// Disables the backtrace of a crash, unless `SWIFT_BACKTRACE` is set.
///
/// Swift's backtrace shows registers and the memory behind them, which can hold parts of the input.
func forbidBacktraces() {
  guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil else { return }
  for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
    signal(number, SIG_DFL)
  }
}
