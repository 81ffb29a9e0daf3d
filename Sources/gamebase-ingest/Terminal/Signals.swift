internal import CProcess
internal import Foundation
internal import Loading

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
/// A kernel that pipes dumps to a collector ignores the limit, so the process is also marked as not
/// dumpable, which keeps other programs of the same user from reading its memory, too. Child processes
/// inherit the limit alone.
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
