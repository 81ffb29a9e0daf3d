extension PlayerRows {
  /// The state of a player before a day, from which a fold continues over the rows of that day and
  /// of later ones.
  ///
  /// So a row that comes late needs no fold over all rows. The stored rows must be right but for the
  /// rows that came since, as none has changed or is gone: what they tell of the player as a whole,
  /// such as first levels, stays in the state, and the rows that are read again do not change it.
  ///
  /// - Parameters:
  ///   - start: the first instant of the day.
  ///   - events: the events of the player shortly before, in any order.
  ///   - areAllEvents: true if no earlier event exists.
  ///   - texts: the texts of the rows.
  /// - Returns: nil if the rows do not tell the state: a character has an event since `start`, and
  ///   what counted before it is unknown.
  package func state(
    before day: Day, startingAt start: Instant, events: [LevelEvent], areAllEvents: Bool,
    texts: TextTable
  ) -> PlayerState? {
    guard let player, let characters = characters(before: start, events, areAllEvents, texts)
    else { return nil }
    var state = PlayerState()
    state.observed = player.observed
    state.payments = payments(before: day, startingAt: start, of: player)
    state.characters = characters
    state.snapshots = snapshots(before: start)
    state.firstLevels = player.firstLevels
    state.lastLevelUpAt = player.lastLevelUpAt
    state.paidGroups = paidGroups(before: day, of: player, texts)
    state.awaitsOriginal = player.awaitsOriginal
    state.firstDays = firstDays(before: day, of: player)
    return state
  }

  /// Removes the rows that a fold from the state before the day gives again.
  package mutating func keepRows(since day: Day, startingAt start: Instant) {
    days.removeAll { $0.day.day < day }
    purchases.removeAll { $0.figures.purchasedOn < day }
    changes.removeAll { $0.validFrom < start }
  }

  /// True if one of these purchases was an observation, and is none among `rows`, so that the first or
  /// the last observation of the state can be one too many.
  package func hasLostObservation(in rows: PlayerRows) -> Bool {
    let others = Set(rows.purchases.lazy.filter { !$0.figures.isObservation }.map(\.paymentSeq))
    return purchases.contains { $0.figures.isObservation && others.contains($0.paymentSeq) }
  }

  // MARK: - Implementation

  private func characters(
    before start: Instant, _ events: [LevelEvent], _ areAllEvents: Bool, _ texts: TextTable
  ) -> [LevelEvent]? {
    var levels = CharacterLevels(texts: texts)
    for event in events.filter({ $0.isDated && $0.at < start }).sorted(by: { $0.at < $1.at }) {
      levels.add(event)
    }
    var earlier: [TextID: LevelEvent] = [:]
    for event in levels.characters { earlier[event.character] = event }
    var found: [LevelEvent] = []
    for stored in characters {
      if !stored.isDated || stored.at < start {
        found.append(stored)
      } else if let event = earlier[stored.character] {
        found.append(event)
      } else if !areAllEvents {
        return nil
      }
    }
    return found
  }

  /// The newest snapshots, and for those since `start` the last change before it, which has the
  /// level and the class of the snapshot that counted then.
  private func snapshots(before start: Instant) -> [LevelEvent] {
    var last: [CharacterPlace: CharacterChange] = [:]
    for change in changes where change.validFrom < start {
      let place = CharacterPlace(channel: change.channel, character: change.character)
      if let known = last[place], known.validFrom > change.validFrom { continue }
      last[place] = change
    }
    return snapshots.compactMap { stored in
      if !stored.isDated || stored.at < start { return stored }
      return last[CharacterPlace(of: stored)].map {
        LevelEvent(
          at: $0.validFrom, kind: .snapshot, level: $0.level, character: $0.character,
          channel: $0.channel, characterClass: $0.characterClass)
      }
    }
  }

  private func payments(
    before day: Day, startingAt start: Instant, of player: PlayerRow
  ) -> Payments {
    var payments = player.payments
    let later = purchases.filter { $0.figures.purchasedOn >= day }
    payments.receiptCount -= Int64(later.count)
    payments.subscriptionCount -= Int64(periods.count { $0.purchasedOn >= day })
    payments.paidCount -= Int64(later.count { $0.figures.isPaid })
    if payments.firstPaidAt.map({ $0 >= start }) ?? false {
      payments.firstPaidAt = nil
      payments.firstPaidOn = nil
    }
    return payments
  }

  /// A group without an earlier paid purchase has its first one since `day`.
  private func paidGroups(
    before day: Day, of player: PlayerRow, _ texts: TextTable
  ) -> [PaidGroup] {
    let later = Set(
      purchases.lazy.filter {
        $0.figures.purchasedOn >= day && $0.figures.firsts.contains(.atLevel)
      }.map { PaidGroup(currency: texts[$0.currency], at: $0.figures.level) })
    return player.paidGroups.filter { !later.contains($0) }
  }

  /// The last days before `day`, of which only those in its week and its month matter.
  private func firstDays(before day: Day, of player: PlayerRow) -> FirstDays {
    let earlier = days.lazy.map(\.day).filter { $0.day < day }
    func last(_ known: Day?, _ counts: (PlayerDay) -> Bool) -> Day? {
      if let known, known < day { return known }
      return earlier.filter(counts).map(\.day).max()
    }
    return FirstDays(
      observedOn: last(player.firstDays.observedOn) { $0.isObserved },
      levelUpOn: last(player.firstDays.levelUpOn) { $0.levelUpCount > 0 },
      snapshotOn: last(player.firstDays.snapshotOn) { $0.snapshotCount > 0 })
  }
}
