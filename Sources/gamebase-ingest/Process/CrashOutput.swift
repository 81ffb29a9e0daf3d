internal import CProcess
internal import Foundation

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
