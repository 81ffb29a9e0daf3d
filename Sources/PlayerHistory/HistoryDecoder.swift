/// Reads the bytes that `HistoryEncoder` writes.
package struct HistoryDecoder {
  /// The bytes are of another version, or not whole.
  package struct Unreadable: Error {}

  private let bytes: [UInt8]
  private let texts: TextTable
  private var place = 0
  private var known: [TextID] = []
  private var time: Int64 = 0
  private var level: Int64 = 0
  private var file: Int64 = 0
  private var character = (TextID.null, TextID.null, TextID.null)

  private init(_ bytes: [UInt8], _ texts: TextTable) {
    self.bytes = bytes
    self.texts = texts
  }

  /// Adds the rows of a part to a player's; their texts become those of `texts`.
  package static func decode(
    _ bytes: [UInt8], into history: inout PlayerHistory, _ texts: TextTable
  ) throws(Unreadable) {
    var decoder = HistoryDecoder(bytes, texts)
    guard try decoder.byte() == HistoryEncoder.version else { throw Unreadable() }
    while decoder.place < bytes.count { try decoder.row(into: &history) }
  }

  // MARK: - Implementation

  private typealias Flag = HistoryEncoder.Flag
  private typealias ReceiptFlag = HistoryEncoder.ReceiptFlag

  private mutating func row(into history: inout PlayerHistory) throws(Unreadable) {
    let head = try byte()
    let passed = try signed()
    time &+= head & Flag.inMilliseconds != 0 ? passed &* 1_000 : passed
    let at = try instant(time)
    let kind = head >> Flag.kindShift & 3
    switch head & 3 {
    case Flag.levelEvent:
      guard let kind = LevelEvent.Kind(rawValue: kind) else { throw Unreadable() }
      history.levels.append(try event(kind, at: at, head))
    case Flag.receipt:
      history.receipts.append(try receipt(at: at))
    case Flag.keptObservation:
      guard let stream = Observation.Stream(rawValue: kind) else { throw Unreadable() }
      history.keptObservations.append(Observation(at: at, stream: stream))
    default: throw Unreadable()
    }
  }

  private mutating func event(
    _ kind: LevelEvent.Kind, at: Instant, _ head: UInt8
  ) throws(Unreadable) -> LevelEvent {
    level &+= try signed()
    file &+= try signed()
    let line = try signed()
    if head & Flag.sameCharacter == 0 { character = (try text(), try text(), try text()) }
    guard let level = Int32(exactly: level) else { throw Unreadable() }
    var event = LevelEvent(at: at, kind: kind, level: level)
    (event.character, event.channel, event.characterClass) = character
    (event.file, event.line) = (file, line)
    event.isDatedByOption = head & Flag.isDatedByOption != 0
    return event
  }

  private mutating func receipt(at: Instant) throws(Unreadable) -> Receipt {
    let flags = try byte()
    func flag(_ lower: UInt8) -> Bool? {
      flags & (lower | lower << 1) == 0 ? nil : flags & lower << 1 != 0
    }
    var receipt = Receipt(paymentSeq: try text(), purchasedAt: at, currency: try text())
    (receipt.product, receipt.store) = (try text(), try text())
    (receipt.paymentID, receipt.originalPaymentID) = (try text(), try text())
    receipt.isSandbox = flag(ReceiptFlag.sandbox)
    receipt.isPromotion = flag(ReceiptFlag.promotion)
    receipt.isImprecise = flags & ReceiptFlag.isImprecise != 0
    receipt.isRenewable = flags & ReceiptFlag.isRenewable != 0
    guard receipt.paymentSeq != .null, receipt.currency != .null else { throw Unreadable() }
    if flags & ReceiptFlag.hasAmount != 0 { receipt.amountMinor = try signed() }
    if flags & ReceiptFlag.hasExpiry != 0 {
      receipt.expiresAt = try instant(at.microseconds &+ (try signed()))
    }
    return receipt
  }

  private func instant(_ microseconds: Int64) throws(Unreadable) -> Instant {
    guard HistoryEncoder.times.contains(microseconds) else { throw Unreadable() }
    return Instant(microseconds: microseconds)
  }

  private mutating func text() throws(Unreadable) -> TextID {
    let number = try unsigned()
    guard number > 1 else {
      guard number == 1 else { return .null }
      let count = try unsigned()
      guard count <= UInt64(bytes.count - place) else { throw Unreadable() }
      let end = place + Int(count)
      known.append(bytes[place..<end].withUnsafeBytes { texts.id(of: $0) })
      place = end
      return known[known.count - 1]
    }
    guard number - 2 < UInt64(known.count) else { throw Unreadable() }
    return known[Int(number - 2)]
  }

  private mutating func signed() throws(Unreadable) -> Int64 {
    let number = try unsigned()
    return Int64(bitPattern: number >> 1 ^ (0 &- number & 1))
  }

  private mutating func unsigned() throws(Unreadable) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64 {
      let next = try byte()
      number |= UInt64(next & 127) << shift
      if next < 128 { return number }
      shift += 7
    }
    throw Unreadable()
  }

  private mutating func byte() throws(Unreadable) -> UInt8 {
    guard place < bytes.count else { throw Unreadable() }
    defer { place += 1 }
    return bytes[place]
  }
}
