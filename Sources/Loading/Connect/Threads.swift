package import Foundation
internal import Synchronization

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
final class BoundedQueue<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  private let isCancelled = Atomic(false)
  private let free = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)

  init(capacity: Int) { for _ in 0..<capacity { free.signal() } }

  /// Waits for room, then appends.
  ///
  /// - Returns: false when the queue is cancelled.
  func push(_ element: Element) -> Bool {
    free.wait()
    guard !isCancelled.load(ordering: .acquiring) else {
      free.signal()
      return false
    }
    elements.withLock { $0.append(element) }
    filled.signal()
    return true
  }

  /// Waits for the next value.
  ///
  /// - Parameter check: called every 0.2 seconds while the queue is empty; ends the wait by throwing.
  func pop(checking check: () throws -> Void) throws -> Element {
    while filled.wait(timeout: .now() + 0.2) == .timedOut { try check() }
    defer { free.signal() }
    return elements.withLock { $0.removeFirst() }
  }

  /// Makes every `push` return false.
  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    free.signal()
  }
}
