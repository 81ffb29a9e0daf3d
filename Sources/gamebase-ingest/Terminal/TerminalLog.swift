internal import Logging

/// The logger of all commands, which gives log entries the form of all other messages.
func commandLogger() -> Logger { Logger(label: "gamebase-ingest") { _ in TerminalLog() } }

/// Writes each entry as a line on standard error, without a time, because log collectors add one.
struct TerminalLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    if event.level == .warning {
      Terminal.warning("\(event.message)")
    } else {
      Terminal.problem("\(event.message)")
    }
  }
}
