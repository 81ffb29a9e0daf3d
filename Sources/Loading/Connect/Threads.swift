package import Foundation

/// A box that carries a closure through the C API.
private final class ThreadBody {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Starts a detached thread for work that blocks on the server or a file, which would take a thread
/// from Swift's cooperative pool.
///
/// Foundation's `Thread` does not report a failed start, so a caller that waits for the thread
/// would wait forever.
///
/// - Parameter stackBytes: a multiple of the system's page size.
/// - Returns: signalled at the end of the thread.
/// - Throws: `LoadError` when the system cannot create a thread.
@discardableResult
package func startThread(
  stackBytes: Int, _ body: @escaping @Sendable () -> Void
) throws(LoadError) -> DispatchSemaphore {
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  pthread_attr_init(attributes)
  defer {
    pthread_attr_destroy(attributes)
    attributes.deallocate()
  }
  pthread_attr_setstacksize(attributes, stackBytes)
  pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
  let ended = DispatchSemaphore(value: 0)
  let context = Unmanaged.passRetained(
    ThreadBody {
      body()
      ended.signal()
    })
  var thread: pthread_t = 0
  let code = pthread_create(
    &thread, attributes,
    { context in
      if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
      return nil
    }, context.toOpaque())
  guard code == 0 else {
    context.release()
    throw LoadError(
      .temporary,
      "no thread can be started: \(String(cString: strerror(code))). Raise the limits of memory or "
        + "threads, then run again")
  }
  return ended
}

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
