/// Computes the rows that the reports keep of one player after another.
///
/// A pure function of a player's stored rows: their order, and how they were split into loads, play no
/// part. It takes n log n steps for n rows, whatever they hold.
package struct PlayerFold {
  private let calendar: CalendarDays
  private let texts: TextTable

  /// - Parameter texts: the texts of the rows.
  package init(calendar: CalendarDays, texts: TextTable) {
    self.calendar = calendar
    self.texts = texts
  }

  package func rows(of history: PlayerHistory) -> PlayerRows {
    var rows = PlayerRows()
    var player = PlayerRow()
    let receipts = ordered(history.receipts)
    let periods = SubscriptionPeriod.all(of: receipts, texts: texts)
    var isObservation = receipts.map(\.isProduction)
    for period in periods { isObservation[period.receipt] = !period.isMadeByStore }
    for one in history.keptObservations { player.add(one) }
    let dated = timeOrdered(history.levels.filter(\.isDated))
    let undated = history.levels.filter { !$0.isDated }
    let levels = pass(over: dated, receipts, isObservation, &rows, &player)
    rows.firstLevels = FirstLevel.all(
      of: dated.filter { $0.kind == .levelUp }.map { ($0.level, $0.at) })
    rows.revenue = CurrencyRow.all(of: rows.purchases)
    rows.periods = periods.map { row(of: $0, receipts) }
    let snapshots = dated.filter { $0.kind == .snapshot }
    rows.changes = CharacterChange.all(in: snapshots)
    rows.snapshots = newestSnapshots(snapshots + undated)
    player.firstObservedOn = player.firstObserved.map { calendar.span(of: $0.at).day }
    player.current = current(levels.characters, undated).map(LevelAtInstant.of)
    player.highestLevel = rows.firstLevels.last?.level
    let isKnown = !receipts.isEmpty || player.current != nil || player.firstObserved != nil
    rows.player = isKnown ? player : nil
    return rows
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

  /// The days, and the purchases with their levels.
  private func pass(
    over events: [LevelEvent], _ receipts: [Receipt], _ isObservation: [Bool],
    _ rows: inout PlayerRows, _ player: inout PlayerRow
  ) -> CharacterLevels {
    var levels = CharacterLevels(texts: texts)
    var days = DayPass(calendar: calendar)
    var firstPurchases = FirstPurchases()
    rows.purchases.reserveCapacity(receipts.count)
    var next = 0
    for place in 0...receipts.count {
      let receipt = place < receipts.count ? receipts[place] : nil
      // The level at a purchase is that of the events at or before it.
      while next < events.count, receipt.map({ events[next].at <= $0.purchasedAt }) ?? true {
        let event = events[next]
        next += 1
        days.enter(event.at, &levels)
        levels.add(event)
        days.note(event)
        if event.kind == .levelUp { player.lastLevelUpAt = event.at }
        player.add(
          Observation(at: event.at, stream: event.kind == .levelUp ? .levelUp : .gameUser))
      }
      guard let receipt else { break }
      days.enter(receipt.purchasedAt, &levels)
      let day = calendar.span(of: receipt.purchasedAt).day
      let level = levels.level()
      let firsts = firstPurchases.next(receipt, on: day, at: level)
      rows.purchases.append(
        PurchaseRow(receipt: receipt, purchasedOn: day, level: level, firsts: firsts))
      if receipt.isPaid {
        player.paidCount += 1
        player.firstPaidAt = player.firstPaidAt ?? receipt.purchasedAt
        player.firstPaidOn = player.firstPaidOn ?? day
        player.lastPaidAt = receipt.purchasedAt
      }
      days.note(
        receipt, isFirstPaid: firsts.paid.contains(.ever), isObservation: isObservation[place])
      if isObservation[place] {
        player.add(Observation(at: receipt.purchasedAt, stream: .receipt))
      }
    }
    rows.days = days.end(&levels)
    return levels
  }

  private func row(of period: SubscriptionPeriod, _ receipts: [Receipt]) -> PeriodRow {
    let receipt = receipts[period.receipt]
    return PeriodRow(
      period: period, receipt: receipt, chain: receipts[period.chain].paymentSeq,
      purchasedOn: calendar.span(of: receipt.purchasedAt).day,
      startsOn: calendar.span(of: period.startsAt).day,
      endsOn: calendar.span(of: period.endsAt).day,
      cohortMonth: period.cohort.map { calendar.span(of: $0.startedAt).day.month })
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
