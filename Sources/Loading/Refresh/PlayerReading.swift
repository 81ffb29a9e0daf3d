internal import PlayerHistory
internal import Postgres

/// What `rollup.open_player_rows` tells of one player: the rows, and what the reports have of them.
struct PlayerReading {
  private(set) var number: Int32 = 0
  private(set) var app = ""
  private(set) var user: [UInt8] = []
  /// True when all rows of the player come, and all stored figures.
  private(set) var isLate = true
  /// True for a late player whose unchanged receipts come without the references of the store.
  private(set) var isShort = false
  /// The day of the first late row, if the rows from there on suffice; nil for other players.
  private var since: Day?
  /// True if the new rows lie behind the stored ones.
  var continuesLastDay: Bool { !isLate && since == nil }
  /// True if no row lies before those that come.
  private var isWhole = false
  /// True if the rows do not suffice, so that all of the player are needed.
  private(set) var lacksRows = false
  private(set) var history = PlayerHistory()
  /// The stored rows; of a player who is not late only those that new rows can touch.
  private(set) var stored = PlayerRows()

  let texts = TextTable()

  /// The kinds of rows, in the order in which those of a player come.
  enum Kind: Int16 {
    case player
    case observed
    case payments
    case character
    case snapshot
    case change
    case day
    case purchase
    case period
    case keptObservation
    case receipt
    case levelEvent
  }

  /// The columns of every row.
  enum Column {
    static let number = 0
    static let kind = 1
    static let at = 2
    static let until = 3
    /// Seven numbers, `n1` to `n7` in SQL.
    static func n(_ place: Int) -> Int { 3 + place }
    /// Seven texts, `t1` to `t7` in SQL.
    static func t(_ place: Int) -> Int { 10 + place }
    static let levels = 18
    static let reachedAt = 19
    static let paidGroups = 20
    static let originalPayment = 21
  }

  mutating func begin(number: Int32) {
    self.number = number
    since = nil
    lacksRows = false
    texts.removeAll()
    history.removeAll()
    stored.removeAll()
  }

  mutating func read(_ row: PlayerRowReader) {
    guard
      let kind = Kind(
        rawValue: row.part.int16(row: row.row, column: Column.kind) ?? -1)
    else { return }
    switch kind {
    case .player: readPlayer(row)
    case .observed: readObserved(row)
    case .payments: readPayments(row)
    case .character: stored.characters.append(readLevel(row, texts))
    case .snapshot: stored.snapshots.append(readLevel(row, texts))
    case .change: readChange(row)
    case .day: readDay(row)
    case .purchase: readPurchase(row)
    case .period: readPeriod(row)
    case .keptObservation: readKeptObservation(row)
    case .receipt: readReceipt(row)
    case .levelEvent: history.levels.append(readLevel(row, texts))
    }
  }

  /// Completes the history; no row of the player follows.
  mutating func end(_ calendar: CalendarDays) {
    guard !isLate else {
      if isShort { addReferences() }
      return
    }
    let start = since.flatMap { calendar.start(of: $0) }
    addStoredSubscriptions(before: start)
    if let since, let start {
      history.state = stored.state(
        before: since, startingAt: start, events: history.levels, areAllEvents: isWhole,
        texts: texts)
      lacksRows = history.state == nil
      history.levels.removeAll { $0.isDated && $0.at < start }
      stored.keepRows(since: since, startingAt: start)
    } else if let player = stored.player {
      var state = PlayerState()
      state.newestAt = player.newestAt
      state.observed = player.observed
      state.payments = player.payments
      state.characters = stored.characters
      state.snapshots = stored.snapshots
      state.firstLevels = player.firstLevels
      state.lastLevelUpAt = player.lastLevelUpAt
      state.paidGroups = player.paidGroups
      state.awaitsOriginal = player.awaitsOriginal
      state.lastDay = stored.days.last?.day
      state.firstDays = player.firstDays
      history.state = state
    }
  }

  // MARK: - Implementation

  /// Adds the receipts of subscriptions as an earlier fold left them; those since `start` come as they
  /// are.
  private mutating func addStoredSubscriptions(before start: Instant?) {
    guard !stored.periods.isEmpty else { return }
    let subscriptions = stored.periods.filter { period in
      start.map { period.purchasedAt < $0 } ?? true
    }
    let known = Set(subscriptions.map(\.paymentSeq))
    history.receipts.removeAll { known.contains($0.paymentSeq) }
    history.receipts += subscriptions.map(\.receipt)
  }

  /// Adds the store's references to the receipts that come from the reports.
  private mutating func addReferences() {
    guard !stored.periods.isEmpty else { return }
    var periods: [TextID: PeriodRow] = [:]
    for period in stored.periods { periods[period.paymentSeq] = period }
    for index in history.receipts.indices {
      guard let period = periods[history.receipts[index].paymentSeq] else { continue }
      history.receipts[index].expiresAt = period.expiresAt
      history.receipts[index].isRenewable = true
      history.receipts[index].paymentID = period.paymentID
      history.receipts[index].originalPaymentID = period.originalPaymentID
      history.receipts[index].wasContinued =
        period.kind == .continued ? true : period.kind == .new ? false : nil
    }
  }

  private mutating func readPlayer(_ row: PlayerRowReader) {
    let flags = row.integer(4) ?? 0
    isLate = flags & 1 != 0
    isShort = flags & 4 != 0
    isWhole = flags & 16 != 0
    since = row.day(5)
    history.hasAllReferences = !isShort
    app = row.string(1)
    user = row.bytes(2)
    guard flags & 2 != 0 else { return }
    var player = PlayerRow()
    player.newestAt = row.instant(Column.at)
    player.lastLevelUpAt = row.instant(Column.until)
    player.payments.paidCount = row.integer(1) ?? 0
    player.payments.receiptCount = row.integer(2) ?? 0
    player.payments.subscriptionCount = row.integer(3) ?? 0
    player.levels = row.array(Int32.self, Column.levels)
    player.reachedAt = row.array(Int64.self, Column.reachedAt).map { Instant(microseconds: $0) }
    player.paidGroups = row.array(Int64.self, Column.paidGroups).map { PaidGroup(rawValue: $0) }
    player.awaitsOriginal = flags & 8 != 0
    stored.player = player
  }

  private mutating func readObserved(_ row: PlayerRowReader) {
    if let first = row.instant(Column.at), let last = row.instant(Column.until) {
      let observed = ObservedSpan(
        first: Observation(at: first, stream: Self.stream(row.string(1))),
        last: Observation(at: last, stream: Self.stream(row.string(2))))
      stored.player?.observed = observed
    }
    stored.player?.firstDays = FirstDays(
      observedOn: row.day(1), levelUpOn: row.day(2), snapshotOn: row.day(3))
    stored.player?.firstObservedOn = row.day(4)
  }

  private static func stream(_ name: String) -> Observation.Stream {
    name == "receipt" ? .receipt : name == "level_up" ? .levelUp : .gameUser
  }

  private mutating func readPayments(_ row: PlayerRowReader) {
    stored.player?.payments.firstPaidAt = row.instant(Column.at)
    stored.player?.payments.lastPaidAt = row.instant(Column.until)
    stored.player?.payments.firstPaidOn = row.day(1)
    let texts = texts
    let current = row.int32(2).map {
      PlayerRow.CurrentLevel(
        level: $0, channel: row.text(2, texts), character: row.text(1, texts),
        characterClass: row.text(3, texts))
    }
    stored.player?.current = current
  }

  private mutating func readChange(_ row: PlayerRowReader) {
    guard let validFrom = row.instant(Column.at) else { return }
    stored.changes.append(
      CharacterChange(
        channel: row.text(2, texts), character: row.text(1, texts), validFrom: validFrom,
        level: row.int32(1) ?? 0, characterClass: row.text(3, texts)))
  }

  private mutating func readDay(_ row: PlayerRowReader) {
    guard let number = row.day(1) else { return }
    var day = PlayerDay(day: number)
    day.levelUpCount = row.integer(2) ?? 0
    day.snapshotCount = row.integer(3) ?? 0
    day.paidCount = row.integer(4) ?? 0
    day.levelAtEnd = row.int32(5)
    let flags = row.integer(6) ?? 0
    day.firsts = DayFirsts(rawValue: Int16(truncatingIfNeeded: flags & 0xFFFF))
    day.isObserved = flags & 65536 != 0
    day.isNewPayer = flags & 131072 != 0
    stored.days.append(PlayerDayRow(day: day, firstObservedOn: row.day(7)))
  }

  private mutating func readPurchase(_ row: PlayerRowReader) {
    guard let purchasedAt = row.instant(Column.at), let day = row.day(5) else { return }
    let flags = row.integer(4) ?? 0
    var level = LevelAtInstant.none
    if flags & 384 != 0 {
      level = LevelAtInstant(
        attribution: flags & 128 != 0 ? .exact : .highestOfSeveral, level: row.int32(2),
        character: row.text(5, texts), channel: row.text(6, texts),
        characterClass: row.text(7, texts))
    }
    let figures = PurchaseFigures(
      purchasedOn: day, isPaid: flags & 32 != 0, isObservation: flags & 64 != 0, level: level,
      firsts: PurchaseFirsts(rawValue: row.int32(3) ?? 0))
    let purchase = PurchaseRow(
      paymentSeq: row.text(1, texts), purchasedAt: purchasedAt, currency: row.text(2, texts),
      amountMinor: row.integer(1), product: row.text(3, texts), store: row.text(4, texts),
      isSandbox: PlayerRowReader.flag(flags), isPromotion: PlayerRowReader.flag(flags >> 2),
      isImprecise: flags & 16 != 0, figures: figures, firstObservedOn: row.day(6),
      firstPaidOn: row.day(7))
    stored.purchases.append(purchase)
    // No subscription, and unchanged: the reports tell all that the figures depend on.
    guard isShort, flags & 512 != 0 else { return }
    history.receipts.append(
      Receipt(
        paymentSeq: purchase.paymentSeq, purchasedAt: purchasedAt, currency: purchase.currency,
        amountMinor: purchase.amountMinor, product: purchase.product, store: purchase.store,
        isSandbox: purchase.isSandbox, isPromotion: purchase.isPromotion,
        isImprecise: purchase.isImprecise))
  }

  private mutating func readPeriod(_ row: PlayerRowReader) {
    guard let startsAt = row.instant(Column.at), let endsAt = row.instant(Column.until),
      let purchasedOn = row.day(2), let startsOn = row.day(3), let endsOn = row.day(5)
    else { return }
    let times = row.array(Int64.self, Column.reachedAt).map { Instant(microseconds: $0) }
    guard let purchasedAt = times.first, let expiresAt = times.last else { return }
    let flags = row.integer(4) ?? 0
    let kinds: [SubscriptionPeriod.Kind?] = [nil, .new, .continued, .renewal, .resubscription]
    stored.periods.append(
      PeriodRow(
        paymentSeq: row.text(1, texts), chain: row.text(2, texts), rule: UInt8(flags & 3),
        currency: row.text(3, texts), amountMinor: row.integer(1), product: row.text(4, texts),
        store: row.text(5, texts), purchasedOn: purchasedOn, startsAt: startsAt, endsAt: endsAt,
        startsOn: startsOn, endsOn: endsOn, lengthInDays: flags >> 12,
        kind: kinds[Int(flags >> 2 & 7)], isTrial: flags & 32 != 0, isPaid: flags & 64 != 0,
        isConverted: flags & 128 != 0, isRenewed: flags & 256 != 0, isExpiry: flags & 512 != 0,
        renewalNumber: row.int32(6), cohortMonth: row.day(7), cohortProduct: row.text(6, texts),
        cohortStart: SubscriptionPeriod.Start(rawValue: UInt8(flags >> 10 & 3)),
        purchasedAt: purchasedAt, expiresAt: expiresAt, paymentID: row.text(7, texts),
        originalPaymentID: row.text(at: Column.originalPayment, texts)))
  }

  private mutating func readKeptObservation(_ row: PlayerRowReader) {
    let stream = row.integer(4) == 1 ? Observation.Stream.levelUp : .gameUser
    for at in [row.instant(Column.at), row.instant(Column.until)].compactMap({ $0 }) {
      history.keptObservations.append(Observation(at: at, stream: stream))
    }
  }

  private mutating func readReceipt(_ row: PlayerRowReader) {
    guard let purchasedAt = row.instant(Column.at) else { return }
    let flags = row.integer(4) ?? 0
    var receipt = Receipt(
      paymentSeq: row.text(1, texts), purchasedAt: purchasedAt, currency: row.text(2, texts),
      amountMinor: row.integer(1), product: row.text(3, texts), store: row.text(4, texts),
      isSandbox: PlayerRowReader.flag(flags), isPromotion: PlayerRowReader.flag(flags >> 2),
      expiresAt: row.instant(Column.until), isRenewable: flags & 32 != 0,
      paymentID: row.text(5, texts), originalPaymentID: row.text(6, texts),
      file: row.integer(2) ?? 0, line: row.integer(3) ?? 0)
    receipt.isImprecise = flags & 16 != 0
    if flags & 64 != 0 { receipt.stored = StoredPurchase(isObservation: flags & 128 != 0) }
    history.receipts.append(receipt)
  }

  private func readLevel(_ row: PlayerRowReader, _ texts: TextTable) -> LevelEvent {
    let source = row.integer(4) ?? 0
    var event = LevelEvent(
      at: row.instant(Column.at) ?? Instant(microseconds: 0),
      kind: source == 0 ? .loadStart : source == 1 ? .levelUp : .snapshot, level: row.int32(1) ?? 0,
      character: row.text(1, texts), channel: row.text(2, texts),
      characterClass: row.text(3, texts),
      file: row.integer(2) ?? 0, line: row.integer(3) ?? 0)
    event.isDatedByOption = source == 3
    return event
  }
}

/// The columns of one row of `rollup.open_player_rows`.
struct PlayerRowReader {
  let part: QueryResult
  let row: Int

  private typealias Column = PlayerReading.Column

  var number: Int32 { part.int32(row: row, column: Column.number) ?? 0 }

  func instant(_ column: Int) -> Instant? {
    part.int64(row: row, column: column).map { Instant(microseconds: $0) }
  }

  func integer(_ place: Int) -> Int64? {
    part.int64(row: row, column: Column.n(place))
  }

  func int32(_ place: Int) -> Int32? { integer(place).map { Int32(truncatingIfNeeded: $0) } }

  func day(_ place: Int) -> Day? { int32(place).map { Day(number: $0) } }

  func text(_ place: Int, _ texts: TextTable) -> TextID { text(at: Column.t(place), texts) }

  func text(at column: Int, _ texts: TextTable) -> TextID {
    withExtendedLifetime(part) {
      part.unsafeBytes(row: row, column: column).map { texts.id(of: $0) } ?? .null
    }
  }

  func string(_ place: Int) -> String { part[row, Column.t(place)] ?? "" }

  func bytes(_ place: Int) -> [UInt8] { part.bytes(row: row, column: Column.t(place)) ?? [] }

  /// The elements of an array of one dimension without NULL.
  func array<Number: FixedWidthInteger>(_ type: Number.Type, _ column: Int) -> [Number] {
    withExtendedLifetime(part) {
      // Dimensions, flags, type; then count and first index of the dimension; then the elements,
      // each behind its length.
      guard let bytes = part.unsafeBytes(row: row, column: column), bytes.count > 20 else {
        return []
      }
      let size = MemoryLayout<Number>.size
      return stride(from: 24, to: bytes.count, by: 4 + size).map {
        Number(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Number.self))
      }
    }
  }

  /// 0 is NULL, 1 false, 2 true.
  static func flag(_ bits: Int64) -> Bool? { bits & 3 == 0 ? nil : bits & 3 == 2 }
}
