import SampleData

/// All lines of a generated game, read back.
struct GameHistory {
  static let day: Int64 = 86_400_000

  let receipts: [GameLine]
  let levelUps: [GameLine]
  let snapshots: [GameLine]

  /// - Parameter options: one file with only good lines.
  init(_ options: SampleOptions, streams: [SampleStream] = SampleStream.allCases) throws {
    func read(_ stream: SampleStream) throws -> [GameLine] {
      guard streams.contains(stream) else { return [] }
      return try SampleFile(stream, options).lines.map {
        GameLine(fields: try Facts($0, of: stream).fields)
      }
    }
    receipts = try read(.receipt)
    levelUps = try read(.levelUp)
    snapshots = try read(.gameUser)
  }

  /// A game of two months with enough snapshots that each user has one on each day with play.
  static let twoMonths: Result<GameHistory, any Error> = Result {
    try GameHistory(
      SampleOptions(
        seed: 4, totals: [.receipt: 6000, .levelUp: 14_000, .gameUser: 26_000],
        startMilliseconds: 1_748_736_000_000, endMilliseconds: 1_753_920_000_000, users: 3000,
        badShare: 0, repeatShare: 0))
  }
}

/// The normalized values of a line.
struct GameLine: NormalizedLine {
  let fields: [String: String]
}

/// A line with normalized values.
protocol NormalizedLine {
  var fields: [String: String] { get }
}

extension Facts: NormalizedLine {}

extension NormalizedLine {
  var user: String { fields["userId"] ?? "" }

  /// The line's time in milliseconds.
  var time: Int64 { fields["time"].flatMap { Int64($0) } ?? 0 }

  /// The UTC day, counted from 1970-01-01.
  var day: Int64 { time / GameHistory.day }

  /// The end of a subscription's period in milliseconds.
  var expiry: Int64? { fields["expiry"].flatMap { Int64($0) } }

  var minorUnits: Int { fields["minorUnits"].flatMap { Int($0) } ?? 0 }
}

/// A user on a day.
struct UserDay: Hashable {
  let user: String
  let day: Int64

  init(_ line: GameLine) {
    user = line.user
    day = line.day
  }

  init(user: String, day: Int64) {
    self.user = user
    self.day = day
  }
}
