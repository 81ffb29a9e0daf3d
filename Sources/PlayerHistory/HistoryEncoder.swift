/// Writes a player's rows as bytes, in parts, as `rollup.history` keeps them, and reads them.
///
/// A part is a byte with the version, then row after row. A row is a byte
/// with its kind and flags, the time since the row before, and its values. Numbers take seven bits a
/// byte, the lowest first; those that can be negative alternate (0, -1, 1, -2, …). A text is a number:
/// 0 for NULL, 1 for a new one, whose length and bytes follow, from 2 on the text of that place among
/// the new ones of the part. So a level-up takes about ten bytes, a receipt about forty.
///
/// A change of what the fold reads is another version, and makes the next refresh a rebuild.
package struct HistoryEncoder {
  /// The bytes are of another version, or not whole.
  package struct Unreadable: Error {}

  /// The first byte of each part.
  private static let version: UInt8 = 1

  /// A part with as many bytes takes no more rows, so that the row of the table needs no place beside
  /// its page.
  package static let partBytes = 1_600

  /// The times that a row can have, in microseconds since 2000, as the tables of the facts bound them.
  private static let times: ClosedRange<Int64> = 0...36_526 * 86_400_000_000

  /// The flags of a row's first byte; the lowest two bits are its kind.
  private enum Flag {
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
  private enum ReceiptFlag {
    static let sandbox: UInt8 = 1
    static let promotion: UInt8 = 4
    static let isImprecise: UInt8 = 16
    static let isRenewable: UInt8 = 32
    static let hasAmount: UInt8 = 64
    static let hasExpiry: UInt8 = 128
  }

  private let texts: TextTable
  private let isReading: Bool
  private var bytes: [UInt8]
  /// Where the next byte is read.
  private var place = 1
  /// True when a value that was read cannot be one.
  private var isBroken = false
  /// The new texts of the part, in order: so few that a search is faster than a table.
  private var known: [TextID] = []
  // The values of the row before.
  private var time: Int64 = 0
  private var level: Int64 = 0
  private var file: Int64 = 0
  private var character = (TextID.null, TextID.null, TextID.null)

  private init(_ texts: TextTable, reading part: [UInt8]? = nil) {
    self.texts = texts
    isReading = part != nil
    bytes = part ?? [Self.version]
  }

  /// The rows in parts of about `partBytes`, none if there is no row.
  package static func parts(of history: PlayerHistory, _ texts: TextTable) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var coder = HistoryEncoder(texts)
    for one in history.keptObservations { coder.add(to: &parts) { _ = $0.code(one) } }
    for one in history.levels { coder.add(to: &parts) { _ = $0.code(one) } }
    for one in history.receipts { coder.add(to: &parts) { _ = $0.code(one) } }
    return coder.bytes.count > 1 ? parts + [coder.bytes] : parts
  }

  private mutating func add(to parts: inout [[UInt8]], _ row: (inout HistoryEncoder) -> Void) {
    row(&self)
    guard bytes.count >= Self.partBytes else { return }
    parts.append(bytes)
    self = HistoryEncoder(texts)
  }

  /// Adds the rows of a part to a player's; their texts become those of `texts`.
  package static func decode(
    _ part: [UInt8], into history: inout PlayerHistory, _ texts: TextTable
  ) throws(Unreadable) {
    guard part.first == version else { throw Unreadable() }
    var coder = HistoryEncoder(texts, reading: part)
    let start = Instant(microseconds: 0)
    while coder.place < part.count, !coder.isBroken {
      switch part[coder.place] & 3 {
      case Flag.levelEvent:
        history.levels.append(coder.code(LevelEvent(at: start, kind: .levelUp, level: 0)))
      case Flag.receipt:
        history.receipts.append(
          coder.code(Receipt(paymentSeq: .null, purchasedAt: start, currency: .null)))
      case Flag.keptObservation:
        history.keptObservations.append(coder.code(Observation(at: start, stream: .receipt)))
      default: coder.isBroken = true
      }
    }
    if coder.isBroken { throw Unreadable() }
  }

  // MARK: - Implementation

  // Each function writes a value and returns it, or returns the value that it has read instead.

  private mutating func code(_ one: Observation) -> Observation {
    let (head, at) = begin(Flag.keptObservation | one.stream.rawValue << Flag.kindShift, at: one.at)
    return Observation(
      at: at, stream: checked(.init(rawValue: head >> Flag.kindShift & 3), .receipt))
  }

  private mutating func code(_ event: LevelEvent) -> LevelEvent {
    var one = event
    let who = (one.character, one.channel, one.characterClass)
    var head = Flag.levelEvent | one.kind.rawValue << Flag.kindShift
    if one.isDatedByOption { head |= Flag.isDatedByOption }
    if who == character { head |= Flag.sameCharacter }
    (head, one.at) = begin(head, at: one.at)
    one.kind = checked(.init(rawValue: head >> Flag.kindShift & 3), .levelUp)
    one.isDatedByOption = head & Flag.isDatedByOption != 0
    level &+= signed(Int64(one.level) &- level)
    one.level = checked(Int32(exactly: level), 0)
    file &+= signed(one.file &- file)
    one.file = file
    one.line = signed(one.line)
    if head & Flag.sameCharacter == 0 { character = (text(who.0), text(who.1), text(who.2)) }
    (one.character, one.channel, one.characterClass) = character
    return one
  }

  private mutating func code(_ receipt: Receipt) -> Receipt {
    var one = receipt
    one.purchasedAt = begin(Flag.receipt, at: one.purchasedAt).at
    var flags: UInt8 = 0
    if let isSandbox = one.isSandbox { flags |= ReceiptFlag.sandbox << (isSandbox ? 1 : 0) }
    if let isPromotion = one.isPromotion { flags |= ReceiptFlag.promotion << (isPromotion ? 1 : 0) }
    if one.isImprecise { flags |= ReceiptFlag.isImprecise }
    if one.isRenewable { flags |= ReceiptFlag.isRenewable }
    if one.amountMinor != nil { flags |= ReceiptFlag.hasAmount }
    if one.expiresAt != nil { flags |= ReceiptFlag.hasExpiry }
    flags = byte(flags)
    func flag(_ lower: UInt8) -> Bool? {
      flags & (lower | lower << 1) == 0 ? nil : flags & lower << 1 != 0
    }
    one.isSandbox = flag(ReceiptFlag.sandbox)
    one.isPromotion = flag(ReceiptFlag.promotion)
    one.isImprecise = flags & ReceiptFlag.isImprecise != 0
    one.isRenewable = flags & ReceiptFlag.isRenewable != 0
    one.paymentSeq = text(one.paymentSeq)
    one.currency = text(one.currency)
    one.product = text(one.product)
    one.store = text(one.store)
    one.paymentID = text(one.paymentID)
    one.originalPaymentID = text(one.originalPaymentID)
    if one.paymentSeq == .null || one.currency == .null { isBroken = true }
    if flags & ReceiptFlag.hasAmount != 0 { one.amountMinor = signed(one.amountMinor ?? 0) }
    if flags & ReceiptFlag.hasExpiry != 0 {
      let start = one.purchasedAt.microseconds
      one.expiresAt = instant(start &+ signed((one.expiresAt?.microseconds ?? 0) &- start))
    }
    return one
  }

  private mutating func begin(_ head: UInt8, at instant: Instant) -> (head: UInt8, at: Instant) {
    let passed = instant.microseconds &- time
    let head = byte(passed % 1_000 == 0 ? head | Flag.inMilliseconds : head)
    let unit: Int64 = head & Flag.inMilliseconds != 0 ? 1_000 : 1
    time &+= signed(passed / unit) &* unit
    return (head, self.instant(time))
  }

  private mutating func instant(_ microseconds: Int64) -> Instant {
    if !Self.times.contains(microseconds) { isBroken = true }
    return Instant(microseconds: microseconds)
  }

  private mutating func checked<Value>(_ value: Value?, _ other: Value) -> Value {
    if value == nil { isBroken = true }
    return value ?? other
  }

  private mutating func text(_ id: TextID) -> TextID {
    let place = id == .null ? 0 : known.firstIndex(of: id).map { $0 + 2 } ?? 1
    switch unsigned(UInt64(place)) {
    case 0: return .null
    case 1: return newText(id)
    case let number where number - 2 < UInt64(known.count): return known[Int(number - 2)]
    default: return checked(nil, .null)
    }
  }

  private mutating func newText(_ id: TextID) -> TextID {
    var id = id
    let count = unsigned(UInt64(texts.bytes(id)?.count ?? 0))
    if !isReading {
      bytes += texts[id]
    } else if count <= UInt64(bytes.count - place) {
      id = bytes[place..<place + Int(count)].withUnsafeBytes { texts.id(of: $0) }
      place += Int(count)
    } else {
      isBroken = true
    }
    known.append(id)
    return id
  }

  private mutating func signed(_ number: Int64) -> Int64 {
    let coded = unsigned(UInt64(bitPattern: number << 1 ^ number >> 63))
    return Int64(bitPattern: coded >> 1 ^ (0 &- coded & 1))
  }

  private mutating func unsigned(_ number: UInt64) -> UInt64 {
    guard isReading else {
      var rest = number
      while rest >= 128 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
      return number
    }
    var read: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let next = byte(0)
      read |= UInt64(next & 127) << shift
      if next < 128 { return read }
    }
    isBroken = true
    return 0
  }

  private mutating func byte(_ byte: UInt8) -> UInt8 {
    guard isReading else {
      bytes.append(byte)
      return byte
    }
    guard place < bytes.count else {
      isBroken = true
      return 0
    }
    defer { place += 1 }
    return bytes[place]
  }
}
