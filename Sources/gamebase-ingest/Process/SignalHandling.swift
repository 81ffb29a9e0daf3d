internal import Foundation
internal import Loading

/// On the first SIGINT or SIGTERM the run rolls back and ends; on the second the program exits at
/// once.
final class SignalHandling {
  private var sources: [any DispatchSourceSignal] = []

  init(_ interruption: Interruption) {
    // With these signals ignored, a closed pipe or a limit on file sizes makes the write fail.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let queue = DispatchQueue(label: "signals")
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // The server rolls back the open transaction when the connection closes.
        if interruption.isRequested { _exit(128 + number) }
        interruption.request(signal: number)
      }
      source.resume()
      sources.append(source)
    }
  }

  func stop() { for source in sources { source.cancel() } }
}
