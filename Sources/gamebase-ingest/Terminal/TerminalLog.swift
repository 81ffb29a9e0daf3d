internal import Logging

/// One logger for all commands: what a run logs has the form of every other message.
func commandLogger() -> Logger { Logger(label: "gamebase-ingest") { _ in TerminalLog() } }

/// Writes each entry as a line on standard error; whoever keeps that keeps the time too.
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
