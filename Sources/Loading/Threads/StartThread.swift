internal import Foundation

/// A box that carries a closure through the C API.
private final class ThreadBody {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Starts a detached thread.
///
/// Foundation's `Thread` does not report a failed start, so a caller that waits for the thread
/// would wait forever.
///
/// - Parameter stackBytes: a multiple of the system's page size.
/// - Throws: `LoadError` when the system cannot create a thread.
package func startThread(
  stackBytes: Int, _ body: @escaping @Sendable () -> Void
) throws(LoadError) {
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  pthread_attr_init(attributes)
  defer {
    pthread_attr_destroy(attributes)
    attributes.deallocate()
  }
  pthread_attr_setstacksize(attributes, stackBytes)
  pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
  let context = Unmanaged.passRetained(ThreadBody(body))
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
        + "threads, then run again", endsRun: true)
  }
}
