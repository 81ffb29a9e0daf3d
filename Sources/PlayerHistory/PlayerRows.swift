/// The rows that the reports keep of one player.
///
/// Each is the row of a table of schema `rollup` without the columns that name the player.
package struct PlayerRows: Sendable {
  /// nil for a player without any row and without a kept observation.
  package var player: PlayerRow?
  package var days: [PlayerDayRow] = []
  package var purchases: [PurchaseRow] = []
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
  package var levels: [Int32] = []
  package var reachedAt: [Instant] = []

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

  /// The first time of each level, as the fold has it.
  package var firstLevels: [FirstLevel] {
    FirstLevel.all(of: zip(levels, reachedAt).map { ($0, $1) })
  }
}

/// A row of `rollup.player_day`.
package struct PlayerDayRow: Equatable, Sendable {
  package var day: PlayerDay
  /// nil on a day without an observation.
  package var firstObservedOn: Day?

  package init(day: PlayerDay, firstObservedOn: Day?) {
    self.day = day
    self.firstObservedOn = firstObservedOn
  }
}

/// A row of `rollup.purchase`.
package struct PurchaseRow: Equatable, Sendable {
  package var paymentSeq: TextID
  package var purchasedAt: Instant
  package var currency: TextID
  package var amountMinor: Int64?
  package var product: TextID
  package var store: TextID
  package var isSandbox: Bool?
  package var isPromotion: Bool?
  package var isImprecise: Bool
  package var figures: PurchaseFigures
  /// nil for a purchase that is not paid, like the next.
  package var firstObservedOn: Day?
  package var firstPaidOn: Day?

  package init(
    paymentSeq: TextID, purchasedAt: Instant, currency: TextID, amountMinor: Int64?,
    product: TextID, store: TextID, isSandbox: Bool?, isPromotion: Bool?, isImprecise: Bool,
    figures: PurchaseFigures, firstObservedOn: Day?, firstPaidOn: Day?
  ) {
    self.paymentSeq = paymentSeq
    self.purchasedAt = purchasedAt
    self.currency = currency
    self.amountMinor = amountMinor
    self.product = product
    self.store = store
    self.isSandbox = isSandbox
    self.isPromotion = isPromotion
    self.isImprecise = isImprecise
    self.figures = figures
    self.firstObservedOn = firstObservedOn
    self.firstPaidOn = firstPaidOn
  }
}

/// A row of `rollup.subscription_period`.
package struct PeriodRow: Equatable, Sendable {
  package var paymentSeq: TextID
  package var chain: TextID
  package var rule: UInt8
  package var currency: TextID
  package var amountMinor: Int64?
  package var product: TextID
  package var store: TextID
  package var purchasedOn: Day
  package var startsAt: Instant
  package var endsAt: Instant
  package var startsOn: Day
  package var endsOn: Day
  package var lengthInDays: Int64
  package var kind: SubscriptionPeriod.Kind?
  package var isTrial: Bool
  package var isPaid: Bool
  package var isConverted: Bool
  package var isRenewed: Bool
  package var isExpiry: Bool
  /// nil when the chain belongs to no cohort, like the next three.
  package var renewalNumber: Int32?
  package var cohortMonth: Day?
  package var cohortProduct: TextID
  package var cohortStart: SubscriptionPeriod.Start?

  package init(
    paymentSeq: TextID, chain: TextID, rule: UInt8, currency: TextID, amountMinor: Int64?,
    product: TextID, store: TextID, purchasedOn: Day, startsAt: Instant, endsAt: Instant,
    startsOn: Day, endsOn: Day, lengthInDays: Int64, kind: SubscriptionPeriod.Kind?, isTrial: Bool,
    isPaid: Bool, isConverted: Bool, isRenewed: Bool, isExpiry: Bool, renewalNumber: Int32?,
    cohortMonth: Day?, cohortProduct: TextID,
    cohortStart: SubscriptionPeriod.Start?
  ) {
    self.paymentSeq = paymentSeq
    self.chain = chain
    self.rule = rule
    self.currency = currency
    self.amountMinor = amountMinor
    self.product = product
    self.store = store
    self.purchasedOn = purchasedOn
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.startsOn = startsOn
    self.endsOn = endsOn
    self.lengthInDays = lengthInDays
    self.kind = kind
    self.isTrial = isTrial
    self.isPaid = isPaid
    self.isConverted = isConverted
    self.isRenewed = isRenewed
    self.isExpiry = isExpiry
    self.renewalNumber = renewalNumber
    self.cohortMonth = cohortMonth
    self.cohortProduct = cohortProduct
    self.cohortStart = cohortStart
  }
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
    player.levels = figures.firstLevels.map(\.level)
    player.reachedAt = figures.firstLevels.map(\.reachedAt)
    self.player = player
    days = figures.days.map {
      PlayerDayRow(day: $0, firstObservedOn: $0.isObserved ? player.firstObservedOn : nil)
    }
    purchases = zip(figures.receipts, figures.purchases).map { PurchaseRow($0, $1, of: player) }
    periods = figures.periods.map { PeriodRow($0, figures.receipts, calendar) }
    snapshots = figures.snapshots
    changes = figures.changes
  }
}

extension PurchaseRow {
  fileprivate init(_ receipt: Receipt, _ figures: PurchaseFigures, of player: PlayerRow) {
    self.init(
      paymentSeq: receipt.paymentSeq, purchasedAt: receipt.purchasedAt, currency: receipt.currency,
      amountMinor: receipt.amountMinor, product: receipt.product, store: receipt.store,
      isSandbox: receipt.isSandbox, isPromotion: receipt.isPromotion,
      isImprecise: receipt.isImprecise, figures: figures,
      firstObservedOn: figures.isPaid ? player.firstObservedOn : nil,
      firstPaidOn: figures.isPaid ? player.payments.firstPaidOn : nil)
  }
}

extension PeriodRow {
  fileprivate init(
    _ period: SubscriptionPeriod, _ receipts: [Receipt], _ calendar: CalendarDays
  ) {
    let receipt = receipts[period.receipt]
    self.init(
      paymentSeq: receipt.paymentSeq, chain: receipts[period.chain].paymentSeq, rule: period.rule,
      currency: receipt.currency, amountMinor: receipt.amountMinor, product: receipt.product,
      store: receipt.store, purchasedOn: calendar.span(of: receipt.purchasedAt).day,
      startsAt: period.startsAt, endsAt: period.endsAt,
      startsOn: calendar.span(of: period.startsAt).day,
      endsOn: calendar.span(of: period.endsAt).day, lengthInDays: period.lengthInDays,
      kind: period.kind, isTrial: receipt.isTrial, isPaid: receipt.isPaid,
      isConverted: period.isConverted, isRenewed: period.isRenewed, isExpiry: period.isExpiry,
      renewalNumber: period.cohort?.renewalNumber,
      cohortMonth: period.cohort.map { calendar.span(of: $0.startedAt).day.month },
      cohortProduct: period.cohort?.product ?? .null, cohortStart: period.cohort?.start)
  }
}
