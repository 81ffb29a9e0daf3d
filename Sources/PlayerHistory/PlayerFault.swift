/// The reason why the figures of a player cannot be computed; one clause without a value of a row.
package enum PlayerFault: String, Error {
  case repeatedPurchase = "two receipts have the same payment"
  case repeatedChange = "a character has two changes at the same time"
  case planted = "a test asked for it"
}

extension PlayerRows {
  /// Throws when the reports could not store the rows, because two of them would have one key.
  package func check() throws(PlayerFault) {
    guard Set(purchases.map(\.receipt.paymentSeq)).count == purchases.count else {
      throw .repeatedPurchase
    }
    // They come in the order of time.
    var last: [CharacterPlace: Instant] = [:]
    guard changes.allSatisfy({ last.updateValue($0.at, forKey: $0.place) != $0.at }) else {
      throw .repeatedChange
    }
  }
}
