import PlayerHistory
import Testing

/// A player's rows, split into refreshes that each continue from the state of the one before.
@Suite struct ContinuationTests {
  private static func player(_ random: inout SplitMix) -> Player {
    let player = Player()
    func some<Value>(_ values: [Value?]) -> Value? { values.randomElement(using: &random) ?? nil }
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      player.level(
        Double(Int.random(in: 0..<1_000, using: &random)) / 24, .random(in: 1...9, using: &random),
        some(["a", "b", nil]), kind: some([.levelUp, .snapshot, .loadStart]) ?? .snapshot,
        channel: some(["x", "y"]), file: .random(in: 1...9, using: &random))
    }
    // A snapshot is known by its time, channel and character, so no other one has the same.
    var keys: Set<[Int64]> = []
    player.history.levels.removeAll {
      $0.kind == .snapshot
        && !keys.insert([
          $0.at.microseconds, Int64($0.channel.number), Int64($0.character.number),
        ]).inserted
    }
    for number in 0..<Int.random(in: 0...30, using: &random) {
      let day = Double(Int.random(in: 0..<1_000, using: &random)) / 24
      let length = Double(Int.random(in: -1...20, using: &random))
      player.buy(
        "p\(number)", day, some([nil, 0, 100, 200]),
        some(["USD", "KRW"]) ?? "JPY", product: some(["m", "n", nil]), store: some(["GG", "AS"]),
        until: Bool.random(using: &random) ? day + length : nil, id: some(["i\(number)", nil]),
        original: some([nil, nil, "i\(Int.random(in: 0...30, using: &random))"]),
        isSandbox: some([true, false, nil, nil]),
        isPromotion: some([true, false, nil]))
    }
    return player
  }

  /// The rows that all refreshes together leave behind.
  private struct Result: Equatable {
    var state = PlayerState()
    var days: [Day: PlayerDay] = [:]
    var purchases: [TextID: PurchaseFigures] = [:]
    /// By payment, with the payment that names the chain in place of its index.
    var periods: [TextID: Period] = [:]
    var current: LevelEvent?
    var changes: Set<[Int64]> = []

    struct Period: Equatable {
      var chain: TextID
      var period: SubscriptionPeriod
    }

    mutating func take(_ figures: PlayerFigures) {
      state = figures.state
      // Rows of a table, in any order.
      state.snapshots.sort {
        ($0.channel.number, $0.character.number) < ($1.channel.number, $1.character.number)
      }
      for day in figures.days { days[day.day] = day }
      for (receipt, purchase) in zip(figures.receipts, figures.purchases)
      where receipt.stored == nil {
        purchases[receipt.paymentSeq] = purchase
      }
      for var period in figures.periods {
        let places = (period.receipt, period.chain)
        (period.receipt, period.chain) = (0, 0)
        periods[figures.receipts[places.0].paymentSeq] = Period(
          chain: figures.receipts[places.1].paymentSeq, period: period)
      }
      current = figures.current
      for one in figures.changes {
        changes.insert([
          one.validFrom.microseconds, Int64(one.channel.number), Int64(one.character.number),
          Int64(one.level), Int64(one.characterClass.number),
        ])
      }
    }
  }

  /// The stored receipts that a fold of the new ones needs, as `PlayerHistory.receipts` says.
  private static func needed(
    _ known: [Receipt], _ new: [Receipt], _ parts: Result
  ) -> [Receipt] {
    let first = new.map(\.purchasedAt).min().map { Player.calendar.span(of: $0).day }
    let needsSubscriptions = new.contains(where: \.isSubscription) || parts.state.awaitsOriginal
    return known.filter { receipt in
      if needsSubscriptions, receipt.isSubscription { return true }
      guard let day = parts.purchases[receipt.paymentSeq]?.purchasedOn else { return false }
      return day.week == first?.week || day.month == first?.month
    }.map { needsSubscriptions && $0.isSubscription ? $0 : withoutReferences($0) }
  }

  /// The receipt as the narrow row of a purchase tells it.
  private static func withoutReferences(_ receipt: Receipt) -> Receipt {
    var receipt = receipt
    receipt.isRenewable = false
    receipt.paymentID = .null
    receipt.originalPaymentID = .null
    return receipt
  }

  @Test(arguments: 0..<400)
  func `any split into refreshes gives the figures of all rows at once`(seed: UInt64) {
    var random = SplitMix(state: seed)
    let player = Self.player(&random)
    var whole = Result()
    whole.take(player.figures)

    let fold = PlayerFold(calendar: Player.calendar, texts: player.texts)
    var ends = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      Player.at(Double(Int.random(in: 0..<1_000, using: &random)) / 24)
    }
    ends = Set(ends).sorted() + [Player.at(100)]
    var parts = Result()
    var undated = player.history.levels.filter { !$0.isDated }.shuffled(using: &random)
    var begin = Player.at(-1)
    var known: [Receipt] = []
    for end in ends {
      var history = PlayerHistory()
      if begin != Player.at(-1) { history.state = parts.state }
      history.levels = player.history.levels.filter {
        $0.isDated && $0.at >= begin && $0.at < end
      }
      let count = end == ends.last ? undated.count : undated.count / 2
      history.levels += undated.prefix(count)
      undated.removeFirst(count)
      let new = player.history.receipts.filter { $0.purchasedAt >= begin && $0.purchasedAt < end }
      if !new.isEmpty { history.receipts = Self.needed(known, new, parts) + new }
      begin = end
      let figures = fold.figures(of: history)
      if figures.needsAllRows {
        // The receipts of later days join chains: the player is folded again.
        history.state = nil
        history.levels = player.history.levels.filter { !$0.isDated || $0.at < end }
        undated = []
        history.receipts = player.history.receipts.filter { $0.purchasedAt < end }
        parts = Result()
        parts.take(fold.figures(of: history))
      } else {
        parts.take(figures)
      }
      known = player.history.receipts.filter { $0.purchasedAt < end }.map { receipt in
        var receipt = receipt
        receipt.stored = parts.purchases[receipt.paymentSeq].map {
          StoredPurchase(isObservation: $0.isObservation)
        }
        return receipt
      }
    }
    #expect(parts.days == whole.days)
    #expect(parts.purchases == whole.purchases)
    #expect(parts.periods == whole.periods)
    #expect(parts.current == whole.current)
    #expect(parts.changes == whole.changes)
    #expect(parts.state == whole.state)
  }

  @Test func `late rows give the figures of all rows at once, from the state before them`() throws {
    var continued = 0
    for seed: UInt64 in 0..<600 where try Self.continuesBeforeLateRows(seed) { continued += 1 }
    // The others need all rows.
    #expect(continued > 200)
  }

  /// - Returns: false if the player's rows do not tell the state.
  private static func continuesBeforeLateRows(_ seed: UInt64) throws -> Bool {
    var random = SplitMix(state: seed)
    let player = player(&random)
    var whole = Result()
    whole.take(player.figures)
    let fold = PlayerFold(calendar: Player.calendar, texts: player.texts)

    // Of the rows from some day on, each can be late.
    let first = Player.at(Double(Int.random(in: 0..<41, using: &random)))
    var known = PlayerHistory()
    var late = PlayerHistory()
    for event in player.history.levels {
      if event.at >= first || !event.isDated, Int.random(in: 0..<4, using: &random) == 0 {
        late.levels.append(event)
      } else {
        known.levels.append(event)
      }
    }
    for receipt in player.history.receipts {
      if receipt.purchasedAt >= first, Int.random(in: 0..<4, using: &random) == 0 {
        late.receipts.append(receipt)
      } else {
        known.receipts.append(receipt)
      }
    }
    let lateTimes = late.levels.filter(\.isDated).map(\.at) + late.receipts.map(\.purchasedAt)
    guard let day = lateTimes.min().map({ Player.calendar.span(of: $0).day }) else { return false }
    let start = try #require(Player.calendar.start(of: day))
    let before = fold.figures(of: known)
    var parts = Result()
    parts.take(before)
    var stored = PlayerRows(of: before, isContinued: false, calendar: Player.calendar)

    // A refresh reads the rows since that day, some events before it, and the stored receipts.
    let reach = Double(Int.random(in: 0..<20, using: &random))
    let earliest = Instant(microseconds: start.microseconds - Int64(reach * 24) * Player.hour)
    let events = (known.levels + late.levels).filter { !$0.isDated || $0.at >= earliest }
    var history = PlayerHistory()
    history.state = stored.state(
      before: day, startingAt: start, events: events,
      areAllEvents: before.state.observed.map { $0.first.at >= earliest } ?? true,
      texts: player.texts)
    history.levels = events.filter { !$0.isDated || $0.at >= start }
    history.receipts = (known.receipts + late.receipts).filter { $0.purchasedAt >= start }
    for receipt in known.receipts where receipt.purchasedAt < start {
      guard
        receipt.isSubscription
          || Player.calendar.span(of: receipt.purchasedAt).day >= min(day.week, day.month),
        let purchase = parts.purchases[receipt.paymentSeq]
      else { continue }
      var receipt = receipt.isSubscription ? receipt : withoutReferences(receipt)
      receipt.stored = StoredPurchase(isObservation: purchase.isObservation)
      history.receipts.append(receipt)
    }
    let after = fold.figures(of: history)
    stored.keepRows(since: day, startingAt: start)
    let rows = PlayerRows(of: after, isContinued: true, calendar: Player.calendar)
    guard history.state != nil, !after.needsAllRows, !stored.hasLostObservation(in: rows) else {
      return false
    }
    for row in stored.days { parts.days[row.day.day] = nil }
    parts.changes = parts.changes.filter { $0[0] < start.microseconds }
    parts.periods = [:]
    parts.take(after)
    #expect(parts.days == whole.days, "seed \(seed)")
    #expect(parts.purchases == whole.purchases, "seed \(seed)")
    #expect(parts.periods == whole.periods, "seed \(seed)")
    #expect(parts.current == whole.current, "seed \(seed)")
    #expect(parts.changes == whole.changes, "seed \(seed)")
    #expect(parts.state == whole.state, "seed \(seed)")
    return true
  }

  @Test(arguments: 0..<100)
  func `the order of the rows plays no part`(seed: UInt64) {
    var random = SplitMix(state: seed)
    let player = Self.player(&random)
    var before = Result()
    before.take(player.figures)
    player.history.levels.shuffle(using: &random)
    player.history.receipts.shuffle(using: &random)
    var after = Result()
    after.take(player.figures)
    #expect(before == after)
  }
}
