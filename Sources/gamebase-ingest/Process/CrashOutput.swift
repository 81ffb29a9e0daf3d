internal import CProcess
internal import Foundation

/// Keeps the program's memory to itself: a core dump would hold parts of the input, passwords and
/// keys, and would be readable by whoever gets the file.
///
/// The limit stops the kernel from writing a file. A system that pipes dumps to a collector does not
/// ask for the limit, so the process is marked as one that must not be dumped; other programs of the
/// same user cannot read its memory then either. The limit is inherited by what this program starts,
/// the mark is not.
func forbidCoreDumps() {
  var limit = rlimit(rlim_cur: 0, rlim_max: 0)
  setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &limit)
  _ = gbi_forbid_dumps()
}

/// Lets a crash end the program without a backtrace, unless `SWIFT_BACKTRACE` asks for one.
///
/// Swift's shows registers and what they point to, which can be parts of the input.
func forbidBacktraces() {
  guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil else { return }
  for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
    signal(number, SIG_DFL)
  }
}
