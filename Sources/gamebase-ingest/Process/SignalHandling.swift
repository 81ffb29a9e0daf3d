internal import Foundation
internal import Loading

/// Lets SIGINT and SIGTERM end a run in order, and a second one at once.
final class SignalHandling {
  private var sources: [any DispatchSourceSignal] = []

  init(_ interruption: Interruption) {
    // A closed reader of our output, and a limit for files, show as a failed write instead.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let queue = DispatchQueue(label: "signals")
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // The transaction is open still: the server rolls it back when we are gone.
        if interruption.isRequested { _exit(128 + number) }
        interruption.request(signal: number)
      }
      source.resume()
      sources.append(source)
    }
  }

  func stop() { for source in sources { source.cancel() } }
}
