/// The rows of one player (an application's user) that the figures depend on, in any order.
package struct PlayerHistory: Equatable, Sendable {
  package var receipts: [Receipt] = []
  package var levels: [LevelEvent] = []
  /// Observations whose rows retention dropped.
  package var keptObservations: [Observation] = []

  package init() {}

  /// The numbers of rows of each kind.
  package struct Counts: Equatable, Sendable {
    let receipts: Int
    let levels: Int
    let keptObservations: Int
  }

  package var counts: Counts {
    Counts(
      receipts: receipts.count, levels: levels.count, keptObservations: keptObservations.count)
  }

  /// The rows behind the first ones of each kind.
  package func rows(from start: Counts) -> PlayerHistory {
    var rows = PlayerHistory()
    rows.receipts = Array(receipts[start.receipts...])
    rows.levels = Array(levels[start.levels...])
    rows.keptObservations = Array(keptObservations[start.keptObservations...])
    return rows
  }

  /// Forgets the rows, and keeps the memory for the next player.
  package mutating func removeAll() {
    receipts.removeAll(keepingCapacity: true)
    levels.removeAll(keepingCapacity: true)
    keptObservations.removeAll(keepingCapacity: true)
  }

  /// Removes the receipts and the level events at these places.
  package mutating func remove(at changed: ChangedPlaces) {
    if !changed.payments.isEmpty {
      receipts.removeAll { changed.payments.contains($0.paymentSeq) }
    }
    if !changed.levelUps.isEmpty || !changed.snapshots.isEmpty {
      levels.removeAll {
        ($0.kind == .levelUp ? changed.levelUps : changed.snapshots).contains($0.at)
      }
    }
  }
}

/// Where rows of a player have changed or are gone, since the reports know them.
package struct ChangedPlaces: Equatable, Sendable {
  package var payments: Set<TextID> = []
  package var levelUps: Set<Instant> = []
  /// Those without a time of their own stand at the start of their load.
  package var snapshots: Set<Instant> = []

  package init() {}

  package var isEmpty: Bool { payments.isEmpty && levelUps.isEmpty && snapshots.isEmpty }
}
