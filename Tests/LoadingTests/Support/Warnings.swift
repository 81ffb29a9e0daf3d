import Synchronization

/// Counts the warnings of a run.
final class Warnings: Sendable {
  private let noted = Mutex(0)

  var count: Int { noted.withLock(\.self) }

  func note(_ warning: String) { noted.withLock { $0 += 1 } }
}
