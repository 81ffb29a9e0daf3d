internal import Foundation

/// Hands values from one thread to another, holding back whichever is ahead.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  // Safe to share: everything below is touched only while the condition's lock is held.
  private let condition = NSCondition()
  private var elements: [Element] = []
  private var isCancelled = false
  private let capacity: Int

  /// Seconds: how long a wish to end may go unheard.
  private static var checkInterval: Double { 0.2 }

  init(capacity: Int) { self.capacity = capacity }

  /// Waits for room, then adds; returns false when the other side has given up.
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
  /// - Parameter check: called now and then while there is none; ends the wait by throwing.
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

  /// Lets the pushing side give up.
  func cancel() {
    condition.withLock {
      isCancelled = true
      condition.broadcast()
    }
  }
}
