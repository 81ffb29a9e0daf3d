internal import Foundation

/// A bounded queue from one thread to another, with backpressure on the pushing side.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  // Safe to share: all mutable state is accessed only under the condition's lock.
  private let condition = NSCondition()
  private var elements: [Element] = []
  private var isCancelled = false
  private let capacity: Int

  /// The longest time in seconds between two calls of `check` while the queue is empty.
  private static var checkInterval: Double { 0.2 }

  init(capacity: Int) { self.capacity = capacity }

  /// Waits for room, then appends.
  ///
  /// - Returns: false when the queue is cancelled.
  func push(_ element: Element) -> Bool {
    condition.withLock {
      while elements.count >= capacity, !isCancelled { condition.wait() }
      guard !isCancelled else { return false }
      elements.append(element)
      condition.signal()
      return true
    }
  }

  /// Waits for the next value.
  ///
  /// - Parameter check: called at least every 0.2 seconds while the queue is empty; ends the wait
  ///   by throwing.
  func pop(checking check: () throws -> Void) throws -> Element {
    try condition.withLock {
      while elements.isEmpty {
        try check()
        _ = condition.wait(until: Date(timeIntervalSinceNow: Self.checkInterval))
      }
      let element = elements.removeFirst()
      condition.signal()
      return element
    }
  }

  /// Makes every `push` return false.
  func cancel() {
    condition.withLock {
      isCancelled = true
      condition.broadcast()
    }
  }
}
