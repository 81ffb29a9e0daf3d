/// The writer of a line, which decides the names and spellings of its fields.
enum Dialect: Sendable {
  case iOS, android, server
}

/// A record of the game, before it is written as a line.
struct SampleRecord: Sendable {
  enum Content: Sendable {
    case purchase(Purchase)
    case levelUp(CharacterState)
    case snapshot(CharacterState)
    /// A product of the shop, as the player was shown it.
    case item(Int)
    case message(Message)
  }

  let player: Player
  /// Milliseconds since 1970-01-01 UTC.
  let time: Int64
  let content: Content
  /// Random bits, which select rare spellings and values.
  let bits: UInt64
  var dialect: Dialect
  /// True for a line that supplies or changes one value of the record.
  var isCorrection = false

  init(of player: Player, at time: Int64, _ content: Content, _ random: inout SeededRandom) {
    self.player = player
    self.time = time
    self.content = content
    bits = random.next()
    dialect = bits >> 40 % 20 == 0 ? .server : player.store == .appStore ? .iOS : .android
  }

  var stream: SampleStream {
    switch content {
    case .purchase: .receipt
    case .levelUp: .levelUp
    case .snapshot: .gameUser
    case .item: .item
    case .message: .event
    }
  }

  /// A number in 0..<100 that selects rare spellings.
  var quirk: UInt64 { bits % 100 }

  /// The same record in another dialect.
  ///
  /// An iOS line holds all values that lines of other dialects hold, so the other line is a
  /// duplicate; the same does not hold for receipts of other dialects, which lack flags.
  func repeated(_ random: inout SeededRandom) -> SampleRecord {
    var record = self
    if dialect == .iOS { record.dialect = [.iOS, .android, .server][random.below(3)] }
    return record
  }

  /// The same record with one value supplied or changed; nil when no line may correct it.
  ///
  /// Payments of subscriptions stay linked, and some messages are found by their values.
  var corrected: SampleRecord? {
    switch content {
    case .purchase(let purchase) where purchase.renewal != nil: return nil
    case .message(let message) where message.eventID == nil || !message.kind.hasText: return nil
    default:
      var record = self
      record.isCorrection = true
      return record
    }
  }
}

/// The state of a player's character at one time: a level-up or a snapshot.
struct CharacterState: Sendable {
  let level: Int
  /// The number of the player's character, from 0; nil for a player without characters.
  var character: Int?
  /// An index into the classes; nil for a character without one.
  var characterClass: Int?
}

/// The values of a receipt.
struct Purchase: Sendable {
  let paymentSeq: UInt64
  /// Random bits, the same for all payments of a subscription.
  let traits: UInt64
  let product: Int
  /// An index into the price tiers; nil for a free trial.
  let tier: Int?
  /// An index into the currencies.
  let currency: Int
  /// Milliseconds since 1970-01-01 UTC; 0 for a purchase without expiry.
  var expiry: Int64 = 0
  /// The number of this payment among those of its subscription, from 0; nil for other products.
  var renewal: UInt64?

  /// False for a line of an SDK before 2.45.0, which prints no store.
  var hasStoreCode: Bool { traits % 4 > 0 }
  var isSandbox: Bool { traits >> 8 % 33 == 0 }
  var isPromotion: Bool { renewal == nil && !isSandbox && traits >> 16 % 100 == 0 }
}
