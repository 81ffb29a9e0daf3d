/// A player of the game: a function of the number, so that all streams tell of the same one.
///
/// Players are numbered in the order in which they come.
struct Player: Sendable {
  /// The class of a player by the money that the player pays.
  enum Payer: Int, Sendable { case none, minnow, dolphin, whale }

  /// The store of the player's device, by its code in the vendor's server API.
  enum Store: String, Sendable {
    case appStore = "AS"
    case google = "GG"
    case oneStore = "ONESTORE"
    case galaxy = "GALAXY"
    case huawei = "HUAWEI"
  }

  let number: Int
  /// The day of the first visit, counted from the first day of the game.
  let firstDay: Int
  /// The last day on which the player may play.
  let lastDay: Int
  /// The percentage of the days between these two on which the player plays.
  let habit: Int
  let payer: Payer
  /// 2...4: how fast the player levels up.
  let tempo: Int
  /// The characters that the player plays side by side, 0...3.
  let characterSlots: Int
  /// An index into the channels; nil for a player without one.
  let channel: Int?
  /// An index into the currencies of the shop.
  let currency: Int
  let store: Store
  /// The writer of most of the player's lines.
  let sdk: Dialect
  /// An index into the applications.
  let app: Int
  /// False for a player whose lines lack the application, which the loader's option supplies.
  let hasAppID: Bool

  /// - Parameter number: 0..<options.users.
  init(_ number: Int, options: SampleOptions) {
    var random = SeededRandom(options.seed, .player, number)
    self.number = number
    // Most come at the launch: a quarter of the players in the first sixteenth of the days.
    let place = Double(number) / Double(options.users)
    firstDay = Int(Double(options.days) * place * place)
    // There are about fifty receipts for a payer.
    let payers = (options.lines[.receipt] ?? 0) * 2 / options.users
    let isPayer = random.chance(max(4, min(80, payers))) || number == 0
    payer =
      isPayer ? [.minnow, .dolphin, .whale][random.index(percent: [90, 9, 1])] : .none
    // Of the players, 3/4 come back after a day, 1/3 after a week and 1/11 after a month; payers
    // stay four times as long. Player 0 plays on every day, so that each day has a payer.
    let stay = (3 / random.fraction() - 3) * (isPayer ? 4 : 1)
    lastDay = number == 0 ? options.days : firstDay + Int(min(stay, Double(options.days)))
    habit = number == 0 ? 100 : 40 + random.below(45)
    tempo = 2 + random.below(3)
    characterSlots = random.index(percent: [5, 70, 17, 8])
    channel = random.chance(90) ? random.below(LineWriter.channels.count) : nil
    currency = random.index(percent: Shop.currencyWeights)
    let isOnIOS = random.chance(52)
    store =
      isOnIOS
      ? .appStore : [.google, .oneStore, .galaxy, .huawei][random.index(percent: [78, 14, 5, 3])]
    sdk = [isOnIOS ? .iOS : .android, .unity, .unreal][random.index(percent: [86, 11, 3])]
    // Each application opens later than the one before and gets half as many players.
    let choice = min(random.next().trailingZeroBitCount, options.apps - 1)
    app = firstDay * 3 * options.apps >= choice * options.days ? choice : 0
    hasAppID = app > 0 || random.chance(40)
  }
}

/// The players who play on each day.
///
/// It walks over the days once and remembers only the players who may come back, so that memory
/// grows neither with the days nor with the lines.
struct Roster: Sendable {
  /// The day that `players` is about, counted from the first one; -1 before it.
  private(set) var day = -1
  private(set) var players: [Player] = []

  private let options: SampleOptions
  private var members: [Player] = []
  private var newcomer: Player?

  init(options: SampleOptions) {
    self.options = options
    newcomer = Player(0, options: options)
  }

  /// Goes to the next day.
  mutating func advance() {
    day += 1
    // 1970-01-01 was a Thursday; on weekends, people play more.
    let isWeekend = (options.firstDay + day + 3) % 7 >= 5
    members.removeAll { $0.lastDay < day }
    players = members.filter { member in
      var random = SeededRandom(options.seed, .playing, member.number, part: day)
      return random.below(isWeekend ? 90 : 100) < member.habit
    }
    while let player = newcomer, player.firstDay == day {
      players.append(player)
      if player.lastDay > day { members.append(player) }
      let next = player.number + 1
      newcomer = next < options.users ? Player(next, options: options) : nil
    }
  }
}
