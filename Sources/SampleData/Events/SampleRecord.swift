/// A record of the game, before it is written as a line.
enum SampleRecord: Sendable {
  case receipt(Receipt)
  case player(PlayerMoment)
}

extension SampleRecord {
  /// The effect of a correction on the stored row.
  enum Correction: Sendable {
    /// It supplies a value that the stored row lacks.
    case fill
    /// It contradicts the stored row.
    case conflict
  }

  /// False for subscriptions: they are left as they are, so that their payments stay linked.
  var isCorrectable: Bool {
    guard case .receipt(let receipt) = self else { return true }
    return receipt.renewal == nil
  }

  /// The same record with one value corrected, and what a loader does with it.
  func corrected(by population: Population) -> (SampleRecord, Correction) {
    switch self {
    case .receipt(var receipt):
      if !receipt.hasStoreCode {
        receipt.hasStoreCode = true
        return (.receipt(receipt), .fill)
      }
      // Every currency has the five cheapest tiers.
      receipt.tier = receipt.tier == 0 ? 1 : min(receipt.tier, 5) - 1
      return (.receipt(receipt), .conflict)
    case .player(var moment):
      let isFill = moment.characterClass == nil
      moment.characterClass = population.characterClass(otherThan: moment.characterClass)
      return (.player(moment), isFill ? .fill : .conflict)
    }
  }
}
