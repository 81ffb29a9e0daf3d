/// The walk of a stream over the days of the game: the players of each day, and the moments at
/// which its records happen.
///
/// Moments ascend, lie denser in the evening, and no two share a millisecond.
struct DayWalk: Sendable {
  static let dayMilliseconds: Int64 = 86_400_000

  /// The share of each hour of the UTC day, of 240 in all.
  ///
  /// The audience is Korean: quiet at 4 in the morning (19 UTC), busy at 21 (12 UTC).
  private static let hourShares: [Int64] = [
    7, 7, 8, 9, 10, 10, 9, 9, 10, 12, 14, 16, 18, 18, 16, 13, 10, 8, 6, 5, 5, 6, 7, 7,
  ]

  private let options: SampleOptions
  private let stream: SampleStream
  private var roster: Roster
  private var players: [Player] = []
  /// The sums of the weights up to each player.
  private var sums: [Int] = []
  private var count = 0
  private var number = 0
  private var random: SeededRandom
  /// The time of the day's next record, in milliseconds since 1970-01-01 UTC; nil after the last.
  private(set) var nextTime: Int64?

  init(_ stream: SampleStream, options: SampleOptions) {
    self.stream = stream
    self.options = options
    roster = Roster(options: options)
    random = SeededRandom(options.seed, .record, 0)
  }

  /// The day, counted from the first one; -1 before it.
  var day: Int { roster.day }

  /// The day, counted from 1970-01-01.
  var date: Int { options.firstDay + roster.day }

  /// Goes to the next day, with a number of records and the weights of its players for them.
  mutating func beginDay(records: Int, weight: (Player) -> Int = { _ in 1 }) {
    roster.advance()
    count = records
    number = 0
    players.removeAll(keepingCapacity: true)
    sums.removeAll(keepingCapacity: true)
    for player in roster.players where weight(player) > 0 {
      players.append(player)
      sums.append((sums.last ?? 0) + weight(player))
    }
    prepare()
  }

  /// The player and the time of the next record, and random numbers for the rest of it.
  mutating func next() -> (player: Player, time: Int64, random: SeededRandom) {
    let point = random.below(sums[sums.count - 1])
    // The first sum above the point.
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > point { high = middle } else { low = middle + 1 }
    }
    let found = (players[low], nextTime ?? 0, random)
    number += 1
    prepare()
    return found
  }

  private mutating func prepare() {
    guard number < count else {
      nextTime = nil
      return
    }
    random = SeededRandom(options.seed, .record, date << 32 | number, part: stream.number)
    // Each record has an equal part of the day, on a clock that runs faster in busy hours, and
    // happens in the first half of it.
    let part = Int64(2 * number) * Self.dayMilliseconds + Int64(random.below(86_400_000))
    var rest = part / Int64(2 * count)
    var hour = 0
    while rest >= Self.hourShares[hour] * 360_000 {
      rest -= Self.hourShares[hour] * 360_000
      hour += 1
    }
    nextTime =
      Int64(date) * Self.dayMilliseconds + Int64(hour) * 3_600_000
      + rest * 10 / Self.hourShares[hour]
  }
}

/// A day of the proleptic Gregorian calendar.
///
/// - Source: Howard Hinnant: chrono-compatible low-level date algorithms (`civil_from_days`).
struct CivilDate: Sendable {
  let year: UInt64
  let month: UInt64
  let day: UInt64

  /// The date of a day counted from 1970-01-01, 0...
  init(day number: Int) {
    let (era, dayOfEra) = (UInt64(number) + 719_468).quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The date as the number yyyyMMdd.
  var digits: UInt64 { year * 10_000 + month * 100 + day }
}
