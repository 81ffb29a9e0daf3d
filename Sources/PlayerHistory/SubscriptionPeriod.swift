/// The time that one subscription receipt paid for, half open, and its place in its chain.
///
/// A row of `rollup.subscription_period`.
package struct SubscriptionPeriod: Hashable, Sendable {
  /// The rule that joins a receipt to its chain: the first that applies to the receipt itself.
  package enum Rule: String, Sendable {
    case original
    case google
    case payment
    case product
  }

  package enum Kind: String, Sendable {
    case new
    /// The chain began before the first receipt of the files.
    case continued
    case renewal
    /// Bought more than 16 days after the latest end before.
    case resubscription
  }

  /// How a chain began.
  package enum Start: String, Sendable {
    case trial
    case paid
    /// A promotion, or a period without a price.
    case other
  }

  /// The first period of a chain of which a cohort can be told.
  package struct Cohort: Hashable, Sendable {
    package var month: Day
    package var product: TextID
    package var start: Start
    /// From 1 on, over the unbroken periods of the chain.
    package var renewalNumber: Int32
  }

  package var receipt: Receipt
  /// The payment that names the chain: the smallest one.
  package var chain: TextID
  package var rule: Rule
  package var startsAt: Instant
  package var endsAt: Instant
  package var purchasedOn: Day
  package var startsOn: Day
  package var endsOn: Day
  /// To the nearest 24 hours, before a receipt of another product cut the period; 0 for a period
  /// without length.
  package var lengthInDays: Int64
  /// nil for a period without length.
  package var kind: Kind?
  package var isConverted = false
  /// The next period of the chain is a renewal.
  package var isRenewed = false
  /// No renewal followed within 16 days of the end, as far as is known.
  package var isExpiry = false
  /// nil when the chain belongs to no cohort.
  package var cohort: Cohort?

  var isMadeByStore: Bool { kind != nil && kind != .new }

  /// The price of a month in twelfths of the minor unit; nil for a length without a monthly price.
  ///
  /// Twelfths make the price of every known length a whole number.
  var monthlyPrice: Int128? {
    Self.twelfths.first { $0.lengths.contains(lengthInDays) }
      .map { $0.count * Int128(receipt.amountMinor ?? 0) }
  }

  /// By lengths in days, twelve times the factor that makes the price a monthly one.
  private static let twelfths: [(lengths: ClosedRange<Int64>, count: Int128)] = [
    (1...1, 360), (3...3, 120), (7...7, 48), (14...14, 24), (28...31, 12), (59...62, 6),
    (89...93, 4), (180...186, 2), (360...370, 1),
  ]

  private static let grace: Int64 = 16 * 24
}

extension SubscriptionPeriod {
  /// The periods of one player, chain by chain, each in the order of time.
  ///
  /// - Parameter receipts: all receipts of the player, by time and payment number.
  static func all(
    of receipts: [Receipt], _ calendar: CalendarDays, _ texts: TextTable
  ) -> [SubscriptionPeriod] {
    guard receipts.contains(where: \.isSubscription) else { return [] }
    let known = Set(receipts.map(\.paymentID))
    return SubscriptionReceipt.chains(of: receipts, texts).flatMap { chain in
      // A stable sort, so at one time and end the smaller payment comes first.
      let chain = chain.sorted {
        ($0.receipt.purchasedAt, $0.expiresAt) < ($1.receipt.purchasedAt, $1.expiresAt)
      }
      var periods = spans(of: chain, calendar, texts)
      name(&periods) { first in
        let one = chain[first]
        return one.isNumbered
          || one.original != .null && one.original != one.payment
            && !known.contains(one.original) && !known.contains(one.receipt.originalPaymentID)
      }
      return periods
    }
  }

  /// The time of each receipt of a chain.
  ///
  /// A period waits for the end of the periods of its own product. A receipt of another product
  /// ends all periods before it, and a start that still lies ahead.
  private static func spans(
    of chain: [SubscriptionReceipt], _ calendar: CalendarDays, _ texts: TextTable
  ) -> [SubscriptionPeriod] {
    let name = chain.map(\.receipt.paymentSeq).min(by: texts.precedes) ?? .null
    var periods: [SubscriptionPeriod] = []
    var rest = chain[...]
    while let product = rest.first?.receipt.product {
      let run = rest.prefix { $0.receipt.product == product }
      rest = rest.dropFirst(run.count)
      let cut = rest.first?.receipt.purchasedAt ?? Instant(microseconds: .max)
      var end = Instant(microseconds: .min)
      for one in run {
        let start = max(one.receipt.purchasedAt, end)
        end = max(start, one.expiresAt)
        // Half a day counts as a day.
        let halfDays = (end.microseconds - start.microseconds) / (12 * 3_600_000_000)
        let (startsAt, endsAt) = (min(start, cut), min(end, cut))
        periods.append(
          SubscriptionPeriod(
            receipt: one.receipt, chain: name, rule: one.rule, startsAt: startsAt, endsAt: endsAt,
            purchasedOn: calendar.day(of: one.receipt.purchasedAt),
            startsOn: calendar.day(of: startsAt),
            endsOn: calendar.day(of: endsAt),
            lengthInDays: startsAt < endsAt ? (halfDays + 1) / 2 : 0))
      }
    }
    return periods
  }

  /// Gives the periods of a chain their kinds; `isContinued` tells whether there were earlier ones than
  /// that of a place.
  private static func name(_ periods: inout [SubscriptionPeriod], isContinued: (Int) -> Bool) {
    var before: Int?
    var latestEnd = Instant(microseconds: .min)
    var isAfterTrial = false
    var cohort: Cohort?
    for index in periods.indices where periods[index].startsAt < periods[index].endsAt {
      let receipt = periods[index].receipt
      let kind: Kind
      if let before {
        kind =
          receipt.purchasedAt > latestEnd.advanced(hours: grace) ? .resubscription : .renewal
        periods[before].isRenewed = kind == .renewal
        periods[before].isExpiry =
          receipt.purchasedAt > periods[before].endsAt.advanced(hours: grace)
        if kind == .resubscription { cohort = nil }
      } else {
        kind = isContinued(index) ? .continued : .new
        if kind == .new {
          cohort = Cohort(
            month: periods[index].startsOn.month, product: receipt.product,
            start: receipt.isTrial ? .trial : receipt.isPaid ? .paid : .other, renewalNumber: 0)
        }
      }
      cohort?.renewalNumber += 1
      if receipt.isTrial {
        isAfterTrial = true
      } else if receipt.isPaid {
        periods[index].isConverted = isAfterTrial && kind == .renewal
        isAfterTrial = false
      }
      periods[index].kind = kind
      periods[index].cohort = cohort
      periods[index].isExpiry = true
      before = index
      latestEnd = max(latestEnd, periods[index].endsAt)
    }
  }
}
