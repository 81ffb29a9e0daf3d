/// A kind of record that sample lines can be made for.
///
/// The raw values are the stream names of the data contract.
package enum SampleStream: String, CaseIterable, Sendable {
  /// Purchase receipts.
  case receipt = "receipt"
  /// Level-up traces.
  case levelUp = "level_up"
  /// Snapshots of a user's game data.
  case gameUser = "game_user"
}

extension SampleStream {
  /// A seed for what is drawn for each line: the streams of one seed must not be alike, for
  /// instance bad in the same lines.
  func lineSeed(_ seed: UInt64) -> UInt64 {
    switch self {
    case .receipt: SeededRandom.mix(seed ^ 0x01)
    case .levelUp: SeededRandom.mix(seed ^ 0x02)
    case .gameUser: SeededRandom.mix(seed ^ 0x03)
    }
  }

  /// The field that holds the time of a line in its plain spelling.
  var timeField: StaticString {
    switch self {
    case .receipt: "purchaseTime"
    case .levelUp: "levelUpTime"
    case .gameUser: "eventTime"
    }
  }
}
