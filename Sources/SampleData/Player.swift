/// A player of the game: traits that follow from the number, and what the player has reached.
///
/// Players are numbered in the order in which they come.
struct Player: Sendable {
  /// The store of the player's device.
  enum Store: Sendable {
    case appStore, google, oneStore, galaxy, huawei

    /// The code in the vendor's server API.
    var code: StaticString {
      switch self {
      case .appStore: "AS"
      case .google: "GG"
      case .oneStore: "ONESTORE"
      case .galaxy: "GALAXY"
      case .huawei: "HUAWEI"
      }
    }
  }

  let number: Int
  /// The first day and the last day on which the player may play, counted from the first day of the
  /// game.
  let firstDay: Int
  let lastDay: Int
  /// The percentage of the days between these two on which the player plays.
  let habit: Int
  /// The class of a player by the money that the player pays: 0 none, 1 little, 2 more, 3 much.
  let payerClass: Int
  /// 2...4: how fast the player levels up.
  let tempo: Int
  /// The characters that the player plays side by side, 0...3.
  let characterSlots: Int
  /// An index into the channels; nil for a player without one.
  let channel: Int?
  /// An index into the currencies of the shop.
  let currency: Int
  let store: Store
  /// An index into the applications.
  let app: Int
  /// False for a player whose lines lack the application, which the loader's option supplies.
  let hasAppID: Bool
  /// The level-ups so far; they go round the slots of the characters.
  var levelUps = 0
  var subscription: Subscription?
  /// The time from which a player who had a subscription may begin another one.
  var freeFrom: Int64?

  /// - Parameter number: 0..<options.users.
  init(_ number: Int, options: SampleOptions) {
    var random = SeededRandom(options.seed, .player, number)
    self.number = number
    // Most come at the launch: a quarter of the players in the first sixteenth of the days.
    let place = Double(number) / Double(options.users)
    firstDay = Int(Double(options.days) * place * place)
    payerClass = random.chance(30) ? 1 + random.index([90, 9, 1]) : 0
    // Of the players, 3/4 may come back after a day, 1/3 after a week and 1/11 after a month; payers
    // stay six times as long.
    let stay = (3 / random.fraction() - 3) * (payerClass > 0 ? 6 : 1)
    lastDay = firstDay + Int(min(stay, Double(options.days)))
    habit = 40 + random.below(45)
    tempo = 2 + random.below(3)
    characterSlots = random.index([5, 70, 17, 8])
    channel = random.chance(90) ? random.below(LineWriter.channels.count) : nil
    currency = random.index(Shop.currencies.map(\.players))
    store = [.appStore, .google, .oneStore, .galaxy, .huawei][random.index([52, 37, 7, 3, 1])]
    // Each application opens later than the one before and gets half as many players.
    let choice = min(random.next().trailingZeroBitCount, options.apps - 1)
    app = firstDay * 3 * options.apps >= choice * options.days ? choice : 0
    hasAppID = app > 0 || random.chance(40)
  }

  /// The character of the next level-up, after it.
  mutating func levelUp(seed: UInt64) -> CharacterState {
    let slot = levelUps % max(1, characterSlots)
    levelUps += 1
    return state(slot: slot, seed: seed)
  }

  /// The character in one of the slots.
  ///
  /// A player climbs from level 1 to 100 with each character; then a new one takes its slot. The
  /// level of a player without characters has no end.
  func state(slot: Int, seed: UInt64) -> CharacterState {
    guard characterSlots > 0 else { return CharacterState(level: 1 + levelUps) }
    let own = (levelUps + characterSlots - 1 - slot) / characterSlots
    // The last level belongs to the character that reached it.
    let (earlier, steps) = max(0, own - 1).quotientAndRemainder(dividingBy: 99)
    let character = slot + characterSlots * earlier
    var random = SeededRandom(seed, .character, number, part: character)
    return CharacterState(
      level: own == 0 ? 1 : steps + 2, character: character,
      characterClass: random.chance(12) ? nil : random.below(LineWriter.classes.count))
  }
}

/// A player's subscription: a first payment, and the renewals that follow it.
///
/// Most trials and a part of the periods are not renewed. A few players come back more than 16 days
/// after the end.
struct Subscription: Sendable {
  /// The time of the next payment; milliseconds since 1970-01-01 UTC, nil when none follows.
  private(set) var nextPayment: Int64?
  /// The end of the paid periods so far.
  private(set) var end: Int64 = 0

  private let product: Int
  private var traits: UInt64
  private var renewal: UInt64 = 0
  /// True when the next payment begins a free trial.
  private var isTrial: Bool

  /// Starts a subscription; `mayTry` is true for a player's first one.
  init(mayTry: Bool, from shop: Shop, _ random: inout SeededRandom) {
    product = shop.subscriptions[random.below(shop.subscriptions.count)]
    isTrial = mayTry && shop.products[product].trialDays > 0 && random.chance(50)
    traits = random.next()
  }

  /// The next payment of a player; decides about the one after it.
  mutating func pay(
    _ paymentSeq: UInt64, of player: Player, at time: Int64, shop: Shop,
    _ random: inout SeededRandom
  ) -> Purchase {
    let bought = shop.products[product]
    end = max(end, time) + (isTrial ? bought.trialDays : bought.periodDays) * dayMilliseconds
    let purchase = Purchase(
      paymentSeq: paymentSeq, traits: traits, product: product, tier: isTrial ? nil : bought.tier,
      currency: shop.currency(of: player, tier: bought.tier), expiry: end, renewal: renewal)
    renewal += 1
    nextPayment = nil
    if random.chance(isTrial ? 46 : bought.periodDays > 300 ? 55 : 87) {
      // Stores often charge in the hours before the end, and try again for days when a card is
      // refused.
      let delays = [-60 - random.below(7200), 0, random.below(86_400), random.below(15 * 86_400)]
      nextPayment = end + Int64(delays[random.index([45, 35, 14, 6])]) * 1000
    } else if random.chance(12) {
      nextPayment = end + Int64(17 * 86_400 + random.below(58 * 86_400)) * 1000
      // Google gives a new order number to a new purchase after the end.
      if player.store == .google { (traits, renewal) = (random.next(), 0) }
    }
    isTrial = false
    return purchase
  }
}
