/// The intervals of a run's heartbeat, in seconds.
package struct HeartbeatTiming: Sendable {
  /// The first heartbeat after the start of the run.
  package var first = 10.0
  package var interval = 15.0

  /// A run without a heartbeat for this time counts as killed: it has missed three heartbeats.
  package static let patience = 60

  package init() {}
}
