/// The rows that the reports keep of one player.
///
/// Each is the row of a table of schema `rollup` without the columns that name the player.
package struct PlayerRows: Sendable {
  /// nil for a player without any row and without a kept observation.
  package var player: PlayerRow?
  package var days: [PlayerDayRow] = []
  package var purchases: [PurchaseRow] = []
  package var periods: [PeriodRow] = []
  package var characters: [LevelEvent] = []
  package var snapshots: [LevelEvent] = []
  package var changes: [CharacterChange] = []

  package init() {}

  package mutating func removeAll() {
    player = nil
    days.removeAll(keepingCapacity: true)
    purchases.removeAll(keepingCapacity: true)
    periods.removeAll(keepingCapacity: true)
    characters.removeAll(keepingCapacity: true)
    snapshots.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
  }
}

/// A row of `rollup.player`.
package struct PlayerRow: Equatable, Sendable {
  package var observed: ObservedSpan?
  package var firstObservedOn: Day?
  package var payments = Payments()
  /// The row that gives the current level; only level, channel, character and class count.
  package var current: CurrentLevel?
  package var newestAt: Instant?
  package var firstDays = FirstDays()
  package var lastLevelUpAt: Instant?
  package var levels: [Int32] = []
  package var reachedAt: [Instant] = []
  package var paidGroups: [PaidGroup] = []
  package var awaitsOriginal = false

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
  package var purchasedAt: Instant
  package var expiresAt: Instant
  package var paymentID: TextID
  package var originalPaymentID: TextID

  package init(
    paymentSeq: TextID, chain: TextID, rule: UInt8, currency: TextID, amountMinor: Int64?,
    product: TextID, store: TextID, purchasedOn: Day, startsAt: Instant, endsAt: Instant,
    startsOn: Day, endsOn: Day, lengthInDays: Int64, kind: SubscriptionPeriod.Kind?, isTrial: Bool,
    isPaid: Bool, isConverted: Bool, isRenewed: Bool, isExpiry: Bool, renewalNumber: Int32?,
    cohortMonth: Day?, cohortProduct: TextID,
    cohortStart: SubscriptionPeriod.Start?, purchasedAt: Instant, expiresAt: Instant,
    paymentID: TextID, originalPaymentID: TextID
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
    self.purchasedAt = purchasedAt
    self.expiresAt = expiresAt
    self.paymentID = paymentID
    self.originalPaymentID = originalPaymentID
  }

  /// The receipt of the period, as an earlier fold left it.
  package var receipt: Receipt {
    var receipt = Receipt(
      paymentSeq: paymentSeq, purchasedAt: purchasedAt, currency: currency,
      amountMinor: amountMinor, product: product, store: store,
      isPromotion: !isPaid && !isTrial && amountMinor != nil, expiresAt: expiresAt,
      isRenewable: true, paymentID: paymentID, originalPaymentID: originalPaymentID)
    receipt.stored = StoredPurchase(isObservation: kind == nil || kind == .new)
    return receipt
  }
}

extension PlayerRows {
  /// The rows of a player's figures.
  ///
  /// - Parameter isContinued: true if the figures continue from a state; the rows are then those
  ///   that are new or may have changed.
  package init(of figures: PlayerFigures, isContinued: Bool, calendar: CalendarDays) {
    let state = figures.state
    let hasRows =
      isContinued || !figures.receipts.isEmpty || !state.characters.isEmpty
      || state.observed != nil
    guard hasRows else { return }
    var player = PlayerRow()
    player.observed = state.observed
    player.firstObservedOn = state.observed.map { calendar.span(of: $0.first.at).day }
    player.payments = state.payments
    player.current = figures.current.map {
      PlayerRow.CurrentLevel(
        level: $0.level, channel: $0.channel, character: $0.character,
        characterClass: $0.characterClass)
    }
    player.newestAt = state.newestAt
    player.firstDays = state.firstDays
    player.lastLevelUpAt = state.lastLevelUpAt
    player.levels = state.firstLevels.map(\.level)
    player.reachedAt = state.firstLevels.map(\.reachedAt)
    player.paidGroups = state.paidGroups
    player.awaitsOriginal = state.awaitsOriginal
    self.player = player
    days = figures.days.map {
      PlayerDayRow(day: $0, firstObservedOn: $0.isObserved ? player.firstObservedOn : nil)
    }
    for (receipt, purchase) in zip(figures.receipts, figures.purchases)
    where receipt.stored == nil {
      purchases.append(PurchaseRow(receipt, purchase, of: player))
    }
    periods = figures.periods.map { PeriodRow($0, figures.receipts, calendar) }
    characters = state.characters
    snapshots = state.snapshots
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
      cohortProduct: period.cohort?.product ?? .null, cohortStart: period.cohort?.start,
      purchasedAt: receipt.purchasedAt, expiresAt: receipt.expiresAt ?? receipt.purchasedAt,
      paymentID: receipt.paymentID, originalPaymentID: receipt.originalPaymentID)
  }
}
