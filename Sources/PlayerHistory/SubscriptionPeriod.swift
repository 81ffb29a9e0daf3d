/// The time that one subscription receipt paid for, half open, and its place in its chain.
package struct SubscriptionPeriod: Equatable, Sendable {
  package enum Kind: UInt8, Sendable {
    case new
    /// The chain began before the first receipt of the files.
    case continued
    case renewal
    /// Bought more than 16 days after the latest end before.
    case resubscription
  }

  /// How a chain began.
  package enum Start: UInt8, Sendable {
    case trial = 1
    case paid
    /// A promotion, or a period without a price.
    case other
  }

  /// The first period of a chain of which a cohort can be told.
  package struct Cohort: Equatable, Sendable {
    package var startedAt: Instant
    package var product: TextID
    package var start: Start
    /// From 1 on, over the unbroken periods of the chain.
    package var renewalNumber: Int32
  }

  /// The place of the receipt among the player's.
  package var receipt: Int
  /// The place of the receipt that names the chain.
  package var chain = 0
  package var rule: UInt8 = 0
  package var startsAt: Instant
  package var endsAt: Instant
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
  package var cohort: Cohort?

  /// A store renews by itself, so such a purchase is no observation of the user.
  package var isMadeByStore: Bool { kind != nil && kind != .new }

  static let grace: Int64 = 16 * 24
}

extension SubscriptionPeriod {
  /// The periods of all chains of one player.
  ///
  /// - Parameters:
  ///   - receipts: all receipts of the player, by time and payment number.
  ///   - texts: the texts of the receipts.
  /// - Returns: one period for each subscription receipt, in the order of the chains.
  static func all(of receipts: [Receipt], texts: TextTable) -> [SubscriptionPeriod] {
    let places = receipts.indices.filter { receipts[$0].isSubscription }
    guard !places.isEmpty else { return [] }
    let chains = SubscriptionChains(of: places.map { receipts[$0] }, texts: texts)
    var known: Set<TextID> = []
    for receipt in receipts where receipt.paymentID != .null { known.insert(receipt.paymentID) }
    var members: [Int: [Int]] = [:]
    var indexes: [Int: Int] = [:]
    for (index, place) in places.enumerated() {
      members[chains.chains[index], default: []].append(index)
      indexes[place] = index
    }
    var found: [SubscriptionPeriod] = []
    found.reserveCapacity(places.count)
    for chain in members.keys.sorted() {
      let ordered = (members[chain] ?? []).sorted {
        let (left, right) = (receipts[places[$0]], receipts[places[$1]])
        if left.purchasedAt != right.purchasedAt { return left.purchasedAt < right.purchasedAt }
        if left.expiresAt != right.expiresAt {
          return (left.expiresAt ?? left.purchasedAt) < (right.expiresAt ?? right.purchasedAt)
        }
        return texts.precedes(left.paymentSeq, right.paymentSeq)
      }
      var periods = spans(of: ordered.map { places[$0] }, receipts)
      for index in periods.indices {
        periods[index].chain = places[chain]
        periods[index].rule = chains.rules[ordered[index]].rawValue
      }
      name(&periods, receipts) { first in
        guard let index = indexes[first] else { return false }
        let references = chains.references[index]
        if references.isNumbered { return true }
        return references.original != .null && references.original != references.payment
          && !known.contains(receipts[first].originalPaymentID)
          && !known.contains(references.original)
      }
      found += periods
    }
    return found
  }

  /// The time of each receipt of a chain.
  ///
  /// A period waits for the end of the periods of its own product. A receipt of another product
  /// ends all periods before it, and a start that still lies ahead.
  private static func spans(of places: [Int], _ receipts: [Receipt]) -> [SubscriptionPeriod] {
    var periods: [SubscriptionPeriod] = []
    periods.reserveCapacity(places.count)
    var runStart = 0
    var latestEnd: Instant?
    for (number, place) in places.enumerated() {
      let receipt = receipts[place]
      let bought = receipt.purchasedAt
      if number > 0, receipt.product != receipts[places[number - 1]].product {
        for index in runStart..<number {
          periods[index].startsAt = min(periods[index].startsAt, bought)
          periods[index].endsAt = min(periods[index].endsAt, bought)
        }
        runStart = number
        latestEnd = nil
      }
      let starts = max(bought, latestEnd ?? bought)
      let expires = receipt.expiresAt ?? bought
      periods.append(
        SubscriptionPeriod(
          receipt: place, startsAt: starts, endsAt: max(starts, expires),
          lengthInDays: days(from: starts, to: expires)))
      latestEnd = max(latestEnd ?? bought, max(bought, expires))
    }
    return periods
  }

  /// Half a day counts as a day.
  private static func days(from start: Instant, to end: Instant) -> Int64 {
    let day: Int64 = 86_400_000_000
    return max(0, (end.microseconds - start.microseconds + day / 2) / day)
  }

  /// Gives the periods of a chain their kinds; `continues` tells whether a first receipt has
  /// earlier ones.
  private static func name(
    _ periods: inout [SubscriptionPeriod], _ receipts: [Receipt], continues: (Int) -> Bool
  ) {
    let withLength = periods.indices.filter { periods[$0].startsAt < periods[$0].endsAt }
    for index in periods.indices where periods[index].startsAt >= periods[index].endsAt {
      periods[index].lengthInDays = 0
    }
    guard let first = withLength.first else { return }
    var latestEnd: Instant?
    var isAfterTrial = false
    var cohort: Cohort?
    var number: Int32 = 0
    for (order, index) in withLength.enumerated() {
      let receipt = receipts[periods[index].receipt]
      if index == first {
        periods[index].kind = continues(periods[index].receipt) ? .continued : .new
        if periods[index].kind == .new {
          cohort = Cohort(
            startedAt: periods[index].startsAt, product: receipt.product,
            start: receipt.isTrial ? .trial : receipt.isPaid ? .paid : .other, renewalNumber: 1)
        }
      } else {
        let isLate = latestEnd.map { receipt.purchasedAt > $0.advanced(hours: grace) } ?? false
        periods[index].kind = isLate ? .resubscription : .renewal
        if isLate { cohort = nil }
      }
      if order > 0, periods[index].kind == .renewal {
        periods[withLength[order - 1]].isRenewed = true
      }
      if order + 1 < withLength.count {
        let next = receipts[periods[withLength[order + 1]].receipt].purchasedAt
        periods[index].isExpiry = next > periods[index].endsAt.advanced(hours: grace)
      } else {
        periods[index].isExpiry = true
      }
      number += 1
      cohort?.renewalNumber = number
      periods[index].cohort = cohort
      if receipt.isTrial {
        isAfterTrial = true
      } else if receipt.isPaid {
        periods[index].isConverted = isAfterTrial && periods[index].kind == .renewal
        isAfterTrial = false
      }
      latestEnd = max(latestEnd ?? periods[index].endsAt, periods[index].endsAt)
    }
  }
}
