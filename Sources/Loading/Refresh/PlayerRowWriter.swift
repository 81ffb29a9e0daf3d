internal import PlayerHistory
internal import Postgres
internal import RecordPipeline

/// Collects the changed rows of players, and copies them into the temporary tables of a refresh.
struct PlayerRowWriter: ~Copyable {
  private let texts: TextTable
  private let connection: Connection
  private var owner = Owner(app: "", user: [])
  private var added = Table.buffers()
  private var removed = Table.buffers()
  private let payments = RowBufferBox()
  private(set) var byteCount = 0

  /// The tables of narrow rows, in schema `rollup`.
  enum Table: Int, CaseIterable {
    case player
    case playerDay
    case purchase
    case playerCurrency
    case subscriptionPeriod
    case history
    case currentGameUser
    case characterChange

    var name: String {
      switch self {
      case .player: "player"
      case .playerDay: "player_day"
      case .purchase: "purchase"
      case .playerCurrency: "player_currency"
      case .subscriptionPeriod: "subscription_period"
      case .history: "history"
      case .currentGameUser: "current_game_user"
      case .characterChange: "character_change"
      }
    }

    /// The columns of the table, and those of its key.
    fileprivate var columnCounts: (row: Int, key: Int) {
      switch self {
      case .player: (16, 2)
      case .playerDay: (8, 3)
      case .purchase: (19, 3)
      case .playerCurrency: (5, 3)
      case .subscriptionPeriod: (25, 3)
      case .history: (4, 3)
      case .currentGameUser: (10, 4)
      case .characterChange: (7, 5)
      }
    }

    fileprivate static func buffers() -> [RowBufferBox] { allCases.map { _ in RowBufferBox() } }
  }

  /// The bytes that are collected before they are copied.
  static let flushBytes = 8 * 1024 * 1024

  init(texts: TextTable, on connection: Connection) {
    self.texts = texts
    self.connection = connection
  }

  /// Adds the difference between a player's rows as the reports have them and as they are.
  ///
  /// - Parameter cursor: settles before rows are copied.
  mutating func write(
    _ change: PlayerChange, of player: Owner, beside cursor: inout BinaryCursor
  ) throws {
    let (stored, rows) = (change.before.rows, change.after.rows)
    let texts = texts
    owner = player
    try difference(
      .player, [stored.player].compactMap { $0 }, [rows.player].compactMap { $0 }, &cursor,
      by: { _ in 0 }, key: { _, _ in }, row: { Self.write($0, &$1, texts) })
    try difference(
      .playerDay, stored.days, rows.days, &cursor, by: \.day,
      key: { $1.integer($0.day.number) }, row: { Self.write($0, &$1) })
    try difference(
      .purchase, stored.purchases, rows.purchases, &cursor, by: \.receipt.paymentSeq,
      key: { $1.text(stored: texts.bytes($0.receipt.paymentSeq)) },
      row: { Self.write($0, &$1, texts) })
    try difference(
      .playerCurrency, stored.revenue, rows.revenue, &cursor, by: \.currency,
      key: { $1.text(stored: texts.bytes($0.currency)) },
      row: {
        $1.text(stored: texts.bytes($0.currency))
        $1.bigint($0.paidCount)
        $1.numeric($0.amountMinor)
      })
    try difference(
      .subscriptionPeriod, stored.periods, rows.periods, &cursor, by: \.receipt.paymentSeq,
      key: { $1.text(stored: texts.bytes($0.receipt.paymentSeq)) },
      row: { Self.write($0, &$1, texts) })
    try difference(
      .currentGameUser, stored.snapshots, rows.snapshots, &cursor,
      by: { [$0.channel, $0.character] },
      key: {
        $1.text(stored: texts.bytes($0.channel))
        $1.text(stored: texts.bytes($0.character))
      }, row: { Self.write(snapshot: $0, &$1, texts) })
    try difference(
      .characterChange, stored.changes, rows.changes, &cursor, by: \.key,
      key: {
        $1.text(stored: texts.bytes($0.channel))
        $1.text(stored: texts.bytes($0.character))
        $1.bigint($0.validFrom.microseconds)
      }, row: { Self.write($0, &$1, texts) })
  }

  /// Removes parts of a player's rows, and adds others, which begin with the number `first`.
  mutating func writeHistory(
    gone: [Int32], first: Int32, new: [[UInt8]], of player: Owner,
    beside cursor: inout BinaryCursor
  ) throws {
    owner = player
    for part in gone { remove(.history) { $0.integer(part) } }
    for (number, part) in zip(first..., new) {
      try add(.history, &cursor) {
        $0.integer(number)
        $0.bytes(part)
      }
    }
  }

  /// Adds the paid purchases that leave the sums in the base currency, and those that enter them.
  mutating func writePayments(
    _ change: PlayerChange, of player: Owner, beside cursor: inout BinaryCursor
  ) throws {
    for (side, sign) in [(change.before, -1), (change.after, 1)] as [(PlayerChange.Side, Int16)] {
      for purchase in side.rows.purchases[side.purchases] where purchase.figures.isPaid {
        byteCount += payments.add(8, player) {
          $0.smallint(sign)
          $0.integer(side.rows.player?.firstObservedOn?.number)
          $0.integer(side.rows.player?.payments.firstPaidOn?.number)
          $0.integer(purchase.figures.purchasedOn.number)
          $0.text(stored: texts.bytes(purchase.receipt.currency))
          $0.bigint(purchase.receipt.amountMinor)
        }
        try flushIfLarge(beside: &cursor)
      }
    }
  }

  /// Copies all collected rows.
  mutating func flush() throws {
    for table in Table.allCases {
      try removed[table.rawValue].flush(to: "old_\(table.name)", on: connection)
      try added[table.rawValue].flush(to: "new_\(table.name)", on: connection)
    }
    try payments.flush(to: "payment_change", on: connection)
    byteCount = 0
  }

  // MARK: - Implementation

  /// The application and user of the rows.
  struct Owner {
    let app: String
    let user: [UInt8]
  }

  private mutating func difference<Row: Equatable, Key: Hashable>(
    _ table: Table, _ stored: [Row], _ rows: [Row], _ cursor: inout BinaryCursor,
    by key: (Row) -> Key,
    key writeKey: (Row, inout RowBuffer) -> Void, row writeRow: (Row, inout RowBuffer) -> Void
  ) throws {
    let changed = changedRanges(stored, rows)
    var known: [Key: Row] = [:]
    for row in stored[changed.0] { known[key(row)] = row }
    for row in rows[changed.1] {
      if let old = known.removeValue(forKey: key(row)) {
        if old == row { continue }
        remove(table) { writeKey(old, &$0) }
      }
      try add(table, &cursor) { writeRow(row, &$0) }
    }
    for old in known.values { remove(table) { writeKey(old, &$0) } }
  }

  private mutating func add(
    _ table: Table, _ cursor: inout BinaryCursor, _ write: (inout RowBuffer) -> Void
  ) throws {
    byteCount += added[table.rawValue].add(table.columnCounts.row, owner, write)
    try flushIfLarge(beside: &cursor)
  }

  /// One player can have more rows than memory should hold.
  private mutating func flushIfLarge(beside cursor: inout BinaryCursor) throws {
    guard byteCount > Self.flushBytes else { return }
    try cursor.settle()
    try flush()
  }

  private mutating func remove(_ table: Table, _ write: (inout RowBuffer) -> Void) {
    byteCount += removed[table.rawValue].add(table.columnCounts.key, owner, write)
  }
}

/// A buffer of rows of one table.
final class RowBufferBox {
  private var buffer = RowBuffer(capacity: 4096)

  /// Adds a row of the owner with the columns that `write` appends.
  ///
  /// - Returns: the number of added bytes.
  func add(
    _ columnCount: Int, _ owner: PlayerRowWriter.Owner, _ write: (inout RowBuffer) -> Void
  ) -> Int {
    let before = buffer.count
    add(columnCount) {
      $0.text(owner.app)
      $0.text(stored: owner.user[...])
      write(&$0)
    }
    return buffer.count - before
  }

  /// Adds a row with the columns that `write` appends.
  func add(_ columnCount: Int, _ write: (inout RowBuffer) -> Void) {
    buffer.beginRow(columnCount: columnCount)
    write(&buffer)
    buffer.endRow()
  }

  func flush(to table: String, on connection: Connection) throws {
    guard buffer.rowCount > 0 else { return }
    let copy = try connection.copyIn("copy pg_temp.\(table) from stdin (format binary)")
    do {
      try RowBuffer.header.withUnsafeBytes { try copy.write($0) }
      try copy.write(buffer.bytes)
      try RowBuffer.trailer.withUnsafeBytes { try copy.write($0) }
    } catch {
      copy.abort(reason: "the refresh failed")
      throw error
    }
    _ = try copy.finish()
    buffer.removeAll()
  }
}

// The columns of each table after application and user, in the table's order.
extension PlayerRowWriter {
  fileprivate static func write(_ row: PlayerRow, _ buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.bigint(row.observed?.first.at.microseconds)
    buffer.integer(row.firstObservedOn?.number)
    write(row.observed?.first.stream, &buffer)
    buffer.bigint(row.observed?.last.at.microseconds)
    buffer.bigint(row.payments.firstPaidAt?.microseconds)
    buffer.integer(row.payments.firstPaidOn?.number)
    buffer.bigint(row.payments.lastPaidAt?.microseconds)
    buffer.bigint(row.payments.paidCount)
    buffer.integer(row.current?.level)
    buffer.text(stored: row.current.flatMap { texts.bytes($0.channel) })
    buffer.text(stored: row.current.flatMap { texts.bytes($0.character) })
    buffer.text(stored: row.current.flatMap { texts.bytes($0.characterClass) })
    buffer.bigint(row.lastLevelUpAt?.microseconds)
    buffer.integer(row.highestLevel)
  }

  private static func write(_ stream: Observation.Stream?, _ buffer: inout RowBuffer) {
    switch stream {
    case .receipt: buffer.text("receipt")
    case .levelUp: buffer.text("level_up")
    case .gameUser: buffer.text("game_user")
    case nil: buffer.null()
    }
  }

  fileprivate static func write(_ row: PlayerDay, _ buffer: inout RowBuffer) {
    buffer.integer(row.day.number)
    buffer.boolean(row.isObserved)
    buffer.boolean(row.isNewPayer)
    buffer.integer(Int32(clamping: row.levelUpCount))
    buffer.integer(Int32(clamping: row.paidCount))
    buffer.integer(row.levelAtEnd)
  }

  fileprivate static func write(
    _ row: PurchaseRow, _ buffer: inout RowBuffer, _ texts: TextTable
  ) {
    let (receipt, level) = (row.receipt, row.figures.level)
    buffer.boolean(receipt.isSandbox)
    buffer.boolean(receipt.isPromotion)
    buffer.boolean(receipt.isImprecise)
    buffer.boolean(row.figures.isPaid)
    switch level.attribution {
    case .exact: buffer.boolean(true)
    case .highestOfSeveral: buffer.boolean(false)
    case .none: buffer.null()
    }
    buffer.bigint(receipt.purchasedAt.microseconds)
    buffer.bigint(receipt.amountMinor)
    buffer.integer(row.figures.purchasedOn.number)
    buffer.integer(level.level)
    buffer.text(stored: texts.bytes(receipt.paymentSeq))
    buffer.text(stored: texts.bytes(receipt.currency))
    buffer.text(stored: texts.bytes(receipt.product))
    buffer.text(stored: texts.bytes(receipt.store))
    buffer.text(stored: texts.bytes(level.channel))
    buffer.text(stored: texts.bytes(level.character))
    buffer.text(stored: texts.bytes(level.characterClass))
    buffer.boolean(row.figures.firsts.contains(.ever))
  }

  fileprivate static func write(_ row: PeriodRow, _ buffer: inout RowBuffer, _ texts: TextTable) {
    let (receipt, period) = (row.receipt, row.period)
    buffer.text(stored: texts.bytes(receipt.paymentSeq))
    buffer.text(stored: texts.bytes(receipt.product))
    buffer.text(stored: texts.bytes(receipt.store))
    buffer.text(stored: texts.bytes(receipt.currency))
    buffer.bigint(receipt.amountMinor)
    buffer.integer(row.purchasedOn.number)
    buffer.text(stored: texts.bytes(row.chain))
    buffer.text(["original", "google", "payment", "product"][Int(period.rule)])
    buffer.bigint(period.startsAt.microseconds)
    buffer.bigint(period.endsAt.microseconds)
    buffer.integer(row.startsOn.number)
    buffer.integer(row.endsOn.number)
    buffer.integer(Int32(clamping: period.lengthInDays))
    switch period.kind {
    case .new: buffer.text("new")
    case .continued: buffer.text("continued")
    case .renewal: buffer.text("renewal")
    case .resubscription: buffer.text("resubscription")
    case nil: buffer.null()
    }
    buffer.boolean(receipt.isTrial)
    buffer.boolean(receipt.isPaid)
    buffer.boolean(period.isConverted)
    buffer.boolean(period.isRenewed)
    buffer.boolean(period.isExpiry)
    buffer.integer(period.cohort?.renewalNumber)
    buffer.integer(row.cohortMonth?.number)
    buffer.text(stored: texts.bytes(period.cohort?.product ?? .null))
    switch period.cohort?.start {
    case .trial: buffer.text("trial")
    case .paid: buffer.text("paid")
    case .other: buffer.text("other")
    case nil: buffer.null()
    }
  }

  fileprivate static func write(
    snapshot row: LevelEvent, _ buffer: inout RowBuffer, _ texts: TextTable
  ) {
    buffer.text(stored: texts.bytes(row.channel))
    buffer.text(stored: texts.bytes(row.character))
    buffer.integer(row.level)
    buffer.text(stored: texts.bytes(row.characterClass))
    buffer.bigint(row.at.microseconds)
    buffer.text(row.kind == .loadStart ? "load_start" : row.isDatedByOption ? "option" : "line")
    buffer.bigint(row.file)
    buffer.bigint(row.line)
  }

  fileprivate static func write(
    _ row: CharacterChange, _ buffer: inout RowBuffer, _ texts: TextTable
  ) {
    buffer.text(stored: texts.bytes(row.channel))
    buffer.text(stored: texts.bytes(row.character))
    buffer.bigint(row.validFrom.microseconds)
    buffer.integer(row.level)
    buffer.text(stored: texts.bytes(row.characterClass))
  }
}
