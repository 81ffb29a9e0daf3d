internal import CLibpq

/// Cancels the statement that a connection is running, from any thread.
package final class Canceller: @unchecked Sendable {
  // Safe to share: libpq's PQcancel only reads the handle and is documented as signal-safe.
  private let handle: OpaquePointer

  init(taking handle: OpaquePointer) { self.handle = handle }

  deinit { PQfreeCancel(handle) }

  /// Asks the server to cancel; a running statement then fails with SQLSTATE 57014.
  package func cancel() {
    var message = [CChar](repeating: 0, count: 256)
    _ = PQcancel(handle, &message, Int32(message.count))
  }
}
