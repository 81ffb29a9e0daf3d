/// Counts the rows of players for the sums of the reports.
///
/// Users do not add up over rows, but firsts do: a user counts in a group with the first row there.
package struct PlayerSums {
  package private(set) var counts = SumCounts()
  private let texts: TextTable
  private let steps: [Int32]
  private let twelfths: [Int32: Int32]

  /// - Parameters:
  ///   - texts: the texts of the players' rows.
  ///   - steps: the days of `rollup.cohort_step`, ascending.
  ///   - twelfths: by the length of a period in days, the twelfths of its price that are a monthly
  ///     price (`rollup.mrr_factor`).
  package init(texts: TextTable, steps: [Int32], twelfths: [Int32: Int32]) {
    self.texts = texts
    self.steps = steps
    self.twelfths = twelfths
  }

  package mutating func removeAll() { counts.removeAll() }

  /// Adds the difference that a player makes.
  package mutating func add(_ change: PlayerChange, app: String) {
    let app = counts.number(of: Array(app.utf8)[...])
    for (side, sign) in [(change.before, -1), (change.after, 1)] as [(PlayerChange.Side, Int128)] {
      guard let player = side.rows.player else { continue }
      let owner = Owner(app: app, sign: sign, player: player)
      add(player, side.rows.firstLevels.last, owner)
      for level in side.rows.firstLevels[side.levels] { add(level, owner) }
      for day in side.rows.days[side.days] { add(day, owner) }
      for purchase in side.rows.purchases[side.purchases] { add(purchase, owner) }
      if change.hasPeriods { add(side.rows.periods, owner) }
    }
  }

  // MARK: - Implementation

  private struct Owner {
    let app: Int32
    let sign: Int128
    let player: PlayerRow

    /// The cohorts that the player belongs to, by the number of their kind.
    var cohorts: [(kind: Int32, day: Day)] {
      [(0, player.firstObservedOn), (1, player.firstPaidOn)].compactMap { kind, day in
        day.map { (kind, $0) }
      }
    }
  }

  private mutating func add(_ sum: Sum, _ owner: Owner, _ key: [Int32], _ values: [Int128]) {
    counts.add(sum, owner.app, key, values, times: owner.sign)
  }

  private mutating func number(_ text: TextID) -> Int32 { counts.number(of: texts.bytes(text)) }

  /// The first step at or after the days from `cohort` to `day`; nil behind the last one.
  ///
  /// A purchase before the first observation (a subscription that a store continued) counts from
  /// day 0 on.
  private func step(from cohort: Day, to day: Day) -> Int32? {
    steps.first { $0 >= day.number - cohort.number }
  }

  private mutating func add(_ player: PlayerRow, _ highest: FirstLevel?, _ owner: Owner) {
    for (kind, day) in owner.cohorts { add(.cohortSize, owner, [kind, day.number], [1]) }
    if let observed = player.firstObservedOn {
      for (_, period, start) in observed.periods {
        add(.playerPeriod, owner, [period, start], [1, 0, 0, 0, 1, 0, 0])
      }
      if let paid = player.firstPaidOn, let step = step(from: observed, to: paid) {
        add(.cohortConverted, owner, [observed.number, step], [1])
      }
      if let highest {
        add(.cohortLevel, owner, [observed.month.number, highest.level], [0, 1])
      }
    }
    if let highest { add(.level, owner, [highest.level], [0, 1]) }
  }

  private mutating func add(_ level: FirstLevel, _ owner: Owner) {
    add(.level, owner, [level.level], [1, 0])
    if let observed = owner.player.firstObservedOn {
      add(.cohortLevel, owner, [observed.month.number, level.level], [1, 0])
    }
    let starts = [owner.player.firstObserved?.at, level.previousAt]
    for (kind, start) in zip(Int32(0)..., starts) {
      guard let start else { continue }
      let bucket = DurationBucket.number(of: level.reachedAt.seconds(since: start))
      add(.levelTime, owner, [level.level, kind, bucket], [1])
    }
  }

  private mutating func add(_ day: PlayerDay, _ owner: Owner) {
    for (mark, period, start) in day.day.periods {
      add(
        .playerPeriod, owner, [period, start],
        [
          1, one(day.firstObserved.contains(mark)), one(day.firstLevelUp.contains(mark)),
          one(day.firstSnapshot.contains(mark)), 0, 0, 0,
        ])
    }
    if day.isObserved, let cohort = owner.player.firstObservedOn {
      let dayN = day.day.number - cohort.number
      if steps.contains(dayN) { add(.cohortObserved, owner, [cohort.number, dayN], [1]) }
    }
  }

  private mutating func add(_ purchase: PurchaseRow, _ owner: Owner) {
    let receipt = purchase.receipt
    let firsts = purchase.firsts
    let isPaid = receipt.isPaid
    let day = purchase.purchasedOn
    let currency = number(receipt.currency)
    let product = number(receipt.product)
    let store = number(receipt.store)
    let amount = Int128(receipt.amountMinor ?? 0)
    if receipt.isSandbox == true {
      add(
        .sandboxDay, owner, [day.number, currency, product, store],
        [1, one(firsts.isFirstOfProduct), amount])
      return
    }
    let isPromotion = receipt.isPromotion == true
    add(
      .revenueDay, owner, [day.number, currency, product, store, isPromotion ? 1 : 0],
      [
        1, one(isPaid), one(firsts.isFirstOfProduct),
        one(firsts.isFirstOfProduct && firsts.ofNewPayer.contains(.day)),
        one(receipt.amountMinor == 0), one(receipt.amountMinor == nil), one(receipt.isImprecise),
        one(receipt.isSandbox == nil), isPaid ? amount : 0, isPromotion ? amount : 0,
      ])
    guard isPaid else { return }
    for (mark, period, start) in day.periods {
      let isNew = firsts.ofNewPayer.contains(mark)
      add(
        .currencyPeriod, owner, [currency, period, start],
        [1, one(firsts.inCurrency.contains(mark)), amount, isNew ? amount : 0])
      if firsts.paid.contains(mark) {
        add(.playerPeriod, owner, [period, start], [0, 0, 0, 0, 0, 1, one(isNew)])
      }
    }
    let level = purchase.level
    add(
      .levelRevenue, owner,
      [currency, level.level ?? SumCounts.null, Int32(level.attribution.rawValue)],
      [1, one(firsts.isFirstAtLevel), amount])
    for (kind, cohort) in owner.cohorts {
      guard let step = step(from: cohort, to: day) else { continue }
      add(
        .cohortRevenue, owner, [kind, cohort.number, step, currency],
        [1, one(firsts.inCurrency.contains(.ever)), amount])
    }
  }
}

/// 1 for true.
func one(_ isCounted: Bool) -> Int128 { isCounted ? 1 : 0 }

extension Day {
  /// The day, its week and its month, each with the number of its name and its first day.
  fileprivate var periods: [(mark: Periods, period: Int32, start: Int32)] {
    [(.day, 0, number), (.week, 1, week.number), (.month, 2, month.number)]
  }
}

extension PlayerSums {
  /// Adds all periods of a player, which come chain by chain, each in the order of time.
  private mutating func add(_ periods: [PeriodRow], _ owner: Owner) {
    var start = 0
    for end in 1...max(1, periods.count) where start < periods.count {
      guard end == periods.count || periods[end].chain != periods[start].chain else { continue }
      let chain = periods[start..<end]
      for period in chain { add(period, owner) }
      // Periods without length stand apart.
      let lasting = chain.filter { $0.period.kind != nil }
      addChurn(chain, lasting, owner)
      addMovements(lasting, owner)
      if lasting.contains(where: \.receipt.isTrial) { addTrials(lasting, owner) }
      start = end
    }
  }

  private mutating func add(_ period: PeriodRow, _ owner: Owner) {
    let product = number(period.receipt.product)
    let store = number(period.receipt.store)
    if let kind = period.period.kind {
      let active = [
        one(period.receipt.isPaid), one(period.receipt.isTrial && !period.receipt.isPaid),
        one(!period.receipt.isPaid && !period.receipt.isTrial),
      ]
      add(
        .subscriptionDay, owner, [product, store, period.startsOn.number],
        [1] + active + [
          one(kind == .new), one(kind == .continued), one(period.period.isConverted),
          one(kind == .renewal), one(kind == .resubscription), 0, 0,
        ])
      add(
        .subscriptionDay, owner, [product, store, period.endsOn.number],
        [1] + active.map { -$0 } + [0, 0, 0, 0, 0, one(period.period.isExpiry), 0])
    } else {
      add(
        .subscriptionDay, owner, [product, store, period.purchasedOn.number],
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    }
    if period.receipt.isPaid, period.period.kind != nil {
      let price = monthlyPrice(of: period)
      for (day, step) in [(period.startsOn, 1), (period.endsOn, -1)] as [(Day, Int128)] {
        add(
          .mrrDay, owner, [number(period.receipt.currency), day.number],
          [1, step * (price ?? 0), step * one(price == nil)])
      }
    }
    if let cohort = period.period.cohort, let month = period.cohortMonth {
      add(
        .subscriptionCohort, owner,
        [
          number(cohort.product), month.number, Int32(cohort.start.rawValue), cohort.renewalNumber,
        ],
        [1, one(period.period.isRenewed)])
    }
  }

  /// In twelfths of the minor unit; nil for a length without a monthly price.
  private func monthlyPrice(of period: PeriodRow) -> Int128? {
    twelfths[Int32(clamping: period.period.lengthInDays)].map {
      Int128(period.receipt.amountMinor ?? 0) * Int128($0)
    }
  }

  /// Chains with a paid period at the start of a month, and those of them with none at its end.
  private mutating func addChurn(
    _ chain: ArraySlice<PeriodRow>, _ lasting: [PeriodRow], _ owner: Owner
  ) {
    // Every product with a subscription has rows.
    for period in chain {
      let product = number(period.receipt.product)
      add(.churnMonth, owner, [product, period.startsOn.month.number], [1, 0, 0])
    }
    let active = lasting.indices.compactMap { index -> (PeriodRow, first: Day, last: Day)? in
      let period = lasting[index]
      let next = index + 1 < lasting.count ? lasting[index + 1] : nil
      // A chain stays active up to its renewal, which begins at most 16 days after the end.
      let last = next?.period.kind == .renewal ? next?.startsOn : nil
      let months = (period.startsOn.month, (last ?? period.endsOn).month)
      return period.receipt.isPaid && months.0 < months.1 ? (period, months.0, months.1) : nil
    }
    for (index, (period, first, last)) in active.enumerated() {
      let product = number(period.receipt.product)
      add(.churnMonth, owner, [product, first.nextMonth.number], [1, 1, 0])
      add(.churnMonth, owner, [product, last.nextMonth.number], [1, -1, 0])
      if index + 1 == active.count || active[index + 1].first != last {
        add(.churnMonth, owner, [product, last.number], [1, 0, 1])
      }
    }
  }

  /// Changes of a chain's monthly price from one end of a month to the next, by currency.
  private mutating func addMovements(_ lasting: [PeriodRow], _ owner: Owner) {
    for (currency, periods) in Dictionary(grouping: lasting, by: \.receipt.currency) {
      let priced = periods.compactMap { period in
        period.receipt.isPaid
          ? monthlyPrice(of: period).map {
            (price: $0, first: period.startsOn.month, last: period.endsOn.month)
          } : nil
      }
      // Active at the ends of the months from the first one on, but not of the last one.
      let active = priced.filter { $0.first < $0.last }
      for (index, period) in active.enumerated() {
        let before = index > 0 ? active[index - 1] : nil
        var values: [Int128] = [1, 0, 0, 0, 0, 0]
        var movement = period.price
        if let before, before.last == period.first {
          movement -= before.price
          values[3] = max(0, movement)
          values[4] = max(0, -movement)
        } else if priced.first?.first == period.first {
          values[1] = movement
        } else {
          values[2] = movement
        }
        let key = number(currency)
        if movement != 0 { add(.mrrMonth, owner, [key, period.first.number], values) }
        if index + 1 == active.count || active[index + 1].first != period.last, period.price != 0 {
          add(.mrrMonth, owner, [key, period.last.number], [1, 0, 0, 0, 0, period.price])
        }
      }
    }
  }

  /// Trials by the month of their start; those in a row are one, and a paid period that follows
  /// converts them.
  private mutating func addTrials(_ lasting: [PeriodRow], _ owner: Owner) {
    var trials: [(product: TextID, month: Day, endsAt: Instant, isConverted: Bool)] = []
    // Those that no paid period has followed yet.
    var open = 0
    for (index, row) in lasting.enumerated() {
      let (period, receipt) = (row.period, row.receipt)
      if receipt.isTrial {
        if index == 0 || !lasting[index - 1].receipt.isTrial || period.kind != .renewal {
          trials.append((receipt.product, row.startsOn.month, period.endsAt, false))
        } else {
          trials[trials.count - 1].endsAt = max(trials[trials.count - 1].endsAt, period.endsAt)
        }
      } else if receipt.isPaid {
        if period.isConverted {
          for trial in trials[open...].indices { trials[trial].isConverted = true }
        }
        open = trials.count
      }
    }
    for trial in trials {
      let key = [number(trial.product), trial.month.number]
      add(.trialMonth, owner, key, [1, one(trial.isConverted)])
      if !trial.isConverted {
        let end = withUnsafeBytes(of: trial.endsAt.microseconds.bigEndian) { Array($0) }
        add(.trialEnd, owner, key + [counts.number(of: end[...])], [1])
      }
    }
  }
}
