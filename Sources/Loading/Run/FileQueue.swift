internal import RecordPipeline
internal import Synchronization

/// The files of a run by stream, and what has become of each; shared by the run's workers.
///
/// A lane is the files of one stream, in the order given. A worker takes a whole lane, the largest
/// first, and works through it; so no two files of a stream are ever in hand at once.
final class LaneQueue: Sendable {
  private struct State {
    /// Places in the list of inputs, by lane; the next lane to be taken is the last.
    var lanes: [[Int]]
    var reports: [FileReport?]
    var codes: [ExitCode?]
    /// Why nothing more is to be begun; nil: go on.
    var stopReason: String?
  }

  let inputs: [Input]
  let laneCount: Int
  private let finished: @Sendable (FileReport) -> Void
  private let state: Mutex<State>

  init(_ inputs: [Input], finished: @escaping @Sendable (FileReport) -> Void) {
    self.inputs = inputs
    self.finished = finished
    let lanes = Dictionary(grouping: inputs.indices) { inputs[$0].stream }.values
      .map { lane in (size: lane.map { inputs[$0].sizeOnDisk }.reduce(0, +), files: lane) }
      .sorted { ($0.size, $1.files[0]) < ($1.size, $0.files[0]) }
    laneCount = lanes.count
    state = Mutex(
      State(
        lanes: lanes.map(\.files), reports: inputs.map { _ in nil },
        codes: inputs.map { _ in nil }))
  }

  /// The next lane, as places in `inputs`; nil when all are taken.
  func nextLane() -> [Int]? { state.withLock { $0.lanes.popLast() } }

  /// False when nothing more is to be begun.
  var goesOn: Bool { state.withLock { $0.stopReason == nil } }

  /// Notes what became of a file.
  func note(_ report: FileReport, code: ExitCode, of place: Int) {
    state.withLock {
      $0.reports[place] = report
      $0.codes[place] = code
    }
    finished(report)
  }

  /// Lets nobody begin another file.
  func stop(because reason: String) {
    state.withLock { $0.stopReason = $0.stopReason ?? reason }
  }

  /// What became of every file, in the order given.
  var reports: [FileReport] {
    state.withLock { state in
      inputs.indices.map { place in
        state.reports[place]
          ?? FileReport(notReached: inputs[place], because: state.stopReason)
      }
    }
  }

  /// The highest-numbered problem below 64 wins; what ended the run comes before all of them.
  var exitCode: ExitCode {
    let codes = state.withLock { $0.codes.compactMap(\.self) }
    return codes.first { $0 >= .usage } ?? codes.max() ?? .success
  }
}
