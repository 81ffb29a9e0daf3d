/// The rows of one player (an application's user): all of them, or those since the player's state.
package struct PlayerHistory: Sendable {
  /// The state after an earlier fold; nil if these are all rows.
  package var state: PlayerState?
  /// In any order.
  ///
  /// With a state and a new receipt, earlier ones come too; they are `stored`: those of the week and
  /// the month of the first new receipt, and all subscriptions, if a new receipt is one or can be
  /// the original of one. Only subscriptions have the references of the store.
  package var receipts: [Receipt] = []
  /// False if only subscriptions and new receipts have the references of the store.
  package var hasAllReferences = true
  /// In any order.
  package var levels: [LevelEvent] = []
  /// Observations whose rows retention dropped.
  package var keptObservations: [Observation] = []

  package init() {}

  /// Forgets the rows, and keeps the memory for the next player.
  package mutating func removeAll() {
    state = nil
    hasAllReferences = true
    receipts.removeAll(keepingCapacity: true)
    levels.removeAll(keepingCapacity: true)
    keptObservations.removeAll(keepingCapacity: true)
  }
}

/// The figures of one player in the reports.
package struct PlayerFigures: Sendable {
  /// The receipts, by time and payment number.
  package var receipts: [Receipt] = []
  /// One for each receipt, in the same order.
  package var purchases: [PurchaseFigures] = []
  /// Those of all receipts.
  package var periods: [SubscriptionPeriod] = []
  /// With a state only the days from its last day on, and that one only if it has changed.
  package var days: [PlayerDay] = []
  /// The event that gives the current level; nil without any.
  package var current: LevelEvent?
  /// The changes of level and class between snapshots; with a state only those after it.
  package var changes: [CharacterChange] = []
  /// The state after all rows.
  package var state = PlayerState()
  /// True if a new receipt changes what a stored one means, so that all rows of the player are
  /// needed.
  package var needsAllRows = false
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
    var isUndecided = false
    var awaitsOriginal = false
    figures.periods = SubscriptionPeriod.all(
      of: figures.receipts, texts: texts, isUndecided: &isUndecided,
      awaitsOriginal: &awaitsOriginal)
    var isObservation = figures.receipts.map { $0.stored?.isObservation ?? $0.isProduction }
    for period in figures.periods { isObservation[period.receipt] = !period.isMadeByStore }
    figures.needsAllRows = zip(figures.receipts, isObservation).contains { receipt, isObservation in
      receipt.stored.map { $0.isObservation != isObservation } ?? false
    }
    if isUndecided, !history.hasAllReferences { figures.needsAllRows = true }
    if let state = history.state {
      figures.state = state
      // Another stored receipt comes without its references, so it can still be the original.
      let storedCount = figures.receipts.count { $0.stored != nil && $0.isSubscription }
      if isUndecided, storedCount < state.payments.receiptCount { figures.needsAllRows = true }
    }
    // Without a receipt of a subscription, no subscription has changed.
    if history.state == nil || !figures.periods.isEmpty {
      figures.state.awaitsOriginal = awaitsOriginal
    }
    var firstPurchases = FirstPurchases(
      firstPaidOn: figures.state.payments.firstPaidOn, paidGroups: figures.state.paidGroups,
      texts: texts)
    for receipt in figures.receipts where receipt.stored == nil {
      figures.state.payments.add(receipt, calendar)
    }
    for one in history.keptObservations { figures.state.observed.add(one) }
    let dated = timeOrdered(history.levels.filter(\.isDated))
    let levels = pass(over: dated, isObservation, &firstPurchases, &figures)
    figures.state.paidGroups = firstPurchases.paidGroups.sorted { $0.rawValue < $1.rawValue }
    let reached = dated.lazy.filter { $0.kind == .levelUp }.map { ($0.level, $0.at) }
    if !reached.isEmpty {
      figures.state.firstLevels = FirstLevel.all(
        of: figures.state.firstLevels.map { ($0.level, $0.reachedAt) } + reached)
    }
    let undated = history.levels.filter { !$0.isDated }
    setCharacters(levels, undated, &figures)
    let snapshots = dated.filter { $0.kind == .snapshot }
    figures.changes = CharacterChange.all(in: snapshots, after: figures.state.snapshots)
    figures.state.snapshots = newestSnapshots(figures.state.snapshots + snapshots + undated)
    // The stored purchases lie in the cohort of the first observation. A later row can become the
    // first one where there was none, or a kept one that is later still.
    if let state = history.state, state.payments.paidCount > 0,
      state.observed?.first.at != figures.state.observed?.first.at
    {
      figures.needsAllRows = true
    }
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
    over events: [LevelEvent], _ isObservation: [Bool], _ firstPurchases: inout FirstPurchases,
    _ figures: inout PlayerFigures
  ) -> CharacterLevels {
    var levels = CharacterLevels(texts: texts)
    for event in figures.state.characters where event.isDated { levels.add(event) }
    var days = DayPass(calendar: calendar, state: figures.state)

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
        if event.kind == .levelUp { figures.state.lastLevelUpAt = event.at }
        figures.state.observed.add(
          Observation(at: event.at, stream: event.kind == .levelUp ? .levelUp : .gameUser))
      }
      guard let receipt else { break }
      if receipt.stored == nil { days.enter(receipt.purchasedAt, &levels) }
      let day = calendar.span(of: receipt.purchasedAt).day
      let level = receipt.stored == nil ? levels.level() : .none
      let firsts = firstPurchases.next(receipt, on: day, at: level)
      figures.purchases.append(
        PurchaseFigures(
          purchasedOn: day, isPaid: receipt.isPaid, isObservation: isObservation[place],
          level: level, firsts: firsts))
      guard receipt.stored == nil else { continue }
      days.note(receipt, isFirstPaid: firsts.contains(.ever), isObservation: isObservation[place])
      if isObservation[place] {
        figures.state.observed.add(
          Observation(at: receipt.purchasedAt, stream: .receipt))
      }
    }
    figures.days = days.end(&levels, &figures.state)
    return levels
  }

  /// The current state: of rows without a time of their own the newest load counts, of one load the
  /// file with the largest number, and of one file its last line.
  private func setCharacters(
    _ levels: CharacterLevels, _ undated: [LevelEvent], _ figures: inout PlayerFigures
  ) {
    var characters = levels.characters
    let dated = Set(characters.map(\.character))
    var newest: [TextID: LevelEvent] = [:]
    for event in figures.state.characters.filter({ !$0.isDated }) + undated
    where !dated.contains(event.character) {
      if let known = newest[event.character],
        (event.file, event.line) < (known.file, known.line)
      {
        continue
      }
      newest[event.character] = event
    }
    characters += newest.values
    characters.sort { texts.precedes($0.character, $1.character) }
    figures.state.characters = characters
    var current = CharacterLevels(texts: texts)
    for event in characters { current.add(event) }
    figures.current = current.highest()
  }
}
