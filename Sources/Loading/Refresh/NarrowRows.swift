internal import PlayerHistory
internal import RecordPipeline

/// A row of a table of single players, in schema `rollup`.
protocol NarrowRow: Equatable {
  associatedtype Key: Hashable

  static var table: String { get }
  /// The columns of the key and of the row, without application and user.
  static var columnCounts: (key: Int, row: Int) { get }
  /// The columns that tell two rows of a player apart.
  var key: Key { get }
  /// Appends the columns of the key, in the order of `rollup.narrow_tables`.
  func writeKey(to buffer: inout RowBuffer, _ texts: TextTable)
  /// Appends the columns of the row, in the table's order.
  func write(to buffer: inout RowBuffer, _ texts: TextTable)
}

extension RowBuffer {
  mutating func text(_ id: TextID, _ texts: TextTable) { text(stored: texts.bytes(id)) }

  mutating func instant(_ instant: Instant?) { bigint(instant?.microseconds) }

  mutating func day(_ day: Day?) { integer(day?.number) }

  /// The name with a number; NULL without one.
  fileprivate mutating func name(_ number: UInt8?, of names: [String]) {
    if let number { text(names[Int(number)]) } else { null() }
  }
}

extension PlayerRow: NarrowRow {
  static let table = "player"
  static let columnCounts = (key: 0, row: 14)
  var key: Int { 0 }

  func writeKey(to buffer: inout RowBuffer, _ texts: TextTable) {}

  func write(to buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.instant(firstObserved?.at)
    buffer.day(firstObservedOn)
    buffer.name(firstObserved?.stream.rawValue, of: ["receipt", "level_up", "game_user"])
    buffer.instant(lastObservedAt)
    buffer.instant(firstPaidAt)
    buffer.day(firstPaidOn)
    buffer.instant(lastPaidAt)
    buffer.bigint(paidCount)
    buffer.integer(current?.level)
    buffer.text(current?.channel ?? .null, texts)
    buffer.text(current?.character ?? .null, texts)
    buffer.text(current?.characterClass ?? .null, texts)
    buffer.instant(lastLevelUpAt)
    buffer.integer(highestLevel)
  }
}

extension PlayerDay: NarrowRow {
  static let table = "player_day"
  static let columnCounts = (key: 1, row: 6)
  var key: Day { day }

  func writeKey(to buffer: inout RowBuffer, _ texts: TextTable) { buffer.day(day) }

  func write(to buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.day(day)
    buffer.boolean(isObserved)
    buffer.boolean(isNewPayer)
    buffer.integer(Int32(clamping: levelUpCount))
    buffer.integer(Int32(clamping: paidCount))
    buffer.integer(levelAtEnd)
  }
}

extension PurchaseRow: NarrowRow {
  static let table = "purchase"
  static let columnCounts = (key: 1, row: 17)
  var key: TextID { receipt.paymentSeq }

  func writeKey(to buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.text(receipt.paymentSeq, texts)
  }

  func write(to buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.boolean(receipt.isSandbox)
    buffer.boolean(receipt.isPromotion)
    buffer.boolean(receipt.isImprecise)
    buffer.boolean(receipt.isPaid)
    buffer.boolean(level.level == nil ? nil : level.attribution == .exact)
    buffer.instant(receipt.purchasedAt)
    buffer.bigint(receipt.amountMinor)
    buffer.day(purchasedOn)
    buffer.integer(level.level)
    buffer.text(receipt.paymentSeq, texts)
    buffer.text(receipt.currency, texts)
    buffer.text(receipt.product, texts)
    buffer.text(receipt.store, texts)
    buffer.text(level.channel, texts)
    buffer.text(level.character, texts)
    buffer.text(level.characterClass, texts)
    buffer.boolean(firsts.paid.contains(.ever))
  }
}

extension CurrencyRow: NarrowRow {
  static let table = "player_currency"
  static let columnCounts = (key: 1, row: 3)
  var key: TextID { currency }

  func writeKey(to buffer: inout RowBuffer, _ texts: TextTable) { buffer.text(currency, texts) }

  func write(to buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.text(currency, texts)
    buffer.bigint(paidCount)
    buffer.numeric(amountMinor)
  }
}

extension PeriodRow: NarrowRow {
  static let table = "subscription_period"
  static let columnCounts = (key: 1, row: 23)
  var key: TextID { receipt.paymentSeq }

  func writeKey(to buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.text(receipt.paymentSeq, texts)
  }

  func write(to buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.text(receipt.paymentSeq, texts)
    buffer.text(receipt.product, texts)
    buffer.text(receipt.store, texts)
    buffer.text(receipt.currency, texts)
    buffer.bigint(receipt.amountMinor)
    buffer.day(purchasedOn)
    buffer.text(chain, texts)
    buffer.name(period.rule, of: ["original", "google", "payment", "product"])
    buffer.instant(period.startsAt)
    buffer.instant(period.endsAt)
    buffer.day(startsOn)
    buffer.day(endsOn)
    buffer.integer(Int32(clamping: period.lengthInDays))
    buffer.name(
      period.kind?.rawValue, of: ["new", "continued", "renewal", "resubscription"])
    buffer.boolean(receipt.isTrial)
    buffer.boolean(receipt.isPaid)
    buffer.boolean(period.isConverted)
    buffer.boolean(period.isRenewed)
    buffer.boolean(period.isExpiry)
    buffer.integer(period.cohort?.renewalNumber)
    buffer.day(cohortMonth)
    buffer.text(period.cohort?.product ?? .null, texts)
    buffer.name(period.cohort?.start.rawValue, of: ["", "trial", "paid", "other"])
  }
}

/// The snapshots of a player are the newest of each character in each channel.
extension LevelEvent: NarrowRow {
  static let table = "current_game_user"
  static let columnCounts = (key: 2, row: 8)
  var key: [TextID] { [channel, character] }

  func writeKey(to buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.text(channel, texts)
    buffer.text(character, texts)
  }

  func write(to buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.text(channel, texts)
    buffer.text(character, texts)
    buffer.integer(level)
    buffer.text(characterClass, texts)
    buffer.instant(at)
    buffer.text(kind == .loadStart ? "load_start" : isDatedByOption ? "option" : "line")
    buffer.bigint(file)
    buffer.bigint(line)
  }
}

extension CharacterChange: NarrowRow {
  static let table = "character_change"
  static let columnCounts = (key: 3, row: 5)

  func writeKey(to buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.text(channel, texts)
    buffer.text(character, texts)
    buffer.instant(validFrom)
  }

  func write(to buffer: inout RowBuffer, _ texts: TextTable) {
    writeKey(to: &buffer, texts)
    buffer.integer(level)
    buffer.text(characterClass, texts)
  }
}

/// A part of the rows that the reports know of a player, as `HistoryEncoder` writes it.
struct HistoryPart: NarrowRow {
  static let table = "history"
  static let columnCounts = (key: 1, row: 2)
  let key: Int32
  /// Empty for a part that goes.
  var bytes: [UInt8] = []

  func writeKey(to buffer: inout RowBuffer, _ texts: TextTable) { buffer.integer(key) }

  func write(to buffer: inout RowBuffer, _ texts: TextTable) {
    buffer.integer(key)
    buffer.bytes(bytes)
  }
}
