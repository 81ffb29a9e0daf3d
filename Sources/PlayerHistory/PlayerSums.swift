/// A sum of the reports: counts of all players by key, in a table of schema `rollup`.
package enum Sum: Int, CaseIterable, Sendable {
  case revenueDay
  case sandboxDay
  case playerPeriod
  case currencyPeriod
  case levelRevenue
  case cohortSize
  case cohortObserved
  case cohortConverted
  case cohortRevenue
  case subscriptionDay
  case mrrDay
  case subscriptionCohort
  case trialMonth
  case churnMonth
  case mrrMonth
  case level
  case levelTime
  case cohortLevel

  /// The name of the case, as in `revenue_day`.
  package var table: String {
    "\(self)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
  }
}

/// Counts the rows of players for the sums of the reports.
///
/// Users do not add up over rows, but firsts do: a user counts in a group with the first row there.
package struct PlayerSums {
  private var counts = Sum.allCases.map { _ in SumCounts() }
  private let texts: TextTable
  private let steps: [Int32]
  /// The texts of keys.
  package let keyTexts = TextTable()
  /// The player whose rows are added, and 1 or -1.
  private var player = PlayerRow()
  private var sign: Int128 = 1
  /// The cohorts that the player belongs to.
  private var cohorts: [(kind: SumColumn, day: Day)] = []
  // Texts that most rows of a player need.
  private var app = TextID.null
  private var firstObserved = SumColumn.text(.null)
  private var firstPaid = SumColumn.text(.null)
  private var periods: [SumColumn] = []

  /// - Parameters:
  ///   - texts: the texts of the players' rows.
  ///   - steps: the days of `rollup.cohort_step`, ascending.
  package init(texts: TextTable, steps: [Int32]) {
    self.texts = texts
    self.steps = steps
  }

  package subscript(sum: Sum) -> SumCounts { counts[sum.rawValue] }

  /// The memory that the counts take; with room to grow, up to twice as much.
  package var byteCount: Int { counts.reduce(0) { $0 + $1.byteCount } }

  package mutating func removeAll() {
    for index in counts.indices { counts[index].removeAll() }
    keyTexts.removeAll()
  }

  /// Adds the difference that a player makes.
  package mutating func add(_ change: PlayerChange, app: String) {
    self.app = keyTexts.id(of: app)
    firstObserved = text("first_observed")
    firstPaid = text("first_paid")
    periods = [text("day"), text("week"), text("month")]
    for (side, sign) in [(change.before, -1), (change.after, 1)] as [(PlayerChange.Side, Int128)] {
      guard let player = side.rows.player else { continue }
      (self.player, self.sign) = (player, sign)
      cohorts = [(firstObserved, player.firstObservedOn), (firstPaid, player.firstPaidOn)]
        .compactMap { kind, day in day.map { (kind, $0) } }
      addPlayer(highest: side.rows.firstLevels.last)
      for level in side.rows.firstLevels[side.levels] { add(level) }
      for day in side.rows.days[side.days] { add(day) }
      for purchase in side.rows.purchases[side.purchases] { add(purchase) }
      guard change.hasPeriods else { continue }
      var periods = side.rows.periods[...]
      while let chain = periods.first?.chain {
        add(periods.prefix { $0.chain == chain })
        periods = periods.drop { $0.chain == chain }
      }
    }
  }

  // MARK: - Implementation

  private mutating func add(_ sum: Sum, _ key: [SumColumn], _ values: [Int128]) {
    counts[sum.rawValue].add(app, key, values, times: sign)
  }

  private func text(_ text: String) -> SumColumn { .text(keyTexts.id(of: text)) }

  /// A text of the player's rows.
  private func text(_ id: TextID) -> SumColumn {
    .text(texts.bytes(id)?.withUnsafeBytes { keyTexts.id(of: $0) } ?? .null)
  }

  /// The day, its week and its month, each with its name and its first day.
  private func periods(of day: Day) -> [(mark: Periods, name: SumColumn, start: SumColumn)] {
    [
      (.day, periods[0], .day(day)), (.week, periods[1], .day(day.week)),
      (.month, periods[2], .day(day.month)),
    ]
  }

  /// The first step at or after the days from `cohort` to `day`; nil behind the last one.
  ///
  /// A purchase before the first observation (a subscription that a store continued) counts from
  /// day 0 on.
  private func step(from cohort: Day, to day: Day) -> Int32? {
    steps.first { $0 >= day.number - cohort.number }
  }

  private mutating func addPlayer(highest: FirstLevel?) {
    for (kind, day) in cohorts { add(.cohortSize, [kind, .day(day)], [1]) }
    if let highest { add(.level, [.number(highest.level)], [0, 1]) }
    guard let observed = player.firstObservedOn else { return }
    for (_, period, start) in periods(of: observed) {
      add(.playerPeriod, [period, start], [1, 0, 0, 0, 1, 0, 0])
    }
    if let paid = player.firstPaidOn, let step = step(from: observed, to: paid) {
      add(.cohortConverted, [.day(observed), .number(step)], [1])
    }
    if let highest {
      add(.cohortLevel, [.day(observed.month), .number(highest.level)], [0, 1])
    }
  }

  private mutating func add(_ first: FirstLevel) {
    let level = SumColumn.number(first.level)
    add(.level, [level], [1, 0])
    if let observed = player.firstObservedOn {
      add(.cohortLevel, [.day(observed.month), level], [1, 0])
    }
    let starts =
      [
        (firstObserved, player.firstObserved?.at),
        (text("previous_level"), first.previousAt),
      ] as [(SumColumn, Instant?)]
    for (kind, start) in starts {
      guard let start else { continue }
      let bucket = DurationBucket.number(of: first.reachedAt.seconds(since: start))
      add(.levelTime, [level, kind, .number(bucket)], [1])
    }
  }

  private mutating func add(_ day: PlayerDay) {
    for (mark, period, start) in periods(of: day.day) {
      add(
        .playerPeriod, [period, start],
        [
          1, one(day.firstObserved.contains(mark)), one(day.firstLevelUp.contains(mark)),
          one(day.firstSnapshot.contains(mark)), 0, 0, 0,
        ])
    }
    if day.isObserved, let cohort = player.firstObservedOn {
      let dayN = day.day.number - cohort.number
      if steps.contains(dayN) { add(.cohortObserved, [.day(cohort), .number(dayN)], [1]) }
    }
  }

  private mutating func add(_ purchase: PurchaseRow) {
    let (receipt, firsts, day) = (purchase.receipt, purchase.firsts, purchase.purchasedOn)
    let isPaid = receipt.isPaid
    let currency = text(receipt.currency)
    let product = text(receipt.product)
    let store = text(receipt.store)
    let amount = Int128(receipt.amountMinor ?? 0)
    if receipt.isSandbox == true {
      return add(
        .sandboxDay, [.day(day), currency, product, store],
        [1, one(firsts.isFirstOfProduct), amount])
    }
    let isPromotion = receipt.isPromotion == true
    add(
      .revenueDay, [.day(day), currency, product, store, .flag(isPromotion)],
      [
        1, one(isPaid), one(firsts.isFirstOfProduct),
        one(firsts.isFirstOfProduct && firsts.ofNewPayer.contains(.day)),
        one(receipt.amountMinor == 0), one(receipt.amountMinor == nil), one(receipt.isImprecise),
        one(receipt.isSandbox == nil), isPaid ? amount : 0, isPromotion ? amount : 0,
      ])
    guard isPaid else { return }
    for (mark, period, start) in periods(of: day) {
      let isNew = firsts.ofNewPayer.contains(mark)
      add(
        .currencyPeriod, [currency, period, start],
        [1, one(firsts.inCurrency.contains(mark)), amount, isNew ? amount : 0])
      if firsts.paid.contains(mark) {
        add(.playerPeriod, [period, start], [0, 0, 0, 0, 0, 1, one(isNew)])
      }
    }
    add(
      .levelRevenue,
      [currency, .number(purchase.level.level), text(purchase.level.attribution.rawValue)],
      [1, one(firsts.isFirstAtLevel), amount])
    for (kind, cohort) in cohorts {
      guard let step = step(from: cohort, to: day) else { continue }
      add(
        .cohortRevenue, [kind, .day(cohort), .number(step), currency],
        [1, one(firsts.inCurrency.contains(.ever)), amount])
    }
  }
}

/// 1 for true.
private func one(_ isCounted: Bool) -> Int128 { isCounted ? 1 : 0 }

extension PlayerSums {
  /// Adds the periods of a chain, which come in the order of time.
  private mutating func add(_ chain: ArraySlice<SubscriptionPeriod>) {
    for period in chain { add(period) }
    // Periods without length stand apart.
    let lasting = chain.filter { $0.kind != nil }
    addChurn(lasting)
    addMovements(lasting)
    addTrials(lasting)
  }

  private mutating func add(_ period: SubscriptionPeriod) {
    let (receipt, kind, price) = (period.receipt, period.kind, period.monthlyPrice)
    let (product, store) = (text(receipt.product), text(receipt.store))
    // Every product with a subscription has rows.
    add(.churnMonth, [product, .day(period.startsOn.month)], [1, 0, 0])
    guard let kind else {
      return add(
        .subscriptionDay, [product, store, .day(period.purchasedOn)],
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    }
    let active = [
      one(receipt.isPaid), one(receipt.isTrial),
      one(!receipt.isPaid && !receipt.isTrial),
    ]
    add(
      .subscriptionDay, [product, store, .day(period.startsOn)],
      [1] + active + [
        one(kind == .new), one(kind == .continued), one(period.isConverted), one(kind == .renewal),
        one(kind == .resubscription), 0, 0,
      ])
    add(
      .subscriptionDay, [product, store, .day(period.endsOn)],
      [1] + active.map { -$0 } + [0, 0, 0, 0, 0, one(period.isExpiry), 0])
    if receipt.isPaid {
      for (day, step) in [(period.startsOn, 1), (period.endsOn, -1)] as [(Day, Int128)] {
        add(
          .mrrDay, [text(receipt.currency), .day(day)],
          [1, step * (price ?? 0), step * one(price == nil)])
      }
    }
    if let cohort = period.cohort {
      add(
        .subscriptionCohort,
        [
          text(cohort.product), .day(cohort.month), text(cohort.start.rawValue),
          .number(cohort.renewalNumber),
        ],
        [1, one(period.isRenewed)])
    }
  }

  /// Chains with a paid period at the start of a month, and those of them with none at its end.
  private mutating func addChurn(_ lasting: [SubscriptionPeriod]) {
    var before: (product: SumColumn, last: Day)?
    for (index, period) in lasting.enumerated() where period.receipt.isPaid {
      let next = index + 1 < lasting.count ? lasting[index + 1] : nil
      // A chain stays active up to its renewal, which begins at most 16 days after the end.
      let end = next?.kind == .renewal ? next?.startsOn : nil
      let (first, last) = (period.startsOn.month, (end ?? period.endsOn).month)
      guard first < last else { continue }
      let product = text(period.receipt.product)
      add(.churnMonth, [product, .day(first.nextMonth)], [1, 1, 0])
      add(.churnMonth, [product, .day(last.nextMonth)], [1, -1, 0])
      // A churn, unless another period begins in that month.
      add(.churnMonth, [product, .day(last)], [1, 0, 1])
      if let before, before.last == first {
        add(.churnMonth, [before.product, .day(first)], [-1, 0, -1])
      }
      before = (product, last)
    }
  }

  /// Changes of a chain's monthly price from one end of a month to the next, by currency.
  private mutating func addMovements(_ lasting: [SubscriptionPeriod]) {
    var firstMonths: [TextID: Day] = [:]
    var before: [TextID: (price: Int128, last: Day)] = [:]
    for period in lasting where period.receipt.isPaid {
      guard let price = period.monthlyPrice else { continue }
      let id = period.receipt.currency
      let (first, last) = (period.startsOn.month, period.endsOn.month)
      let firstMonth = firstMonths[id] ?? first
      firstMonths[id] = firstMonth
      // Active at the ends of the months from the first one on, but not of the last one.
      guard first < last else { continue }
      let currency = text(id)
      func move(_ values: [Int128]) { add(.mrrMonth, [currency, .day(first)], values) }
      if let before = before[id], before.last == first {
        // No churn, as another period begins in that month.
        move([-1, 0, 0, 0, 0, -before.price])
        let change = price - before.price
        if change != 0 { move([1, 0, 0, max(0, change), max(0, -change), 0]) }
      } else {
        move(first == firstMonth ? [1, price, 0, 0, 0, 0] : [1, 0, price, 0, 0, 0])
      }
      add(.mrrMonth, [currency, .day(last)], [1, 0, 0, 0, 0, price])
      before[id] = (price, last)
    }
  }

  /// Trials by the month of their start; those in a row are one, and a paid period that follows
  /// converts them.
  private mutating func addTrials(_ lasting: [SubscriptionPeriod]) {
    // Those that no paid period has followed yet.
    var open: [(first: SubscriptionPeriod, endsAt: Instant)] = []
    func end(isConverted: Bool) {
      for (first, endsAt) in open {
        // As the server takes a time; a trial that is converted is so whenever it ends.
        let end = withUnsafeBytes(of: endsAt.microseconds.bigEndian) { keyTexts.id(of: $0) }
        let key = [text(first.receipt.product), SumColumn.day(first.startsOn.month)]
        add(.trialMonth, key + [.text(isConverted ? .null : end)], [1, one(isConverted)])
      }
      open = []
    }
    var wasTrial = false
    for period in lasting {
      if period.receipt.isPaid {
        end(isConverted: period.isConverted)
      } else if period.receipt.isTrial {
        if wasTrial, period.kind == .renewal {
          open[open.count - 1].endsAt = max(open[open.count - 1].endsAt, period.endsAt)
        } else {
          open.append((period, period.endsAt))
        }
      }
      wasTrial = period.receipt.isTrial
    }
    end(isConverted: false)
  }
}
