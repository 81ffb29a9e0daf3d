/// A record of the game, before it is written as a line.
enum SampleRecord: Sendable {
  case receipt(Receipt)
  case player(PlayerMoment)
  case item(ShopItem)
  case event(EventMoment)
}

extension SampleRecord {
  /// The effect of a correction on the stored row.
  enum Correction: Sendable {
    /// It supplies a value that the stored row lacks.
    case fill
    /// It contradicts the stored row.
    case conflict
  }

  /// True when a later line may correct the record.
  ///
  /// Subscriptions are left as they are, so that their payments stay linked, and so are event
  /// messages that are found by their values.
  var isCorrectable: Bool {
    switch self {
    case .receipt(let receipt): receipt.renewal == nil
    case .player, .item: true
    case .event(let event): event.isCorrectable
    }
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
    case .item(var item):
      if !item.hasDescription {
        item.hasDescription = true
        return (.item(item), .fill)
      }
      item.isActive.toggle()
      return (.item(item), .conflict)
    case .event(var event):
      let isFill = event.text == nil
      event.text = ((event.text ?? 0) + 1) % EventWriter.textCount
      return (.event(event), isFill ? .fill : .conflict)
    }
  }
}
