internal import PlayerHistory
internal import Postgres
internal import RecordPipeline

/// Collects the changed rows of players, and copies them into the temporary tables of a refresh.
struct PlayerRowWriter: ~Copyable {
  /// The rows that players have; their next part is on its way while rows are collected.
  var cursor: BinaryCursor
  private let texts: TextTable
  private let connection: Connection
  /// The application and user of the rows.
  var owner: (app: String, user: [UInt8]) = ("", [])
  private var tables: [String: TableRows] = [:]
  private var byteCount = 0

  /// The bytes that are collected before they are copied.
  private static let flushBytes = 8 * 1024 * 1024

  init(of cursor: consuming BinaryCursor, texts: TextTable, on connection: Connection) {
    self.cursor = cursor
    self.texts = texts
    self.connection = connection
  }

  /// Adds the difference between a player's rows, and the parts of the history, as they were and as they are.
  mutating func write(
    _ change: PlayerChange, _ parts: (gone: [HistoryPart], new: [HistoryPart])
  ) throws {
    let (before, after) = (change.before.rows, change.after.rows)
    let texts = texts
    try difference(
      "player", columns: 14, keyColumns: 0, [before.player].compactMap(\.self),
      [after.player].compactMap(\.self)
    ) {
      $0.instant($1.firstObserved?.at)
      $0.day($1.firstObservedOn)
      $0.name(
        $1.firstObserved.map { ["receipt", "level_up", "game_user"][Int($0.stream.rawValue)] })
      $0.instant($1.lastObservedAt)
      $0.instant($1.firstPaidAt)
      $0.day($1.firstPaidOn)
      $0.instant($1.lastPaidAt)
      $0.bigint($1.paidCount)
      $0.integer($1.current?.level)
      $0.text($1.current?.channel ?? .null, texts)
      $0.text($1.current?.character ?? .null, texts)
      $0.text($1.current?.characterClass ?? .null, texts)
      $0.instant($1.lastLevelUpAt)
      $0.integer($1.highestLevel)
    }
    try difference("player_day", columns: 6, before.days, after.days) {
      $0.day($1.day)
      $0.boolean($1.isObserved)
      $0.boolean($1.isNewPayer)
      $0.integer(Int32(clamping: $1.levelUpCount))
      $0.integer(Int32(clamping: $1.paidCount))
      $0.integer($1.levelAtEnd)
    } key: {
      $0.day($1.day)
    }
    try difference("purchase", columns: 17, before.purchases, after.purchases) {
      $0.boolean($1.receipt.isSandbox)
      $0.boolean($1.receipt.isPromotion)
      $0.boolean($1.receipt.isImprecise)
      $0.boolean($1.receipt.isPaid)
      $0.boolean($1.level.level == nil ? nil : $1.level.attribution == .exact)
      $0.instant($1.receipt.purchasedAt)
      $0.bigint($1.receipt.amountMinor)
      $0.day($1.purchasedOn)
      $0.integer($1.level.level)
      $0.text($1.receipt.paymentSeq, texts)
      $0.text($1.receipt.currency, texts)
      $0.text($1.receipt.product, texts)
      $0.text($1.receipt.store, texts)
      $0.text($1.level.channel, texts)
      $0.text($1.level.character, texts)
      $0.text($1.level.characterClass, texts)
      $0.boolean($1.firsts.paid.contains(.ever))
    } key: {
      $0.text($1.receipt.paymentSeq, texts)
    }
    try difference("subscription_period", columns: 18, before.periods, after.periods) {
      $0.text($1.receipt.paymentSeq, texts)
      $0.text($1.receipt.product, texts)
      $0.text($1.receipt.store, texts)
      $0.text($1.receipt.currency, texts)
      $0.bigint($1.receipt.amountMinor)
      $0.text($1.chain, texts)
      $0.name($1.rule.rawValue)
      $0.instant($1.startsAt)
      $0.instant($1.endsAt)
      $0.name($1.kind?.rawValue)
      $0.boolean($1.receipt.isTrial)
      $0.boolean($1.receipt.isPaid)
      $0.boolean($1.isRenewed)
      $0.boolean($1.isExpiry)
      $0.integer($1.cohort?.renewalNumber)
      $0.day($1.cohort?.month)
      $0.text($1.cohort?.product ?? .null, texts)
      $0.name($1.cohort?.start.rawValue)
    } key: {
      $0.text($1.receipt.paymentSeq, texts)
    }
    try difference(
      "current_game_user", columns: 8, keyColumns: 2, before.snapshots, after.snapshots
    ) {
      $0.text($1.channel, texts)
      $0.text($1.character, texts)
      $0.integer($1.level)
      $0.text($1.characterClass, texts)
      $0.instant($1.at)
      $0.name($1.isDated ? $1.isDatedByOption ? "option" : "line" : "load_start")
      $0.bigint($1.file)
      $0.bigint($1.line)
    } key: {
      $0.text($1.channel, texts)
      $0.text($1.character, texts)
    }
    try difference(
      "character_change", columns: 5, keyColumns: 3, before.changes, after.changes
    ) {
      $0.text($1.channel, texts)
      $0.text($1.character, texts)
      $0.instant($1.at)
      $0.integer($1.level)
      $0.text($1.characterClass, texts)
    } key: {
      $0.text($1.channel, texts)
      $0.text($1.character, texts)
      $0.instant($1.at)
    }
    try difference("history", columns: 2, parts.gone, parts.new) {
      $0.integer($1.number)
      $0.bytes($1.bytes)
    } key: {
      $0.integer($1.number)
    }
  }

  /// Adds the paid purchases that leave the sums in the base currency, and those that enter them.
  mutating func writePayments(_ change: PlayerChange) throws {
    let texts = texts
    for (side, sign) in [(change.before, -1), (change.after, 1)] as [(PlayerChange.Side, Int16)] {
      for purchase in side.rows.purchases[side.purchases] where purchase.receipt.isPaid {
        try add(to: rows(of: "payment_change"), columns: 6) {
          $0.smallint(sign)
          $0.day(side.rows.player?.firstObservedOn)
          $0.day(side.rows.player?.firstPaidOn)
          $0.day(purchase.purchasedOn)
          $0.text(purchase.receipt.currency, texts)
          $0.bigint(purchase.receipt.amountMinor)
        }
      }
    }
  }

  /// Adds the player as one whose figures cannot be computed.
  mutating func setAside(because fault: PlayerFault) throws {
    try add(to: rows(of: "new_set_aside"), columns: 1) { $0.name(fault.rawValue) }
  }

  /// Copies all collected rows, and the counts of all sums.
  mutating func flush(_ sums: PlayerSums) throws {
    for sum in Sum.allCases {
      let rows = rows(of: "change_\(sum.table)")
      for (key, counts) in sums[sum].rows {
        rows.add(key.count + counts.count) {
          for column in key { $0.column(column, sums.keyTexts) }
          for count in counts { $0.numeric(count) }
        }
        // One player can have more keys than memory should hold.
        if rows.buffer.count > Self.flushBytes { try flush() }
      }
      try flush()
    }
  }

  // MARK: - Implementation

  private mutating func difference<Row: Hashable>(
    _ table: String, columns: Int, keyColumns: Int = 1, _ before: [Row], _ after: [Row],
    row: (inout RowBuffer, Row) -> Void, key: (inout RowBuffer, Row) -> Void = { _, _ in }
  ) throws {
    let changed = changedRanges(before, after)
    guard !changed.0.isEmpty || !changed.1.isEmpty else { return }
    let (old, new) = (rows(of: "old_\(table)"), rows(of: "new_\(table)"))
    var gone = Set(before[changed.0])
    for one in after[changed.1] where gone.isEmpty || gone.remove(one) == nil {
      try add(to: new, columns: columns) { row(&$0, one) }
    }
    for one in gone { try add(to: old, columns: keyColumns) { key(&$0, one) } }
  }

  private mutating func rows(of table: String) -> TableRows {
    if let known = tables[table] { return known }
    let rows = TableRows()
    tables[table] = rows
    return rows
  }

  /// Adds a row of the owner; `columns` counts those behind application and user.
  private mutating func add(
    to table: TableRows, columns: Int, _ write: (inout RowBuffer) -> Void
  ) throws {
    let before = table.buffer.count
    table.add(2 + columns) {
      $0.text(owner.app)
      $0.text(stored: owner.user[...])
      write(&$0)
    }
    byteCount += table.buffer.count - before
    // One player can have more rows than memory should hold.
    if byteCount > Self.flushBytes { try flush() }
  }

  private mutating func flush() throws {
    try cursor.settle()
    for (table, rows) in tables where rows.buffer.rowCount > 0 {
      try connection.copyRows(
        rows.buffer, with: "copy pg_temp.\(table) from stdin (format binary)")
      // A rebuild's counts would keep several times their memory otherwise.
      rows.buffer = RowBuffer(capacity: 4096)
    }
    byteCount = 0
  }
}

/// A part of the rows that the reports know of a player, as `HistoryEncoder` writes it.
struct HistoryPart: Hashable {
  let number: Int32
  /// Empty for a part that goes.
  var bytes: [UInt8] = []
}

/// The collected rows of one table.
private final class TableRows {
  var buffer = RowBuffer(capacity: 4096)

  func add(_ columnCount: Int, _ write: (inout RowBuffer) -> Void) {
    buffer.beginRow(columnCount: columnCount)
    write(&buffer)
    buffer.endRow()
  }
}

extension RowBuffer {
  fileprivate mutating func text(_ id: TextID, _ texts: TextTable) {
    text(stored: texts.bytes(id))
  }

  fileprivate mutating func instant(_ instant: Instant?) { bigint(instant?.microseconds) }

  fileprivate mutating func day(_ day: Day?) { integer(day?.number) }

  fileprivate mutating func name(_ name: String?) {
    if let name { text(name) } else { null() }
  }

  fileprivate mutating func column(_ column: SumColumn, _ texts: TextTable) {
    switch column {
    case .text(let id): text(id, texts)
    case .number(let number): integer(number)
    case .flag(let flag): boolean(flag)
    }
  }
}
