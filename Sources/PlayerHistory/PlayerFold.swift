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
    let receipts = history.receipts.sorted {
      $0.purchasedAt == $1.purchasedAt
        ? texts.precedes($0.paymentSeq, $1.paymentSeq) : $0.purchasedAt < $1.purchasedAt
    }
    let dated = history.levels.filter(\.isDated).sorted { $0.at < $1.at }
    let undated = history.levels.filter { !$0.isDated }
    for one in history.keptObservations { player.add(one) }
    rows.periods = SubscriptionPeriod.all(of: receipts, calendar, texts)
    var levels = pass(over: dated, receipts, &rows, &player)
    let levelUps = dated.lazy.filter { $0.kind == .levelUp }
    rows.firstLevels = FirstLevel.all(of: levelUps)
    let snapshots = dated.filter { $0.kind == .snapshot }
    rows.changes = changes(in: snapshots)
    rows.snapshots = newestSnapshots(snapshots + undated)
    // A character without an event of a time has the level of its newest load; of one load the file with
    // the largest number counts, and of one file its last line.
    for event in undated.sorted(by: { ($0.file, $0.line) > ($1.file, $1.line) }) {
      levels.add(event)
    }
    player.current = levels.highest
    player.firstObservedOn = player.firstObserved.map { calendar.day(of: $0.at) }
    player.highestLevel = rows.firstLevels.last?.level
    player.lastLevelUpAt = levelUps.last?.at
    let isKnown = !receipts.isEmpty || player.current != nil || player.firstObserved != nil
    rows.player = isKnown ? player : nil
    return rows
  }

  /// Finds the days, and the purchases with their levels; returns the levels of the characters.
  private func pass(
    over dated: [LevelEvent], _ receipts: [Receipt], _ rows: inout PlayerRows,
    _ player: inout PlayerRow
  ) -> CharacterLevels {
    var levels = CharacterLevels(texts: texts)
    var days = DayPass()
    var firstPurchases = FirstPurchases()
    // A store makes these purchases by itself, so they are no observation of the user.
    let renewals = Set(rows.periods.lazy.filter(\.isMadeByStore).map(\.receipt.paymentSeq))
    rows.purchases.reserveCapacity(receipts.count)
    func note(_ event: LevelEvent) {
      levels.add(event)
      days.note(event, on: calendar.day(of: event.at), level: levels.highest?.level)
      player.add(Observation(at: event.at, stream: event.kind == .levelUp ? .levelUp : .gameUser))
    }
    var events = dated[...]
    for receipt in receipts {
      // The level at a purchase is that of the events at or before it.
      while let event = events.first, event.at <= receipt.purchasedAt {
        note(event)
        events.removeFirst()
      }
      let day = calendar.day(of: receipt.purchasedAt)
      let level = levels.level
      let purchase = PurchaseRow(
        receipt: receipt, purchasedOn: day, level: level,
        firsts: firstPurchases.next(receipt, on: day, at: level))
      rows.purchases.append(purchase)
      if receipt.isPaid {
        player.paidCount += 1
        player.firstPaidAt = player.firstPaidAt ?? receipt.purchasedAt
        player.firstPaidOn = player.firstPaidOn ?? day
        player.lastPaidAt = receipt.purchasedAt
      }
      let isObserved = receipt.isProduction && !renewals.contains(receipt.paymentSeq)
      days.note(purchase, isObserved: isObserved)
      if isObserved { player.add(Observation(at: receipt.purchasedAt, stream: .receipt)) }
    }
    for event in events { note(event) }
    rows.days = days.days
    return levels
  }
}

/// The rows that the reports keep of one player.
///
/// Each is the row of a table of schema `rollup` without the columns that name the player; only the
/// first levels and most marks of firsts have no column, and count in the sums.
package struct PlayerRows: Equatable, Sendable {
  /// nil for a player without any row and without a kept observation.
  package var player: PlayerRow?
  package var firstLevels: [FirstLevel] = []
  package var days: [PlayerDay] = []
  package var purchases: [PurchaseRow] = []
  package var periods: [SubscriptionPeriod] = []
  /// Rows of `rollup.current_game_user`.
  package var snapshots: [LevelEvent] = []
  /// Rows of `rollup.character_change`.
  package var changes: [LevelEvent] = []

  package init() {}
}

/// A row of `rollup.player`.
package struct PlayerRow: Hashable, Sendable {
  package var firstObserved: Observation?
  package var firstObservedOn: Day?
  package var lastObservedAt: Instant?
  package var paidCount: Int64 = 0
  /// nil without a paid purchase, like the day and the last time.
  package var firstPaidAt: Instant?
  package var firstPaidOn: Day?
  package var lastPaidAt: Instant?
  /// The event that gives the current level; nil without any level.
  package var current: LevelEvent?
  package var lastLevelUpAt: Instant?
  package var highestLevel: Int32?

  mutating func add(_ one: Observation) {
    firstObserved = min(firstObserved ?? one, one)
    lastObservedAt = max(lastObservedAt ?? one.at, one.at)
  }
}

/// A row of `rollup.purchase`.
package struct PurchaseRow: Hashable, Sendable {
  package var receipt: Receipt
  package var purchasedOn: Day
  package var level: LevelAtInstant
  package var firsts: PurchaseFirsts
}
