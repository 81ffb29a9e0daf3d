import PlayerHistory
import Testing

/// The rows of a player as bytes, and how they change.
@Suite struct HistoryTests {
  private static func player(_ random: inout SplitMix, rows: Int = 60) -> Player {
    let player = Player()
    func some<Value>(_ values: [Value?]) -> Value? { values.randomElement(using: &random) ?? nil }
    for _ in 0..<Int.random(in: 0...rows, using: &random) {
      player.level(
        Double(Int.random(in: 0..<1_000, using: &random)) / 24, .random(in: -9...9, using: &random),
        some(["a", "b", nil]), kind: some([.levelUp, .snapshot, .loadStart]) ?? .snapshot,
        channel: some(["x", "y", ""]), file: .random(in: 1...9, using: &random))
    }
    for place in player.history.levels.indices where player.history.levels[place].kind == .snapshot
    {
      player.history.levels[place].isDatedByOption = Bool.random(using: &random)
      player.history.levels[place].at.microseconds += .random(in: 0..<2_000, using: &random)
    }
    for number in 0..<Int.random(in: 0...rows, using: &random) {
      let day = Double(Int.random(in: 24..<1_000, using: &random)) / 24
      player.buy(
        "p\(number)", day, some([nil, 0, 100, .max, -5]),
        some(["USD", "KRW"]) ?? "JPY", product: some(["m", "n", nil]), store: some(["GG", "AS"]),
        until: Bool.random(using: &random)
          ? day + Double(Int.random(in: -1...20, using: &random)) : nil,
        id: some(["i\(number)", nil]),
        original: some([nil, nil, "i\(Int.random(in: 0...30, using: &random))"]),
        isSandbox: some([true, false, nil]), isPromotion: some([true, false, nil]))
      player.history.receipts[number].isImprecise = Bool.random(using: &random)
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      player.history.keptObservations.append(
        Observation(
          at: Player.at(Double(Int.random(in: 1...99, using: &random))),
          stream: some([.levelUp, .gameUser, .receipt]) ?? .levelUp))
    }
    return player
  }

  private static func decoded(_ parts: [[UInt8]], _ texts: TextTable) throws -> PlayerHistory {
    var history = PlayerHistory()
    for part in parts {
      try HistoryEncoder.decode(part, into: &history, texts)
    }
    return history
  }

  @Test(arguments: 0..<100)
  func `bytes give the rows that they were made of`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let player = Self.player(&random, rows: 300)
    let parts = HistoryEncoder.parts(of: player.history, player.texts)
    #expect(try Self.decoded(parts, player.texts) == player.history)
    #expect(parts.allSatisfy { $0.count < HistoryEncoder.partBytes + 200 })
    let texts = TextTable()
    let other = try Self.decoded(parts, texts)
    #expect(HistoryEncoder.parts(of: other, texts) == parts)
  }

  @Test func `the least and the largest values`() throws {
    let player = Player()
    let last = Int64(36_526) * Player.day
    for number in [Int64.min, -1, 0, 1, .max] {
      let time = Instant(microseconds: min(max(number, 0), last))
      var event = LevelEvent(at: time, kind: .snapshot, level: Int32(clamping: number))
      (event.file, event.line) = (number, number)
      player.history.levels.append(event)
      var receipt = Receipt(
        paymentSeq: player.text("\(number)"), purchasedAt: time, currency: player.text("USD"))
      receipt.amountMinor = number
      receipt.expiresAt = Instant(microseconds: last)
      player.history.receipts.append(receipt)
    }
    player.buy(String(repeating: "ü", count: 60_000), 1)
    let parts = HistoryEncoder.parts(of: player.history, player.texts)
    #expect(try Self.decoded(parts, player.texts) == player.history)
    #expect(HistoryEncoder.parts(of: PlayerHistory(), player.texts).isEmpty)
    for time in [-1, last + 1, .min, .max] {
      var history = PlayerHistory()
      history.keptObservations = [
        Observation(at: Instant(microseconds: time), stream: .levelUp)
      ]
      #expect(throws: HistoryEncoder.Unreadable.self, "\(time)") {
        try Self.decoded(HistoryEncoder.parts(of: history, player.texts), player.texts)
      }
    }
  }

  @Test(arguments: 0..<20)
  func `bytes that no encoder wrote are refused or give some rows`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let player = Self.player(&random)
    for part in HistoryEncoder.parts(of: player.history, player.texts) {
      for end in part.indices {
        var changed = Array(part[..<end])
        _ = try? Self.decoded([changed], TextTable())
        changed = part
        changed[end] = .random(in: 0...255, using: &random)
        _ = try? Self.decoded([changed], TextTable())
      }
      #expect(throws: HistoryEncoder.Unreadable.self) {
        try Self.decoded([[7] + part.dropFirst()], TextTable())
      }
    }
    #expect(throws: HistoryEncoder.Unreadable.self) { try Self.decoded([[]], TextTable()) }
  }

  @Test(arguments: 0..<100)
  func `the order of the rows plays no part`(seed: UInt64) {
    var random = SplitMix(state: seed)
    let player = Self.player(&random)
    // A snapshot is known by its time, channel and character, so no other one has the same.
    var keys: Set<[Int64]> = []
    player.history.levels.removeAll {
      $0.kind == .snapshot
        && !keys.insert([
          $0.at.microseconds, Int64($0.channel.number), Int64($0.character.number),
        ]).inserted
    }
    func sorted(_ rows: PlayerRows) -> PlayerRows {
      var rows = rows
      rows.snapshots.sort {
        ($0.channel.number, $0.character.number) < ($1.channel.number, $1.character.number)
      }
      rows.changes.sort {
        ($0.at.microseconds, $0.channel.number, $0.character.number)
          < ($1.at.microseconds, $1.channel.number, $1.character.number)
      }
      return rows
    }
    let before = sorted(player.rows)
    player.history.levels.shuffle(using: &random)
    player.history.receipts.shuffle(using: &random)
    #expect(before == sorted(player.rows))
  }

  @Test func `rows at changed places go, of their stream alone`() {
    let player = Player()
    player.level(1, 2)
    player.level(1, 3, "a")
    player.level(1, 2, kind: .snapshot)
    player.level(2, 9, kind: .loadStart)
    player.buy("1", 1)
    player.buy("2", 1)
    player.history.remove(at: [.levelUp(Player.at(1)), .payment(player.text("2"))])
    #expect(player.history.levels.map(\.kind) == [.snapshot, .loadStart])
    #expect(player.history.receipts.map { player.texts.string($0.paymentSeq) } == ["1"])
    player.history.remove(at: [.snapshot(Player.at(2))])
    #expect(player.history.levels.map(\.kind) == [.snapshot])
  }
}
