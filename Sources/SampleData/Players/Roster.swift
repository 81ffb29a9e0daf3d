/// A user who plays on a day.
struct ActivePlayer: Sendable {
  var user: UInt32
  var app: UInt8
  var payer: PayerClass
  /// 1...6: how much the user buys, among payers of one class.
  var appetite: UInt8
  /// 2...4: how fast the user levels up.
  var tempo: UInt8
  /// The days since the user's first day.
  var age: Int32
  var buysToday: Bool
}

extension ActivePlayer {
  /// The user's share of the day's level-ups: new users climb fast.
  var levelUpWeight: UInt64 {
    let byAge: UInt64 =
      switch age {
      case 0: 12
      case ..<7: 6
      case ..<30: 3
      default: 1
      }
    return byAge * UInt64(tempo)
  }

  /// The user's share of the day's snapshots.
  var snapshotWeight: UInt64 { age == 0 ? 3 : 2 }
}

/// The users who play on each day, in the order of their numbers.
///
/// It walks over the days once and remembers only the users who will play again, so that memory
/// grows neither with the days nor with the lines.
struct Roster: Sendable {
  private struct Member {
    var player: ActivePlayer
    var playedShare: UInt32
    var firstDay: Int32
    var lastDay: Int32
  }

  /// How much users buy; few buy much.
  private static let appetites: [UInt8] = [1, 1, 2, 2, 3, 3, 4, 6]

  /// The day that `active` is about; -1 before the first.
  private(set) var day = -1
  private(set) var active: [ActivePlayer] = []

  private let appetites = Roster.appetites
  private let seed: UInt64
  private let days: SampleDays
  private let appCount: Int
  private let acquisition: Acquisition
  private let retention: Retention
  private var payers: PayerChoice
  private var members: [Member] = []

  init(options: SampleOptions) {
    seed = options.seed
    days = options.days
    appCount = max(1, options.appIDs.count)
    acquisition = Acquisition(
      users: options.users, appCount: appCount, days: days, seed: seed)
    retention = Retention(seed: seed)
    payers = PayerChoice(
      receipts: options.total(of: .receipt), users: options.users, seed: seed)
  }

  /// Goes to the next day.
  mutating func advance() {
    day += 1
    active.removeAll(keepingCapacity: true)
    let activity = days.activity(on: day)
    let today = Int32(day)
    var kept = 0
    for index in members.indices where members[index].lastDay >= today {
      let member = members[index]
      members[kept] = member
      kept += 1
      let bits = SeededRandom.mix(
        seed, Salt.playing, UInt64(day) << 32 | UInt64(member.player.user))
      if Retention.plays(share: member.playedShare, activity: activity, bits: bits) {
        appendActive(member.player, age: today - member.firstDay, bits: bits)
      }
    }
    members.removeLast(members.count - kept)
    for app in 0..<appCount {
      for user in acquisition.newcomers(on: day, app: app) { welcome(user, app: app) }
    }
  }

  private mutating func welcome(_ user: UInt32, app: Int) {
    let lifetime = retention.lifetime(of: user)
    let habits = SeededRandom.mix(seed, Salt.habits, UInt64(user))
    let player = ActivePlayer(
      user: user, app: UInt8(app), payer: payers.payerClass(of: user, lifetime: lifetime),
      appetite: appetites[Int(habits >> 16 % 8)], tempo: UInt8(2 + habits >> 24 % 3), age: 0,
      buysToday: false)
    appendActive(
      player, age: 0, bits: SeededRandom.mix(seed, Salt.playing, UInt64(day) << 32 | UInt64(user)))
    guard lifetime > 0 else { return }
    members.append(
      Member(
        player: player, playedShare: retention.playedShare(of: user, habits: habits),
        firstDay: Int32(day), lastDay: Int32(day + lifetime)))
  }

  private mutating func appendActive(_ member: ActivePlayer, age: Int32, bits: UInt64) {
    var player = member
    player.age = age
    player.buysToday = player.user == 0 || bits & 3 < player.payer.buyingDaysOfFour
    active.append(player)
  }
}
