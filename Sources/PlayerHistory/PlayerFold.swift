/// The figures of one player in the reports.
package struct PlayerFigures: Equatable, Sendable {
  /// The receipts, by time and payment number.
  package var receipts: [Receipt] = []
  /// One for each receipt, in the same order.
  package var purchases: [PurchaseFigures] = []
  package var periods: [SubscriptionPeriod] = []
  package var days: [PlayerDay] = []
  package var observed: ObservedSpan?
  package var payments = Payments()
  /// The newest snapshot of each character in each channel.
  package var snapshots: [LevelEvent] = []
  /// The event that gives the current level; nil without any.
  package var current: LevelEvent?
  /// The changes of level and class between snapshots.
  package var changes: [CharacterChange] = []
  /// Ascending by level.
  package var firstLevels: [FirstLevel] = []
  package var lastLevelUpAt: Instant?
}

/// The counts of a player's paid receipts, and their times.
package struct Payments: Equatable, Sendable {
  package var paidCount: Int64 = 0
  /// nil without a paid purchase, like the day and the last time.
  package var firstPaidAt: Instant?
  package var firstPaidOn: Day?
  package var lastPaidAt: Instant?

  package init() {}

  /// Adds a receipt that lies after the counted ones.
  mutating func add(_ receipt: Receipt, on day: Day) {
    guard receipt.isPaid else { return }
    paidCount += 1
    if firstPaidAt == nil {
      firstPaidAt = receipt.purchasedAt
      firstPaidOn = day
    }
    lastPaidAt = receipt.purchasedAt
  }
}

/// Computes the figures of one player after another from the player's rows in time order.
///
/// A pure function of the rows: their order, and how they were split into loads, play no part. It
/// takes n log n steps for n rows, whatever they hold.
package struct PlayerFold {
  private let calendar: CalendarDays
  private let texts: TextTable

  /// - Parameter texts: the texts of the rows.
  package init(calendar: CalendarDays, texts: TextTable) {
    self.calendar = calendar
    self.texts = texts
  }

  package func figures(of history: PlayerHistory) -> PlayerFigures {
    var figures = PlayerFigures()
    figures.receipts = ordered(history.receipts)
    figures.periods = SubscriptionPeriod.all(of: figures.receipts, texts: texts)
    var isObservation = figures.receipts.map(\.isProduction)
    for period in figures.periods { isObservation[period.receipt] = !period.isMadeByStore }
    for one in history.keptObservations { figures.observed.add(one) }
    let dated = timeOrdered(history.levels.filter(\.isDated))
    let levels = pass(over: dated, isObservation, &figures)
    figures.firstLevels = FirstLevel.all(
      of: dated.filter { $0.kind == .levelUp }.map { ($0.level, $0.at) })
    let undated = history.levels.filter { !$0.isDated }
    figures.current = current(levels.characters, undated)
    let snapshots = dated.filter { $0.kind == .snapshot }
    figures.changes = CharacterChange.all(in: snapshots)
    figures.snapshots = newestSnapshots(snapshots + undated)
    return figures
  }

  /// By time and payment number; without a copy if the receipts have this order already.
  private func ordered(_ receipts: [Receipt]) -> [Receipt] {
    func precedes(_ one: Receipt, _ other: Receipt) -> Bool {
      one.purchasedAt == other.purchasedAt
        ? texts.precedes(one.paymentSeq, other.paymentSeq) : one.purchasedAt < other.purchasedAt
    }
    let isOrdered = zip(receipts, receipts.dropFirst()).allSatisfy { !precedes($1, $0) }
    return isOrdered ? receipts : receipts.sorted(by: precedes)
  }

  private func timeOrdered(_ events: [LevelEvent]) -> [LevelEvent] {
    let isOrdered = zip(events, events.dropFirst()).allSatisfy { $0.at <= $1.at }
    return isOrdered ? events : events.sorted { $0.at < $1.at }
  }

  /// The days, and the level at each purchase and at each day's end.
  private func pass(
    over events: [LevelEvent], _ isObservation: [Bool], _ figures: inout PlayerFigures
  ) -> CharacterLevels {
    var levels = CharacterLevels(texts: texts)
    var days = DayPass(calendar: calendar)
    var firstPurchases = FirstPurchases()
    figures.purchases.reserveCapacity(figures.receipts.count)
    var next = 0
    for place in 0...figures.receipts.count {
      let receipt = place < figures.receipts.count ? figures.receipts[place] : nil
      // The level at a purchase is that of the events at or before it.
      while next < events.count, receipt.map({ events[next].at <= $0.purchasedAt }) ?? true {
        let event = events[next]
        next += 1
        days.enter(event.at, &levels)
        levels.add(event)
        days.note(event)
        if event.kind == .levelUp { figures.lastLevelUpAt = event.at }
        figures.observed.add(
          Observation(at: event.at, stream: event.kind == .levelUp ? .levelUp : .gameUser))
      }
      guard let receipt else { break }
      days.enter(receipt.purchasedAt, &levels)
      let day = calendar.span(of: receipt.purchasedAt).day
      let level = levels.level()
      let firsts = firstPurchases.next(receipt, on: day, at: level)
      figures.payments.add(receipt, on: day)
      figures.purchases.append(
        PurchaseFigures(purchasedOn: day, isPaid: receipt.isPaid, level: level, firsts: firsts))
      days.note(receipt, isFirstPaid: firsts.contains(.ever), isObservation: isObservation[place])
      if isObservation[place] {
        figures.observed.add(Observation(at: receipt.purchasedAt, stream: .receipt))
      }
    }
    figures.days = days.end(&levels)
    return levels
  }

  /// The event that gives the current level, of the latest event of each character.
  ///
  /// A character without one has that of its newest load; of one load the file with the largest
  /// number counts, and of one file its last line.
  private func current(_ latest: [LevelEvent], _ undated: [LevelEvent]) -> LevelEvent? {
    let dated = Set(latest.map(\.character))
    var newest: [TextID: LevelEvent] = [:]
    for event in undated where !dated.contains(event.character) {
      if let known = newest[event.character],
        (event.file, event.line) < (known.file, known.line)
      {
        continue
      }
      newest[event.character] = event
    }
    var characters = CharacterLevels(texts: texts)
    for event in latest + newest.values { characters.add(event) }
    return characters.highest()
  }
}
