/// The rows that the reports keep of one player.
///
/// Each is the row of a table of schema `rollup` without the columns that name the player; only the
/// first levels and what a row marks as a first have no column, and count in the sums.
package struct PlayerRows: Sendable {
  /// nil for a player without any row and without a kept observation.
  package var player: PlayerRow?
  package var firstLevels: [FirstLevel] = []
  package var days: [PlayerDay] = []
  package var purchases: [PurchaseRow] = []
  package var revenue: [CurrencyRow] = []
  package var periods: [PeriodRow] = []
  package var snapshots: [LevelEvent] = []
  package var changes: [CharacterChange] = []

  package init() {}
}

/// A row of `rollup.player`.
package struct PlayerRow: Equatable, Sendable {
  package var observed: ObservedSpan?
  package var firstObservedOn: Day?
  package var payments = Payments()
  /// The row that gives the current level; only level, channel, character and class count.
  package var current: CurrentLevel?
  package var lastLevelUpAt: Instant?
  package var highestLevel: Int32?

  package init() {}

  package struct CurrentLevel: Equatable, Sendable {
    package var level: Int32
    package var channel: TextID
    package var character: TextID
    package var characterClass: TextID

    package init(level: Int32, channel: TextID, character: TextID, characterClass: TextID) {
      self.level = level
      self.channel = channel
      self.character = character
      self.characterClass = characterClass
    }
  }
}

/// A row of `rollup.purchase`.
package struct PurchaseRow: Equatable, Sendable {
  package var receipt: Receipt
  package var figures: PurchaseFigures
}

/// A row of `rollup.player_currency`.
package struct CurrencyRow: Equatable, Sendable {
  package var currency: TextID
  package var paidCount: Int64 = 0
  package var amountMinor: Int128 = 0
}

/// A row of `rollup.subscription_period`.
package struct PeriodRow: Equatable, Sendable {
  package var period: SubscriptionPeriod
  package var receipt: Receipt
  /// The payment that names the chain.
  package var chain: TextID
  package var purchasedOn: Day
  package var startsOn: Day
  package var endsOn: Day
  /// nil when the chain belongs to no cohort.
  package var cohortMonth: Day?
}

extension PlayerRows {
  /// The rows of a player's figures.
  package init(of figures: PlayerFigures, calendar: CalendarDays) {
    guard !figures.receipts.isEmpty || figures.current != nil || figures.observed != nil else {
      return
    }
    var player = PlayerRow()
    player.observed = figures.observed
    player.firstObservedOn = figures.observed.map { calendar.span(of: $0.first.at).day }
    player.payments = figures.payments
    player.current = figures.current.map {
      PlayerRow.CurrentLevel(
        level: $0.level, channel: $0.channel, character: $0.character,
        characterClass: $0.characterClass)
    }
    player.lastLevelUpAt = figures.lastLevelUpAt
    player.highestLevel = figures.firstLevels.last?.level
    self.player = player
    firstLevels = figures.firstLevels
    days = figures.days
    purchases = zip(figures.receipts, figures.purchases).map {
      PurchaseRow(receipt: $0, figures: $1)
    }
    revenue = CurrencyRow.all(of: purchases)
    periods = figures.periods.map { period in
      let receipt = figures.receipts[period.receipt]
      return PeriodRow(
        period: period, receipt: receipt, chain: figures.receipts[period.chain].paymentSeq,
        purchasedOn: calendar.span(of: receipt.purchasedAt).day,
        startsOn: calendar.span(of: period.startsAt).day,
        endsOn: calendar.span(of: period.endsAt).day,
        cohortMonth: period.cohort.map { calendar.span(of: $0.startedAt).day.month })
    }
    snapshots = figures.snapshots
    changes = figures.changes
  }
}

extension CurrencyRow {
  /// Those of the paid purchases, in the order of the first ones.
  fileprivate static func all(of purchases: [PurchaseRow]) -> [CurrencyRow] {
    var rows: [CurrencyRow] = []
    var places: [TextID: Int] = [:]
    for purchase in purchases where purchase.figures.isPaid {
      let receipt = purchase.receipt
      let place = places[receipt.currency] ?? rows.count
      if place == rows.count {
        places[receipt.currency] = place
        rows.append(CurrencyRow(currency: receipt.currency))
      }
      rows[place].paidCount += 1
      rows[place].amountMinor += Int128(receipt.amountMinor ?? 0)
    }
    return rows
  }
}
