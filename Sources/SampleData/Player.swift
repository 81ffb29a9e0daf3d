/// A player of the game: traits that follow from the number, and what the player has reached.
///
/// Players are numbered in the order in which they come.
final class Player {
  private static let channels = [
    "KR-01", "KR-02", "한국-3", "JP-01", "JP-02", "TW-01", "EU-01", "NA-01", "SEA-01", nil,
  ]
  private static let classes = [
    "warrior", "mage", "archer", "priest", "rogue", "paladin", "음유시인", nil,
  ]

  let number: Int
  /// The first and the last day on which the player may play, counted from the first day of the game.
  let (firstDay, lastDay): (Int, Int)
  /// The percentage of the days between these two on which the player plays.
  let habit: Int
  /// The money that the player pays: 0 none, 1 little, 2 more, 3 much.
  let spending: Int
  /// 2...4: how fast the player levels up.
  let tempo: Int
  /// An index into the currencies of the shop.
  let currency: Int
  /// The code of the store in the vendor's server API.
  let store: String
  /// True for a player whose purchases are tests.
  let isTester: Bool
  /// True for an SDK that prints neither the store nor flags.
  let hasOldSDK: Bool
  let channel: String?
  /// The start and the end of each line: the user, and the application in the lines of some players.
  let (start, end): (String, String)
  /// The characters that the player plays side by side, 0...3.
  private let slots: Int
  /// The level-ups so far; they go round the slots of the characters.
  var levelUps = 0
  /// The newest subscription; it may have ended.
  var subscription: Subscription?

  /// - Parameter number: 0..<options.users.
  init(_ number: Int, _ options: SampleOptions) {
    var random = SeededRandom(options.seed, player: number)
    self.number = number
    firstDay = Self.firstDay(number, options)
    isTester = random.chance(2)
    spending = isTester ? 1 : random.index([70, 27, 2, 1])
    // Of the players, 3/4 may come back after a day, 1/3 after a week and 1/11 after a month; payers
    // stay six times as long.
    let stay = (3 / random.fraction() - 3) * (spending > 0 ? 6 : 1)
    lastDay = firstDay + Int(min(stay, Double(options.days)))
    habit = 40 + random.below(45)
    tempo = 2 + random.below(3)
    currency = random.index(Shop.currencies.map(\.players))
    store = ["AS", "GG", "ONESTORE", "GALAXY", "HUAWEI"][random.index([52, 37, 7, 3, 1])]
    hasOldSDK = !isTester && random.chance(25)
    let userID = "\(random.chance(12) ? "AS@" : "")\((random.code() + random.code()).prefix(16))"
    start = #"{"userId":"\#(userID)","#
    channel = Self.channels[random.below(Self.channels.count)]
    slots = random.index([5, 70, 17, 8])
    // Each application opens later than the one before and gets half as many players.
    let choice = min(random.next().trailingZeroBitCount, options.apps - 1)
    let app = firstDay * 3 * options.apps >= choice * options.days ? choice : 0
    let appID = #","appId":"\#(SampleOptions.applications[app])""#
    // A field of newer SDKs, which a loader need not know.
    let version = number % 100 == 99 ? #","sdkVersion":"2.66.1""# : ""
    end = "\(app > 0 || random.chance(40) ? appID : "")\(version)}"
  }

  /// Most players come at the launch: a quarter of them in the first sixteenth of the days.
  static func firstDay(_ number: Int, _ options: SampleOptions) -> Int {
    let place = Double(number) / Double(options.users)
    return Int(Double(options.days) * place * place)
  }

  /// The character of the newest level-up; it has no id for a player without characters.
  ///
  /// A player climbs from level 1 to 100 with each character; then a new one takes its slot.
  var character: (id: String?, level: Int, className: String?) {
    guard slots > 0 else { return (nil, 1 + levelUps, nil) }
    let (own, slot) = max(0, levelUps - 1).quotientAndRemainder(dividingBy: slots)
    let character = slot + own / 99 * slots
    return (
      "C-\(number * 100 + character)", levelUps == 0 ? 1 : own % 99 + 2,
      Self.classes[(number + character) % Self.classes.count]
    )
  }
}

/// A player's subscription: a first payment, and the renewals that follow it.
struct Subscription: Sendable {
  let product: Int
  /// Random bits, from which the numbers of its payments follow.
  let bits: UInt64
  /// True when the newest payment began a free trial.
  private(set) var isTrial: Bool
  private(set) var renewals = -1
  /// The end of the paid time; milliseconds since 1970-01-01 UTC.
  private(set) var end: Int64 = 0
  /// The time of the next payment; nil when none follows.
  private(set) var nextPayment: Int64?

  /// - Parameter mayTry: true for a player's first subscription.
  init(mayTry: Bool, _ random: inout SeededRandom) {
    product = Shop.subscriptions.lowerBound + random.below(Shop.subscriptions.count)
    bits = random.next()
    isTrial = mayTry && Shop.products[product].trial > 0 && random.chance(50)
  }

  /// Extends the paid time, and decides about the next payment: more than half of the trials and a
  /// part of the periods are not renewed.
  mutating func pay(at time: Int64, _ random: inout SeededRandom) {
    renewals += 1
    isTrial = isTrial && renewals == 0
    let (_, _, _, days, trial) = Shop.products[product]
    end = max(end, time) + (isTrial ? trial : days) * dayMilliseconds
    // Stores often charge in the hours before the end, and try again for days when a card is refused.
    let delay = [-60 - random.below(7200), 0, random.below(15 * 86_400)][
      random.index([45, 45, 10])]
    let isRenewed = random.chance(isTrial ? 46 : days > 300 ? 55 : 87)
    nextPayment = isRenewed ? end + Int64(delay) * 1000 : nil
  }
}
