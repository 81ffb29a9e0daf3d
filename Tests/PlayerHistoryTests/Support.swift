import PlayerHistory

/// Builds the rows of one player from short words; times are whole days and hours of UTC.
final class Player {
  let texts = TextTable()
  var history = PlayerHistory()
  private var lines: Int64 = 0

  static let hour: Int64 = 3_600_000_000
  static let day = 24 * hour
  /// UTC, from 2000-01-01 on.
  static let calendar = CalendarDays(
    days: (0..<20_000).map { Day(number: $0) },
    starts: (0..<20_000).map { Instant(microseconds: $0 * day) })

  static func at(_ day: Double) -> Instant {
    Instant(microseconds: Int64((day * 24).rounded()) * hour)
  }

  func text(_ string: String?) -> TextID { texts.id(of: string) }

  func level(
    _ day: Double, _ level: Int32, _ character: String? = nil, kind: LevelEvent.Kind = .levelUp,
    channel: String? = nil, characterClass: String? = nil, file: Int64 = 1
  ) {
    lines += 1
    var event = LevelEvent(at: Self.at(day), kind: kind, level: level)
    event.character = text(character)
    event.channel = text(channel)
    event.characterClass = text(characterClass)
    event.file = file
    event.line = lines
    history.levels.append(event)
  }

  func buy(
    _ paymentSeq: String, _ day: Double, _ amount: Int64? = 100, _ currency: String = "USD",
    product: String? = "gem", store: String? = "GG", until: Double? = nil, id: String? = nil,
    original: String? = nil, isSandbox: Bool? = false, isPromotion: Bool? = nil
  ) {
    var receipt = Receipt(
      paymentSeq: text(paymentSeq), purchasedAt: Self.at(day), currency: text(currency))
    receipt.amountMinor = amount
    receipt.product = text(product)
    receipt.store = text(store)
    receipt.isSandbox = isSandbox
    receipt.isPromotion = isPromotion
    receipt.expiresAt = until.map(Self.at)
    receipt.isRenewable = until != nil
    receipt.paymentID = text(id)
    receipt.originalPaymentID = text(original)
    history.receipts.append(receipt)
  }

  var rows: PlayerRows { PlayerFold(calendar: Self.calendar, texts: texts).rows(of: history) }

  /// The periods as words: payment, chain, start, end in days, kind.
  var periods: [String] {
    rows.periods.map { period in
      let name = texts.string(period.receipt.paymentSeq) ?? ""
      let chain = texts.string(period.chain) ?? ""
      let kind = period.kind.map { "\($0)" } ?? "overlapped"
      return "\(name) of \(chain): \(days(period.startsAt)) to \(days(period.endsAt)) \(kind)"
    }
  }

  private func days(_ instant: Instant) -> String {
    let hours = instant.microseconds / Self.hour
    return hours % 24 == 0 ? "\(hours / 24)" : "\(hours / 24)d\(hours % 24)h"
  }
}

extension TextTable {
  func string(_ id: TextID) -> String? { bytes(id).map { String(decoding: $0, as: UTF8.self) } }
}
