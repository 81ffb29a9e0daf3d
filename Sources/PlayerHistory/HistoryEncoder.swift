/// Writes a player's rows as bytes, in parts, as `rollup.history` keeps them.
///
/// A part is a byte with the version, then row after row; `HistoryDecoder` reads it. A row is a byte
/// with its kind and flags, the time since the row before, and its values. Numbers take seven bits a
/// byte, the lowest first; those that can be negative alternate (0, -1, 1, -2, …). A text is a number:
/// 0 for NULL, 1 for a new one, whose length and bytes follow, from 2 on the text of that place among
/// the new ones of the part. So a level-up takes about ten bytes, a receipt about forty.
///
/// A change of what the fold reads is another version, and makes the next refresh a rebuild.
package struct HistoryEncoder {
  /// The first byte of each part.
  static let version: UInt8 = 1

  /// A part with as many bytes takes no more rows, so that the row of the table needs no place beside
  /// its page.
  package static let partBytes = 1_600

  /// The times that a row can have, in microseconds since 2000, as the tables of the facts bound them.
  static let times: ClosedRange<Int64> = 0...36_526 * 86_400_000_000

  /// The flags of a row's first byte; the lowest two bits are its kind.
  enum Flag {
    static let levelEvent: UInt8 = 0
    static let receipt: UInt8 = 1
    static let keptObservation: UInt8 = 2
    /// The time since the row before is in milliseconds, otherwise in microseconds.
    static let inMilliseconds: UInt8 = 4
    /// The kind of an event, or the stream of an observation, stands from this bit on.
    static let kindShift: UInt8 = 3
    static let isDatedByOption: UInt8 = 32
    /// Character, channel and class are those of the event before.
    static let sameCharacter: UInt8 = 64
  }

  /// The second byte of a receipt; of a pair, no bit is NULL, the lower one false, the higher one true.
  enum ReceiptFlag {
    static let sandbox: UInt8 = 1
    static let promotion: UInt8 = 4
    static let isImprecise: UInt8 = 16
    static let isRenewable: UInt8 = 32
    static let hasAmount: UInt8 = 64
    static let hasExpiry: UInt8 = 128
  }

  private let texts: TextTable
  private var bytes: [UInt8] = [version]
  private var numbers: [TextID: UInt64] = [:]
  private var time: Int64 = 0
  private var level: Int64 = 0
  private var file: Int64 = 0
  private var character = (TextID.null, TextID.null, TextID.null)

  private init(texts: TextTable) { self.texts = texts }

  /// The rows in parts of about `partBytes`, none if there is no row.
  package static func parts(of history: PlayerHistory, _ texts: TextTable) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var part = HistoryEncoder(texts: texts)
    func fill(_ add: (inout HistoryEncoder) -> Void) {
      add(&part)
      guard part.bytes.count >= partBytes else { return }
      parts.append(part.bytes)
      part = HistoryEncoder(texts: texts)
    }
    for one in history.keptObservations { fill { $0.add(one) } }
    for one in history.levels { fill { $0.add(one) } }
    for one in history.receipts { fill { $0.add(one) } }
    if part.bytes.count > 1 { parts.append(part.bytes) }
    return parts
  }

  // MARK: - Implementation

  private mutating func add(_ one: Observation) {
    begin(Flag.keptObservation | one.stream.rawValue << Flag.kindShift, at: one.at)
  }

  private mutating func add(_ one: LevelEvent) {
    let who = (one.character, one.channel, one.characterClass)
    var head = Flag.levelEvent | one.kind.rawValue << Flag.kindShift
    if one.isDatedByOption { head |= Flag.isDatedByOption }
    if who == character { head |= Flag.sameCharacter }
    begin(head, at: one.at)
    signed(Int64(one.level) &- level)
    signed(one.file &- file)
    signed(one.line)
    if who != character {
      text(one.character)
      text(one.channel)
      text(one.characterClass)
    }
    (level, file, character) = (Int64(one.level), one.file, who)
  }

  private mutating func add(_ one: Receipt) {
    begin(Flag.receipt, at: one.purchasedAt)
    var flags: UInt8 = 0
    if let isSandbox = one.isSandbox { flags |= ReceiptFlag.sandbox << (isSandbox ? 1 : 0) }
    if let isPromotion = one.isPromotion { flags |= ReceiptFlag.promotion << (isPromotion ? 1 : 0) }
    if one.isImprecise { flags |= ReceiptFlag.isImprecise }
    if one.isRenewable { flags |= ReceiptFlag.isRenewable }
    if one.amountMinor != nil { flags |= ReceiptFlag.hasAmount }
    if one.expiresAt != nil { flags |= ReceiptFlag.hasExpiry }
    bytes.append(flags)
    for id in [
      one.paymentSeq, one.currency, one.product, one.store, one.paymentID, one.originalPaymentID,
    ] {
      text(id)
    }
    if let amount = one.amountMinor { signed(amount) }
    if let expires = one.expiresAt { signed(expires.microseconds &- one.purchasedAt.microseconds) }
  }

  private mutating func begin(_ head: UInt8, at instant: Instant) {
    let passed = instant.microseconds &- time
    let isWhole = passed % 1_000 == 0
    bytes.append(isWhole ? head | Flag.inMilliseconds : head)
    signed(isWhole ? passed / 1_000 : passed)
    time = instant.microseconds
  }

  private mutating func text(_ id: TextID) {
    guard id != .null else { return unsigned(0) }
    if let number = numbers[id] { return unsigned(number) }
    numbers[id] = UInt64(numbers.count) + 2
    unsigned(1)
    unsigned(UInt64(texts[id].count))
    bytes += texts[id]
  }

  private mutating func signed(_ number: Int64) {
    unsigned(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  private mutating func unsigned(_ number: UInt64) {
    var rest = number
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
