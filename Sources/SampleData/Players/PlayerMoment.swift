/// The state of one user's character at one time: a level-up or a snapshot, before it is written
/// as a line.
struct PlayerMoment: Sendable {
  /// The writer of a line, which decides its field names and the form of a missing text.
  enum Shape: Int, CaseIterable, Sendable {
    case iOS, android, unity
    /// A server that passes an SDK's values on, with times as text.
    case relay
  }

  var user: UInt32
  /// An index into the application ids; nil for a line without one.
  var app: Int?
  var channel: Int?
  var level: UInt32
  var character: UInt32?
  var characterClass: Int?
  /// Milliseconds since 1970-01-01 UTC.
  var time: Int64
  var origin: Shape
  /// A number in 0..<100 that selects rare spellings.
  var quirk: UInt64
}
