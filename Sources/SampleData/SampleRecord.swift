/// The writer of a line, which decides the names and spellings of its fields.
enum Dialect: Int, CaseIterable, Sendable {
  case iOS, android, unity, unreal, server
}

/// A record of the game, before it is written as a line.
///
/// In every dialect, a line holds these values and no others that a loader compares, so a record
/// that is repeated in another dialect is always a duplicate.
struct SampleRecord: Sendable {
  enum Content: Sendable {
    case purchase(Purchase)
    case character(CharacterState)
    case item(ItemView)
    case message(Message)
  }

  let player: Player
  /// Milliseconds since 1970-01-01 UTC.
  let time: Int64
  /// The first writer of the record, and the writer of a line.
  let origin: Dialect
  var dialect: Dialect
  /// A number in 0..<100 that selects rare spellings.
  let quirk: Int
  var content: Content

  /// Draws the dialect: one line in twenty is of a server.
  init(of player: Player, at time: Int64, _ random: inout SeededRandom, _ content: Content) {
    self.player = player
    self.time = time
    origin = random.chance(95) ? player.sdk : .server
    dialect = origin
    quirk = random.below(100)
    self.content = content
  }

  /// The same record with one value supplied or changed; nil when no line may correct it.
  ///
  /// Subscriptions are left as they are, so that their payments stay linked, and so are messages
  /// that are found by their values.
  var corrected: SampleRecord? {
    var record = self
    switch content {
    case .purchase(var purchase):
      guard purchase.renewal == nil, let tier = purchase.tier else { return nil }
      if purchase.hasStoreCode { purchase.tier = tier == 0 ? 1 : min(tier, 4) - 1 }
      purchase.hasStoreCode = true
      record.content = .purchase(purchase)
    case .character(var state):
      state.characterClass = ((state.characterClass ?? 0) + 1) % LineWriter.classes.count
      record.content = .character(state)
    case .item(var item):
      if item.hasDescription { item.isActive.toggle() }
      item.hasDescription = true
      record.content = .item(item)
    case .message(var message):
      guard message.eventID != nil, Message.kinds[message.kind].text != nil else { return nil }
      message.text = ((message.text ?? 0) + 1) % Message.texts.count
      record.content = .message(message)
    }
    return record
  }
}

/// The records of one stream, day by day and in the order of time.
protocol RecordSource: Sendable {
  /// Goes to the next day, with the number of records that happen on it.
  mutating func beginDay(records: Int)

  /// The next record of the day; call it as often as the day has records.
  mutating func next() -> SampleRecord
}

/// An item of the shop as a player was shown it, at the price that the player would pay.
struct ItemView: Sendable {
  let product: Int
  let tier: Int
  let currency: Int
  /// False for a line of an SDK that prints no store.
  let hasStoreCode: Bool
  var isActive: Bool
  var hasDescription: Bool
}

/// The items of the shop that players are shown.
struct ItemSource: RecordSource {
  private let shop: Shop
  private var walk: DayWalk

  init(options: SampleOptions) {
    shop = Shop(days: options.days)
    walk = DayWalk(.item, options: options)
  }

  mutating func beginDay(records: Int) { walk.beginDay(records: records) }

  mutating func next() -> SampleRecord {
    var (player, time, random) = walk.next()
    let product = random.below(shop.products.count)
    let tier = shop.tier(of: product, day: walk.day)
    let item = ItemView(
      product: product, tier: tier, currency: shop.currency(of: player, tier: tier),
      hasStoreCode: random.chance(90), isActive: shop.isSold(product, day: walk.day),
      hasDescription: random.chance(75))
    return SampleRecord(of: player, at: time, &random, .item(item))
  }
}
