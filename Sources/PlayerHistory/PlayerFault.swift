/// The reason why the figures of a player cannot be computed; one clause without a value of a row.
package enum PlayerFault: String, Error {
  case repeatedPurchase = "two receipts have the same payment"
  case repeatedDay = "two rows have the same day"
  case repeatedPeriod = "two subscription periods have the same receipt"
  case repeatedChange = "a character has two changes at the same time"
  case planted = "a test asked for it"
}

extension PlayerRows {
  /// Throws when the reports could not store the rows, because two of them would have one key.
  package func check() throws(PlayerFault) {
    // Receipts of one payment have one time, and come by time and payment.
    guard Self.differ(purchases.map(\.receipt.paymentSeq)) else { throw .repeatedPurchase }
    guard Self.differ(days.map(\.day)) else { throw .repeatedDay }
    guard Set(periods.map(\.receipt.paymentSeq)).count == periods.count else {
      throw .repeatedPeriod
    }
    guard Set(changes.map(\.key)).count == changes.count else { throw .repeatedChange }
  }

  /// True unless two neighbours are equal.
  private static func differ<Key: Equatable>(_ keys: [Key]) -> Bool {
    zip(keys, keys.dropFirst()).allSatisfy { $0 != $1 }
  }
}
