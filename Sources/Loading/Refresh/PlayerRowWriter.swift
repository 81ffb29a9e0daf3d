internal import PlayerHistory
internal import Postgres
internal import RecordPipeline

/// Collects the changed rows of players, and copies them into the temporary tables of a refresh.
struct PlayerRowWriter: ~Copyable {
  private let texts: TextTable
  private let connection: Connection
  private var owner = Owner(app: "", user: [])
  /// By the table; the new rows, and the keys of the old ones.
  private var buffers: [String: (new: RowBufferBox, old: RowBufferBox)] = [:]
  private let payments = RowBufferBox()
  private(set) var byteCount = 0

  /// The bytes that are collected before they are copied.
  static let flushBytes = 8 * 1024 * 1024

  /// The application and user of the rows.
  struct Owner {
    let app: String
    let user: [UInt8]
  }

  init(texts: TextTable, on connection: Connection) {
    self.texts = texts
    self.connection = connection
  }

  /// Adds the difference between a player's rows as the reports have them and as they are.
  ///
  /// - Parameters:
  ///   - parts: the parts of the history that go, and those that come.
  ///   - cursor: settles before rows are copied.
  mutating func write(
    _ change: PlayerChange, _ parts: (gone: [HistoryPart], new: [HistoryPart]), of player: Owner,
    beside cursor: inout BinaryCursor
  ) throws {
    let (stored, rows) = (change.before.rows, change.after.rows)
    owner = player
    try difference([stored.player].compactMap { $0 }, [rows.player].compactMap { $0 }, &cursor)
    try difference(stored.days, rows.days, &cursor)
    try difference(stored.purchases, rows.purchases, &cursor)
    try difference(stored.revenue, rows.revenue, &cursor)
    try difference(stored.periods, rows.periods, &cursor)
    try difference(stored.snapshots, rows.snapshots, &cursor)
    try difference(stored.changes, rows.changes, &cursor)
    try difference(parts.gone, parts.new, &cursor)
  }

  /// Adds the paid purchases that leave the sums in the base currency, and those that enter them.
  mutating func writePayments(
    _ change: PlayerChange, of player: Owner, beside cursor: inout BinaryCursor
  ) throws {
    for (side, sign) in [(change.before, -1), (change.after, 1)] as [(PlayerChange.Side, Int16)] {
      for purchase in side.rows.purchases[side.purchases] where purchase.receipt.isPaid {
        byteCount += payments.add(8, player) {
          $0.smallint(sign)
          $0.day(side.rows.player?.firstObservedOn)
          $0.day(side.rows.player?.firstPaidOn)
          $0.day(purchase.purchasedOn)
          $0.text(purchase.receipt.currency, texts)
          $0.bigint(purchase.receipt.amountMinor)
        }
        try flushIfLarge(beside: &cursor)
      }
    }
  }

  /// Copies all collected rows.
  mutating func flush() throws {
    for (table, rows) in buffers {
      try rows.old.flush(to: "old_\(table)", on: connection)
      try rows.new.flush(to: "new_\(table)", on: connection)
    }
    try payments.flush(to: "payment_change", on: connection)
    byteCount = 0
  }

  // MARK: - Implementation

  private mutating func difference<Row: NarrowRow>(
    _ stored: [Row], _ rows: [Row], _ cursor: inout BinaryCursor
  ) throws {
    let changed = changedRanges(stored, rows)
    guard !changed.0.isEmpty || !changed.1.isEmpty else { return }
    let buffers = buffers[Row.table] ?? (RowBufferBox(), RowBufferBox())
    self.buffers[Row.table] = buffers
    let texts = texts
    func remove(_ row: Row) -> Int {
      buffers.old.add(2 + Row.columnCounts.key, owner) { row.writeKey(to: &$0, texts) }
    }
    var known: [Row.Key: Row] = [:]
    for row in stored[changed.0] { known[row.key] = row }
    for row in rows[changed.1] {
      if let old = known.removeValue(forKey: row.key) {
        if old == row { continue }
        byteCount += remove(old)
      }
      byteCount += buffers.new.add(2 + Row.columnCounts.row, owner) { row.write(to: &$0, texts) }
      try flushIfLarge(beside: &cursor)
    }
    for old in known.values { byteCount += remove(old) }
  }

  /// One player can have more rows than memory should hold.
  private mutating func flushIfLarge(beside cursor: inout BinaryCursor) throws {
    guard byteCount > Self.flushBytes else { return }
    try cursor.settle()
    try flush()
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
