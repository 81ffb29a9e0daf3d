import PlayerHistory
import Testing

/// The counts of players for the sums; `sql/tests/report_*.sql` have the figures by hand.
@Suite struct SumTests {
  let player = Player()

  private func sums() -> PlayerSums {
    PlayerSums(texts: player.texts, steps: [0, 1, 7])
  }

  private var rows: PlayerRows { player.rows }

  /// The counts that are not 0, as words: table, key, counts.
  private func words(_ sums: PlayerSums, _ shown: Set<Sum> = Set(Sum.allCases)) -> [String] {
    shown.flatMap { sum in
      sums[sum].rows.map { key, counts in
        let columns = key.map { column in
          switch column {
          case .text(let id): sums.keyTexts.string(id) ?? "-"
          case .number(let number): number.map { "\($0)" } ?? "-"
          case .flag(let flag): "\(flag)"
          }
        }
        return ([sum.table] + columns + counts.map { "\($0)" }).joined(separator: " ")
      }
    }.sorted()
  }

  @Test func `a level counts the time since the first observation and the level before`() {
    player.level(0, 1)
    player.level(0.5, 2)
    var sums = sums()
    sums.add(PlayerChange(from: PlayerRows(), to: rows), app: "a")
    let halfDay = DurationBucket.number(of: 43_200)
    #expect(
      words(sums, [.level, .levelTime]) == [
        "level a 1 1 0", "level a 2 1 1", "level_time a 1 first_observed 0 1",
        "level_time a 2 first_observed \(halfDay) 1", "level_time a 2 previous_level \(halfDay) 1",
      ])
  }

  @Test func `an earlier first observation moves the user and the durations`() {
    player.level(2, 1)
    let before = rows
    player.history.keptObservations = [Observation(at: Player.at(1), stream: .gameUser)]
    var sums = sums()
    sums.add(PlayerChange(from: before, to: rows), app: "a")
    #expect(
      words(sums, [.cohortSize, .cohortObserved, .levelTime]) == [
        "cohort_observed a 1 1 1", "cohort_observed a 2 0 -1", "cohort_size a first_observed 1 1",
        "cohort_size a first_observed 2 -1", "level_time a 1 first_observed 0 -1",
        "level_time a 1 first_observed \(DurationBucket.number(of: 86_400)) 1",
      ])
  }

  @Test func `the differences of any steps add up to the sums of all rows`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<60 {
      var added = sums()
      var before = PlayerRows()
      for _ in 0..<6 {
        for _ in 0..<Int.random(in: 0...4, using: &random) { addRow(using: &random) }
        if Bool.random(using: &random), !player.history.receipts.isEmpty {
          player.history.receipts.removeLast()
        }
        let after = rows
        added.add(PlayerChange(from: before, to: after), app: "a")
        before = after
        var whole = sums()
        whole.add(PlayerChange(from: PlayerRows(), to: after), app: "a")
        #expect(words(added) == words(whole))
      }
      player.history = PlayerHistory()
    }
  }

  private func addRow(using random: inout SystemRandomNumberGenerator) {
    let day = Double(Int.random(in: 0...90, using: &random)) / 2
    switch Int.random(in: 0...3, using: &random) {
    case 0:
      player.level(day, Int32.random(in: 1...5, using: &random), Bool.random() ? "x" : nil)
    case 1: player.level(day, 3, kind: .snapshot)
    case 2:
      player.buy(
        "p\(Int.random(in: 0...Int.max, using: &random))", day,
        [0, 100, 250].randomElement(using: &random),
        isSandbox: [nil, false, true].randomElement() ?? nil)
    default:
      player.buy(
        "s\(Int.random(in: 0...Int.max, using: &random))", day,
        [0, 100, 100].randomElement(using: &random), product: "sub", until: day + 30, id: "t")
    }
  }
}
