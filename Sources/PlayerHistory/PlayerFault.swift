/// The reason why the figures of a player cannot be computed; it has no value of a row.
package enum PlayerFault: Error, Equatable {
  /// A receipt has no figures, or figures have no receipt.
  case unmatchedPurchases
  case repeatedPurchase
  case repeatedDay
  case repeatedPeriod
  case repeatedChange
  /// A test asked for it.
  case planted

  /// One clause for messages.
  package var reason: String {
    switch self {
    case .unmatchedPurchases: "the figures are not one for each receipt"
    case .repeatedPurchase: "two receipts have the same payment"
    case .repeatedDay: "two rows have the same day"
    case .repeatedPeriod: "two subscription periods have the same receipt"
    case .repeatedChange: "a character has two changes at the same time"
    case .planted: "a test asked for it"
    }
  }
}

extension PlayerFigures {
  /// Throws when the reports could not store the figures, because two of their rows would have one key.
  package func check() throws(PlayerFault) {
    guard purchases.count == receipts.count else { throw .unmatchedPurchases }
    // Receipts of one payment have one time, and come by time and payment.
    guard zip(receipts, receipts.dropFirst()).allSatisfy({ $0.paymentSeq != $1.paymentSeq }) else {
      throw .repeatedPurchase
    }
    guard Self.isAscending(days.map(\.day)) else { throw .repeatedDay }
    guard Set(periods.map(\.receipt)).count == periods.count else { throw .repeatedPeriod }
    guard Set(changes.map(\.key)).count == changes.count else { throw .repeatedChange }
  }

  private static func isAscending(_ days: [Day]) -> Bool {
    zip(days, days.dropFirst()).allSatisfy { $0 < $1 }
  }
}
