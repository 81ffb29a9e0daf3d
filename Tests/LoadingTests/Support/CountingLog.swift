import Logging
import Synchronization

/// A log that counts its warnings.
final class CountingLog: Sendable {
  private let count = Mutex(0)
  private let warned: @Sendable () -> Void

  /// - Parameter warned: called at each warning.
  init(_ warned: @escaping @Sendable () -> Void = {}) { self.warned = warned }

  var warnings: Int { count.withLock(\.self) }

  var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

  private struct Handler: LogHandler {
    let log: CountingLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      guard event.level == .warning else { return }
      log.count.withLock { $0 += 1 }
      log.warned()
    }
  }
}
