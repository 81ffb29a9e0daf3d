/// A kind of record for which sample lines can be generated.
///
/// The raw values are the stream names of the data contract.
package enum SampleStream: String, CaseIterable, Sendable {
  /// Purchase receipts.
  case receipt = "receipt"
  /// Level-up traces.
  case levelUp = "level_up"
  /// Snapshots of a user's game data.
  case gameUser = "game_user"
  /// Items of the shop as users are shown them.
  case item = "item"
  /// Event messages; some of them bring receipts that the receipts have, too.
  case event = "event"
}

extension SampleStream {
  /// The seed for the random choices of each line.
  ///
  /// It differs between streams, so that, for example, their bad lines have different numbers.
  func lineSeed(_ seed: UInt64) -> UInt64 {
    switch self {
    case .receipt: SeededRandom.mix(seed ^ 0x01)
    case .levelUp: SeededRandom.mix(seed ^ 0x02)
    case .gameUser: SeededRandom.mix(seed ^ 0x03)
    case .item: SeededRandom.mix(seed ^ 0x04)
    case .event: SeededRandom.mix(seed ^ 0x05)
    }
  }

  /// The name of the time field in the plain spelling.
  var timeField: StaticString {
    switch self {
    case .receipt: "purchaseTime"
    case .levelUp: "levelUpTime"
    case .gameUser, .item, .event: "eventTime"
    }
  }
}
