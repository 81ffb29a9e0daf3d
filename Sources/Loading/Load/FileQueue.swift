package import RecordPipeline
internal import Synchronization

/// The files of a run, grouped by lane, and the outcome of each; shared by the run's workers.
///
/// A lane is a stream, or several streams whose files can bring rows of one table. A worker takes
/// all files of one lane and loads them in the order given, so no two files of a lane are loaded at
/// the same time. The largest lane on disk is taken first.
final class FileQueue: Sendable {
  private struct State {
    /// The lanes that no worker has taken, each as places in `inputs`; the last one is taken next.
    var lanes: [[Int]]
    /// In the order given; nil: the file has not been tried.
    var outcomes: [FileReport?]
    /// The reason why no further file is started; nil: files are still started.
    var stopReason: String?
    /// True when an error has stopped the run that would fail every further file, too.
    var isBroken = false
  }

  let inputs: [Input]
  private let state: Mutex<State>

  init(_ inputs: [Input], interruption: Interruption = Interruption()) {
    let lanes = Dictionary(grouping: inputs.indices) { inputs[$0].lane }
      .values
      .map { places in (size: places.map { inputs[$0].sizeOnDisk }.reduce(0, +), places: places) }
      .sorted { ($0.size, $1.places[0]) < ($1.size, $0.places[0]) }
    self.inputs = ObjectWindow.assign(inputs, lanes: lanes.map(\.places)) {
      interruption.isRequested
    }
    state = Mutex(
      State(
        lanes: lanes.map(\.places), outcomes: inputs.map { _ in nil }))
  }

  /// The lanes that no worker has taken.
  var laneCount: Int { state.withLock { $0.lanes.count } }

  /// The files of the next lane, as places in `inputs`; nil when all lanes are taken.
  func nextLane() -> [Int]? { state.withLock { $0.lanes.popLast() } }

  /// False once `stop` was called.
  var goesOn: Bool { state.withLock { $0.stopReason == nil } }

  func note(_ report: FileReport, of place: Int) {
    state.withLock { $0.outcomes[place] = report }
  }

  /// The report of a file; nil: it has not been tried.
  func report(of place: Int) -> FileReport? { state.withLock { $0.outcomes[place] } }

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
        state.outcomes[place]
          ?? FileReport(notReached: inputs[place], because: state.stopReason)
      }
    }
  }

  /// The codes of the run's files, joined in the order given.
  var exitCode: ExitCode {
    let codes = state.withLock { $0.outcomes.compactMap { $0?.exitCode } }
    return codes.reduce(.success) { $0.joined(with: $1) }
  }
}

extension Input {
  /// The stream of its lines.
  package var recordStream: RecordStream {
    guard let stream = StreamCatalog.stream(named: stream) else {
      preconditionFailure("an input's stream is one of the catalog")
    }
    return stream
  }

  /// The stream whose records its lines can hold, else its own.
  fileprivate var lane: String { recordStream.embeddedStreamName ?? stream }
}
