internal import PlayerHistory
internal import Postgres

/// What `rollup.open_player_rows` tells of one player: the rows that the reports know, and what has
/// come, changed or gone since.
struct PlayerReading {
  private(set) var number: Int32 = 0
  private(set) var app = ""
  private(set) var user: [UInt8] = []
  /// True if the reports have no figure of the player.
  private(set) var isSetAside = false
  /// The rows that the reports know.
  private(set) var known = PlayerHistory()
  /// The rows of new files, those that stand at the changed places now, and all kept observations.
  private var added = PlayerHistory()
  private var changed: Set<ChangedPlace> = []
  /// The number of stored parts of `known`, and the rows of the last one while it takes more.
  private var partCount: Int32 = 0
  private var openPart: PlayerHistory?

  let texts: TextTable

  /// The kinds of rows, in the order in which those of a player come.
  private enum Kind: Int16 {
    case player
    case part
    case changedPlace
    case keptObservation
    case receipt
    case levelEvent
  }

  init(texts: TextTable) { self.texts = texts }

  /// Begins another player, and forgets the texts of the one before.
  mutating func begin(number: Int32) {
    texts.removeAll()
    self = PlayerReading(texts: texts)
    self.number = number
  }

  /// - Throws: `LoadError` for a part that no refresh wrote.
  mutating func read(_ row: PlayerRowReader) throws {
    switch Kind(rawValue: row.kind) {
    case .player:
      app = row.string(.app)
      user = row.bytes(.user)
      isSetAside = row.flag(.isSetAside) == true
    case .part: try readPart(row)
    case .changedPlace: readChangedPlace(row)
    case .keptObservation:
      for column in [PlayerRowReader.Column.at, .lastAt] {
        guard let at = row.instant(column) else { continue }
        added.keptObservations.append(
          Observation(at: at, stream: row.string(.stream) == "level_up" ? .levelUp : .gameUser))
      }
    case .receipt: readReceipt(row)
    case .levelEvent: readLevelEvent(row)
    case nil: break
    }
  }

  /// The rows that the player has now.
  var current: PlayerHistory {
    var current = known
    current.remove(at: changed)
    current.keptObservations = []
    current += added
    return current
  }

  /// The parts that the player's stored rows lose, and those that they gain.
  ///
  /// New rows join the last part, so a refresh writes what has come, and not all of a player.
  func changedParts(_ current: PlayerHistory) -> (gone: [HistoryPart], new: [HistoryPart]) {
    guard changed.isEmpty, known.keptObservations == added.keptObservations else {
      return ((0..<partCount).map { HistoryPart(number: $0) }, parts(of: current, from: 0))
    }
    guard !added.receipts.isEmpty || !added.levels.isEmpty else { return ([], []) }
    var rows = openPart ?? PlayerHistory()
    rows.receipts += added.receipts
    rows.levels += added.levels
    let first = openPart == nil ? partCount : partCount - 1
    return ((first..<partCount).map { HistoryPart(number: $0) }, parts(of: rows, from: first))
  }

  // MARK: - Implementation

  private func parts(of rows: PlayerHistory, from first: Int32) -> [HistoryPart] {
    zip(first..., HistoryEncoder.parts(of: rows, texts)).map { HistoryPart(number: $0, bytes: $1) }
  }

  private mutating func readPart(_ row: PlayerRowReader) throws {
    var rows = PlayerHistory()
    partCount += 1
    let bytes = row.bytes(.rows)
    do { try HistoryEncoder.decode(bytes, into: &rows, texts) } catch {
      throw LoadError(
        .defect,
        "refreshing the reports: rollup.history has bytes of player \(number) that no refresh wrote; run "
          + "gamebase-ingest refresh --full, which makes the reports from the stored rows",
        endsRun: true)
    }
    known += rows
    openPart = bytes.count < HistoryEncoder.partBytes ? rows : nil
  }

  private mutating func readChangedPlace(_ row: PlayerRowReader) {
    let payment = row.text(.payment, texts)
    if payment != .null {
      changed.insert(.payment(payment))
    } else if let at = row.instant(.at) {
      changed.insert(row.string(.stream) == "level_up" ? .levelUp(at) : .snapshot(at))
    }
  }

  private mutating func readReceipt(_ row: PlayerRowReader) {
    guard let purchasedAt = row.instant(.at) else { return }
    var receipt = Receipt(
      paymentSeq: row.text(.payment, texts), purchasedAt: purchasedAt,
      currency: row.text(.currency, texts))
    receipt.amountMinor = row.int64(.amount)
    receipt.product = row.text(.product, texts)
    receipt.store = row.text(.store, texts)
    receipt.isSandbox = row.flag(.isSandbox)
    receipt.isPromotion = row.flag(.isPromotion)
    receipt.isImprecise = row.flag(.isImprecise) == true
    receipt.expiresAt = row.instant(.expiresAt)
    receipt.isRenewable = row.flag(.isRenewable) == true
    receipt.paymentID = row.text(.paymentID, texts)
    receipt.originalPaymentID = row.text(.originalPaymentID, texts)
    added.receipts.append(receipt)
  }

  private mutating func readLevelEvent(_ row: PlayerRowReader) {
    guard let at = row.instant(.at) else { return }
    let kind: LevelEvent.Kind =
      switch row.string(.timeSource) {
      case "": .levelUp
      case "load_start": .loadStart
      default: .snapshot
      }
    var event = LevelEvent(at: at, kind: kind, level: row.int32(.level) ?? 0)
    event.character = row.text(.character, texts)
    event.channel = row.text(.channel, texts)
    event.characterClass = row.text(.characterClass, texts)
    event.file = row.int64(.file) ?? 0
    event.line = row.int64(.line) ?? 0
    event.isDatedByOption = row.string(.timeSource) == "option"
    added.levels.append(event)
  }
}

/// The columns of one row of `rollup.open_player_rows`.
struct PlayerRowReader {
  let part: QueryResult
  let row: Int

  /// In the order of `rollup.player_rows`.
  enum Column: Int {
    case number, kind
    // Of the player.
    case app, user, isSetAside
    // Of a part of the history.
    case part, rows
    // Of a changed place, a kept observation, and the further rows.
    case stream, at, lastAt, payment
    // Of a receipt.
    case currency, amount, product, store, isSandbox, isPromotion, isImprecise
    case expiresAt, isRenewable, paymentID, originalPaymentID
    // Of a level event; the source of the time is NULL for a level-up.
    case level, character, channel, characterClass, timeSource, file, line
  }

  var number: Int32 { int32(.number) ?? 0 }
  var kind: Int16 { part.int16(row: row, column: Column.kind.rawValue) ?? -1 }

  func int32(_ column: Column) -> Int32? { part.int32(row: row, column: column.rawValue) }

  func int64(_ column: Column) -> Int64? { part.int64(row: row, column: column.rawValue) }

  func instant(_ column: Column) -> Instant? {
    int64(column).map { Instant(microseconds: $0) }
  }

  func flag(_ column: Column) -> Bool? {
    withExtendedLifetime(part) {
      part.unsafeBytes(row: row, column: column.rawValue).map { $0.first == 1 }
    }
  }

  func text(_ column: Column, _ texts: TextTable) -> TextID {
    withExtendedLifetime(part) {
      part.unsafeBytes(row: row, column: column.rawValue).map { texts.id(of: $0) } ?? .null
    }
  }

  func string(_ column: Column) -> String { part[row, column.rawValue] ?? "" }

  func bytes(_ column: Column) -> [UInt8] { part.bytes(row: row, column: column.rawValue) ?? [] }
}
