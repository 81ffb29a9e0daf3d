import Foundation

/// Threads for the tests of suites with a database.
///
/// These tests wait for servers and programs most of the time, and block a thread meanwhile. Swift's own
/// pool has one thread per core, so the cores would be idle.
final class WaitingThreads: TaskExecutor {
  static let shared = WaitingThreads(count: 2 * ProcessInfo.processInfo.activeProcessorCount)

  private let condition = NSCondition()
  nonisolated(unsafe) private var jobs: [UnownedJob] = []

  private init(count: Int) {
    for _ in 0..<count {
      let thread = Thread { [self] in
        while true { next().runSynchronously(on: asUnownedTaskExecutor()) }
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock { jobs.append(job) }
    condition.signal()
  }

  private func next() -> UnownedJob {
    condition.lock()
    defer { condition.unlock() }
    while jobs.isEmpty { condition.wait() }
    return jobs.removeFirst()
  }
}
