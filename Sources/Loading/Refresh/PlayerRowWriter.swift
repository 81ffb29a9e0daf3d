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
  private(set) var byteCount = 0

  /// The tables of narrow rows, in schema `rollup`.
  enum Table: Int, CaseIterable {
    case player
    case playerDay
    case purchase
    case subscriptionPeriod
    case history
    case currentGameUser
    case characterChange

    var name: String {
      switch self {
      case .player: "player"
      case .playerDay: "player_day"
      case .purchase: "purchase"
      case .subscriptionPeriod: "subscription_period"
      case .history: "history"
      case .currentGameUser: "current_game_user"
      case .characterChange: "character_change"
      }
    }

    /// The columns of the table, and those of its key.
    fileprivate var columnCounts: (row: Int, key: Int) {
      switch self {
      case .player: (18, 2)
      case .playerDay: (11, 3)
      case .purchase: (21, 3)
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
    _ rows: PlayerRows, insteadOf stored: PlayerRows, of player: Owner,
    beside cursor: inout BinaryCursor
  ) throws {
    let texts = texts
    owner = player
    try difference(
      .player, [stored.player].compactMap { $0 }, [rows.player].compactMap { $0 }, &cursor,
      by: { _ in 0 }, key: { _, _ in }, row: { Self.write($0, &$1, texts) })
    try difference(
      .playerDay, stored.days, rows.days, &cursor, by: \.day.day,
      key: { $1.integer($0.day.day.number) }, row: { Self.write($0, &$1, texts) })
    try difference(
      .purchase, stored.purchases, rows.purchases, &cursor, by: \.paymentSeq,
      key: { $1.text(stored: texts.bytes($0.paymentSeq)) }, row: { Self.write($0, &$1, texts) })
    try difference(
      .subscriptionPeriod, stored.periods, rows.periods, &cursor, by: \.paymentSeq,
      key: { $1.text(stored: texts.bytes($0.paymentSeq)) }, row: { Self.write($0, &$1, texts) })
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

  /// Copies all collected rows.
  mutating func flush() throws {
    for table in Table.allCases {
      try removed[table.rawValue].flush(to: "old_\(table.name)", on: connection)
      try added[table.rawValue].flush(to: "new_\(table.name)", on: connection)
    }
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
    // Most rows of a player are the same: those before the first change, and often those behind the last.
    var (start, storedEnd, end) = (0, stored.count, rows.count)
    while start < min(storedEnd, end), stored[start] == rows[start] { start += 1 }
    while min(storedEnd, end) > start, stored[storedEnd - 1] == rows[end - 1] {
      storedEnd -= 1
      end -= 1
    }
    var known: [Key: Row] = [:]
    for row in stored[start..<storedEnd] { known[key(row)] = row }
    for row in rows[start..<end] {
      if let old = known.removeValue(forKey: key(row)) {
        if old == row { continue }
        remove(table) { writeKey(old, &$0) }
      }
      try add(table, &cursor) { writeRow(row, &$0) }
    }
    for old in known.values { remove(table) { writeKey(old, &$0) } }
  }

  /// One player can have more rows than memory should hold.
  private mutating func add(
    _ table: Table, _ cursor: inout BinaryCursor, _ write: (inout RowBuffer) -> Void
  ) throws {
    byteCount += added[table.rawValue].add(table.columnCounts.row, owner, write)
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

extension TextTable {
  /// The bytes of a text; nil for NULL.
  func bytes(_ id: TextID) -> ArraySlice<UInt8>? { id == .null ? nil : self[id] }
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
    buffer.integer(row.levels.last)
    buffer.bytes(array(row.levels, type: 23))
    buffer.bytes(array(row.reachedAt.map(\.microseconds), type: 1184))
  }

  /// An array of one dimension in the binary format; `type` is the fixed oid of the elements' type.
  private static func array<Number: FixedWidthInteger>(_ values: [Number], type: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    append(Int32(values.isEmpty ? 0 : 1))
    append(Int32(0))
    append(type)
    guard !values.isEmpty else { return bytes }
    append(Int32(truncatingIfNeeded: values.count))
    append(Int32(1))
    for value in values {
      append(Int32(MemoryLayout<Number>.size))
      append(value)
    }
    return bytes
  }

  private static func write(_ stream: Observation.Stream?, _ buffer: inout RowBuffer) {
    switch stream {
    case .receipt: buffer.text("receipt")
    case .levelUp: buffer.text("level_up")
    case .gameUser: buffer.text("game_user")
    case nil: buffer.null()
    }
  }

  fileprivate static func write(
    _ row: PlayerDayRow, _ buffer: inout RowBuffer, _ texts: TextTable
  ) {
    buffer.integer(row.day.day.number)
    buffer.boolean(row.day.isObserved)
    buffer.boolean(row.day.isNewPayer)
    buffer.smallint(row.day.firsts.rawValue)
    buffer.integer(Int32(clamping: row.day.levelUpCount))
    buffer.integer(Int32(clamping: row.day.snapshotCount))
    buffer.integer(Int32(clamping: row.day.paidCount))
    buffer.integer(row.day.levelAtEnd)
    buffer.integer(row.firstObservedOn?.number)
  }

  fileprivate static func write(
    _ row: PurchaseRow, _ buffer: inout RowBuffer, _ texts: TextTable
  ) {
    buffer.boolean(row.isSandbox)
    buffer.boolean(row.isPromotion)
    buffer.boolean(row.isImprecise)
    buffer.boolean(row.figures.isPaid)
    switch row.figures.level.attribution {
    case .exact: buffer.boolean(true)
    case .highestOfSeveral: buffer.boolean(false)
    case .none: buffer.null()
    }
    buffer.bigint(row.purchasedAt.microseconds)
    buffer.bigint(row.amountMinor)
    buffer.integer(row.figures.purchasedOn.number)
    buffer.integer(row.figures.firsts.rawValue)
    buffer.integer(row.figures.level.level)
    buffer.integer(row.firstObservedOn?.number)
    buffer.integer(row.firstPaidOn?.number)
    buffer.text(stored: texts.bytes(row.paymentSeq))
    buffer.text(stored: texts.bytes(row.currency))
    buffer.text(stored: texts.bytes(row.product))
    buffer.text(stored: texts.bytes(row.store))
    buffer.text(stored: texts.bytes(row.figures.level.channel))
    buffer.text(stored: texts.bytes(row.figures.level.character))
    buffer.text(stored: texts.bytes(row.figures.level.characterClass))
  }

  fileprivate static func write(_ row: PeriodRow, _ buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.text(stored: texts.bytes(row.paymentSeq))
    buffer.text(stored: texts.bytes(row.product))
    buffer.text(stored: texts.bytes(row.store))
    buffer.text(stored: texts.bytes(row.currency))
    buffer.bigint(row.amountMinor)
    buffer.integer(row.purchasedOn.number)
    buffer.text(stored: texts.bytes(row.chain))
    buffer.text(["original", "google", "payment", "product"][Int(row.rule)])
    buffer.bigint(row.startsAt.microseconds)
    buffer.bigint(row.endsAt.microseconds)
    buffer.integer(row.startsOn.number)
    buffer.integer(row.endsOn.number)
    buffer.integer(Int32(clamping: row.lengthInDays))
    switch row.kind {
    case .new: buffer.text("new")
    case .continued: buffer.text("continued")
    case .renewal: buffer.text("renewal")
    case .resubscription: buffer.text("resubscription")
    case nil: buffer.null()
    }
    buffer.boolean(row.isTrial)
    buffer.boolean(row.isPaid)
    buffer.boolean(row.isConverted)
    buffer.boolean(row.isRenewed)
    buffer.boolean(row.isExpiry)
    buffer.integer(row.renewalNumber)
    buffer.integer(row.cohortMonth?.number)
    buffer.text(stored: texts.bytes(row.cohortProduct))
    switch row.cohortStart {
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
