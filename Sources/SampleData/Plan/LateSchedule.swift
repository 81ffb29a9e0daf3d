/// The numbers of records that arrive with a later day's lines, for each day.
///
/// A record that is late makes room for another one of its day, and one that arrives takes the
/// place of one of the later day, so that every day keeps its number of lines.
struct LateSchedule: Sendable {
  /// The latest arrival, in days.
  static let longestDelay = 5

  /// The records that may wait at one time, so that memory is bounded.
  private static let capacity = 16_384

  /// The records that the game has on each day.
  private(set) var events: [Int] = []
  /// The records of each day that are late, by the delay in days from 1 on.
  private(set) var leaving: [[Int]] = []
  /// The records of earlier days that arrive on each day.
  private(set) var arriving: [Int]

  /// - Parameters:
  ///   - records: the records that arrive on each day.
  ///   - limits: the most records that the game can have on each day.
  init(records: [Int], limits: [Int], share: Double, seed: UInt64) {
    arriving = Array(repeating: 0, count: records.count)
    var waiting = 0
    for day in records.indices {
      waiting -= arriving[day]
      let onTime = records[day] - arriving[day]
      // Half of a day's lines may be of earlier days.
      var rooms = (1...Self.longestDelay).map { delay in
        day + delay < records.count ? records[day + delay] / 2 - arriving[day + delay] : 0
      }
      let wanted =
        Int((Double(onTime) * share).rounded(.down))
        + (Self.roundsUp(Double(onTime) * share, day: day, seed: seed) ? 1 : 0)
      let count = min(
        wanted, rooms.reduce(0, +), Self.capacity - waiting, limits[day] - onTime)
      var delays = Array(repeating: 0, count: Self.longestDelay)
      for number in 0..<max(0, count) {
        var delay = Int(
          SeededRandom.mix(seed, Salt.late, UInt64(day) << 32 | UInt64(number))
            % UInt64(Self.longestDelay))
        while rooms[delay] == 0 { delay = (delay + 1) % Self.longestDelay }
        rooms[delay] -= 1
        delays[delay] += 1
        arriving[day + 1 + delay] += 1
      }
      waiting += max(0, count)
      events.append(onTime + max(0, count))
      leaving.append(delays)
    }
  }

  /// Rounds the part of a record at random, so that few records are late, too.
  private static func roundsUp(_ wanted: Double, day: Int, seed: UInt64) -> Bool {
    let part = wanted - wanted.rounded(.down)
    return Double(SeededRandom.mix(seed, Salt.late, ~UInt64(day)) >> 40) < part * Double(1 << 24)
  }
}
