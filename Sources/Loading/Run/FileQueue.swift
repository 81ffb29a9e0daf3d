internal import RecordPipeline
internal import Synchronization

/// The files of a run, grouped by stream, and the outcome of each; shared by the run's workers.
///
/// A worker takes all files of one stream and loads them in the order given, so no two files of one
/// stream are loaded at the same time. The largest stream on disk is taken first.
final class FileQueue: Sendable {
  private struct State {
    /// The streams that no worker has taken, each as places in `inputs`; the last one is taken
    /// next.
    var streams: [[Int]]
    var reports: [FileReport?]
    var codes: [ExitCode?]
    /// The reason why no further file is started; nil: files are still started.
    var stopReason: String?
    /// True when an error has stopped the run that would fail every further file, too.
    var isBroken = false
  }

  let inputs: [Input]
  let streamCount: Int
  private let finished: @Sendable (FileReport) -> Void
  private let state: Mutex<State>

  init(_ inputs: [Input], finished: @escaping @Sendable (FileReport) -> Void) {
    self.inputs = inputs
    self.finished = finished
    let streams = Dictionary(grouping: inputs.indices) { inputs[$0].stream }.values
      .map { places in (size: places.map { inputs[$0].sizeOnDisk }.reduce(0, +), places: places) }
      .sorted { ($0.size, $1.places[0]) < ($1.size, $0.places[0]) }
    streamCount = streams.count
    state = Mutex(
      State(
        streams: streams.map(\.places), reports: inputs.map { _ in nil },
        codes: inputs.map { _ in nil }))
  }

  /// The files of the next stream, as places in `inputs`; nil when all streams are taken.
  func nextStream() -> [Int]? { state.withLock { $0.streams.popLast() } }

  /// False once `stop` was called.
  var goesOn: Bool { state.withLock { $0.stopReason == nil } }

  /// Records the outcome of a file.
  func note(_ report: FileReport, code: ExitCode, of place: Int) {
    state.withLock {
      $0.reports[place] = report
      $0.codes[place] = code
    }
    finished(report)
  }

  /// Keeps workers from starting another file; only the first reason is kept.
  ///
  /// - Parameter isBroken: true when every further file would fail, and the refresh as well.
  func stop(because reason: String, isBroken: Bool = false) {
    state.withLock {
      $0.stopReason = $0.stopReason ?? reason
      $0.isBroken = $0.isBroken || isBroken
    }
  }

  var isBroken: Bool { state.withLock { $0.isBroken } }

  /// The report of every file, in the order given.
  var reports: [FileReport] {
    state.withLock { state in
      inputs.indices.map { place in
        state.reports[place]
          ?? FileReport(notReached: inputs[place], because: state.stopReason)
      }
    }
  }

  /// The code of the run's files: the first code from 64 on in the order given, else the highest.
  var exitCode: ExitCode {
    let codes = state.withLock { $0.codes.compactMap(\.self) }
    return codes.first { $0 >= .usage } ?? codes.max() ?? .success
  }
}
