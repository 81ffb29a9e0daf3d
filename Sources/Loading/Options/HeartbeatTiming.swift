/// The intervals of a run's heartbeat, in seconds.
package struct HeartbeatTiming: Sendable {
  /// The time from the start of the run to its first heartbeat.
  package var first = 10.0
  package var interval = 15.0

  /// A run whose last heartbeat is older than this counts as killed: it has missed at least three.
  package static let patience = 60

  package init() {}
}
