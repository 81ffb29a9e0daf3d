/// The reason why the figures of a player cannot be computed; it has no value of a row.
package enum PlayerFault: Error, Equatable {
  /// A receipt has no figures, or figures have no receipt.
  case unmatchedPurchases
  case repeatedDay
  case repeatedCharacter
  case repeatedPeriod
  /// A test asked for it.
  case planted

  /// One clause for messages.
  package var reason: String {
    switch self {
    case .unmatchedPurchases: "the figures are not one for each receipt"
    case .repeatedDay: "two rows have the same day"
    case .repeatedCharacter: "two rows have the same character"
    case .repeatedPeriod: "two subscription periods have the same receipt"
    case .planted: "a test asked for it"
    }
  }
}

extension PlayerFigures {
  /// Throws when the reports could not store the figures, because two of their rows would have one key.
  package func check() throws(PlayerFault) {
    guard purchases.count == receipts.count else { throw .unmatchedPurchases }
    guard Self.isAscending(days.map(\.day)) else { throw .repeatedDay }
    guard Set(state.characters.map(\.character)).count == state.characters.count else {
      throw .repeatedCharacter
    }
    guard Set(periods.map(\.receipt)).count == periods.count else { throw .repeatedPeriod }
  }

  private static func isAscending(_ days: [Day]) -> Bool {
    zip(days, days.dropFirst()).allSatisfy { $0 < $1 }
  }
}
