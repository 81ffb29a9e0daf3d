import PlayerHistory
import Testing

/// The rows that the reports keep of a player.
@Suite struct RowTests {
  let player = Player()

  private func days(_ rows: PlayerRows) -> [Int32] { rows.days.map(\.day.number) }

  private func payments(_ rows: PlayerRows) -> [String?] {
    rows.purchases.map { player.texts.string($0.receipt.paymentSeq) }
  }

  @Test func `the rows of all of a player's rows`() {
    player.level(1, 3, "knight", channel: "asia", characterClass: "k")
    player.level(2, 4, "knight", kind: .snapshot, channel: "asia", characterClass: "k")
    player.buy("free", 2.5, 0)
    player.buy("paid", 3)
    player.buy("trial", 31, 0, product: "sub", until: 40, id: "t")
    let rows = player.rows
    #expect(days(rows) == [1, 2, 3, 31])
    #expect(payments(rows) == ["free", "paid", "trial"])
    #expect(rows.purchases.filter(\.receipt.isPaid).map(\.receipt.amountMinor) == [100])
    #expect(rows.snapshots.map(\.level) == [4])
    #expect(rows.changes.map(\.at) == [Player.at(2)])
    let row = rows.player
    #expect(row?.firstObservedOn?.number == 1 && row?.highestLevel == 3)
    #expect(row?.paidCount == 1)
    #expect(row?.current?.level == 4)
    #expect(player.texts.string(row?.current?.characterClass ?? .null) == "k")
    let period = rows.periods.first
    #expect(rows.periods.count == 1 && period?.lengthInDays == 9)
    #expect(period?.startsOn.number == 31 && period?.endsOn.number == 40)
    // Day 31 is the first of February.
    #expect(period?.cohort?.month.number == 31 && period?.cohort?.renewalNumber == 1)
    #expect((period?.cohort?.product).flatMap(player.texts.string) == "sub")
  }

  @Test func `a period of a chain without a cohort names none`() {
    player.buy("1", 1, product: "sub", until: 5, id: "GPA.7..3")
    let period = player.rows.periods.first
    #expect(period?.kind == .continued)
    #expect(period?.cohort == nil)
  }

  @Test func `a player of whom nothing is left has no row, one with a kept observation has`() {
    #expect(player.rows.player == nil)
    player.history.keptObservations = [Observation(at: Player.at(3), stream: .gameUser)]
    let rows = player.rows
    #expect(rows.player?.firstObservedOn?.number == 3)
    #expect(rows.player?.current == nil && rows.days.isEmpty)
  }

  @Test func `a player seen only in the sandbox has days without an observation`() {
    player.buy("1", 2, isSandbox: true)
    let rows = player.rows
    #expect(rows.player?.firstObserved == nil && rows.player?.firstObservedOn == nil)
    #expect(rows.days.map(\.isObserved) == [false])
    #expect(payments(rows) == ["1"] && !rows.purchases.contains(where: \.receipt.isPaid))
  }

  // MARK: - Characters

  private func changes() -> [String] {
    player.rows.changes.map { change in
      let names = [change.channel, change.character, change.characterClass].map {
        player.texts.string($0) ?? "-"
      }
      let day = change.at.microseconds / Player.day
      return "\(day): \(names.joined(separator: " ")) \(change.level)"
    }
  }

  @Test func `a change is another level or class than in the snapshot before, per channel`() {
    player.level(1, 5, "a", kind: .snapshot, channel: "x", characterClass: "k")
    player.level(2, 5, "a", kind: .snapshot, channel: "x", characterClass: "k")
    player.level(3, 5, "a", kind: .snapshot, channel: "y", characterClass: "k")
    player.level(4, 5, "a", kind: .snapshot, channel: "x")
    player.level(5, 6, "a", kind: .snapshot, channel: "x")
    player.level(6, 1, kind: .snapshot)
    player.level(7, 9, "a", channel: "x")
    player.level(8, 9, "a", kind: .loadStart, channel: "x")
    player.level(9, 6, "a", kind: .snapshot, channel: "x")
    #expect(changes() == ["1: x a k 5", "3: y a k 5", "4: x a - 5", "5: x a - 6", "6: - - - 1"])
  }

  @Test func `the newest snapshot is dated; of undated ones it is that of the newest file`() {
    player.level(1, 1, "a", kind: .snapshot, channel: "x")
    player.level(3, 3, "a", kind: .snapshot, channel: "x")
    player.level(2, 2, "a", kind: .snapshot, channel: "x")
    player.level(9, 9, "a", kind: .loadStart, channel: "x", file: 9)
    player.level(7, 4, "a", kind: .loadStart, channel: "y", file: 5)
    player.level(6, 5, "a", kind: .loadStart, channel: "y", file: 6)
    player.level(6, 6, "a", kind: .loadStart, channel: "y", file: 6)
    player.level(8, 8, "a")
    for _ in 0..<20 {
      player.history.levels.shuffle()
      #expect(Set(player.rows.snapshots.map(\.level)) == [3, 6])
    }
    player.level(5, 7, "a", kind: .snapshot, channel: "y")
    #expect(Set(player.rows.snapshots.map(\.level)) == [3, 7])
  }
}
