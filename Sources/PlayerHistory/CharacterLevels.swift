/// A player's level at one instant.
package struct LevelAtInstant: Hashable, Sendable {
  package enum Attribution: String, Sendable {
    /// One character was known, so the level is that character's.
    case exact
    /// The highest level of several characters.
    case highestOfSeveral = "highest_of_several"
    case none
  }

  package var attribution: Attribution
  /// nil exactly for the attribution `none`.
  package var level: Int32?
  /// NULL unless the attribution is `exact`; so are channel and class.
  package var character = TextID.null
  package var channel = TextID.null
  package var characterClass = TextID.null
}

/// The latest level of each of a player's characters, as events are added in time order.
///
/// A character's latest event counts. Of several at one instant it is the one with the highest
/// level, of equal levels the snapshot, then the smallest channel and class. An event without a time
/// of its own takes no other's place. Of several characters the highest level counts, then the latest
/// event, then the smallest character, channel and class.
struct CharacterLevels {
  private let texts: TextTable
  /// The event that counts of each character, by the number of its text; the first element is for NULL.
  private var events: [LevelEvent?]
  /// A tournament of the places in `events`: node n has the winner of the nodes 2n and 2n + 1, node 1
  /// that of all, and the second half are the places themselves; -1 where no event is.
  private var winners: [Int]
  private var characterCount = 0

  /// - Parameter texts: the texts of all events.
  init(texts: TextTable) {
    self.texts = texts
    events = Array(repeating: nil, count: texts.count + 1)
    winners = Array(repeating: -1, count: 2 * events.count)
  }

  /// Adds an event that is no earlier than all added ones; takes log n steps for n texts.
  mutating func add(_ event: LevelEvent) {
    let place = Int(event.character.number) + 1
    if let earlier = events[place] {
      guard replaces(event, earlier) else { return }
    } else {
      characterCount += 1
    }
    events[place] = event
    var node = events.count + place
    winners[node] = place
    while node > 1 {
      let (one, other) = (winners[node], winners[node ^ 1])
      node /= 2
      winners[node] = outranks(other, one) ? other : one
    }
  }

  /// The event that gives the level after all added events; nil before the first.
  var highest: LevelEvent? { winners[1] < 0 ? nil : events[winners[1]] }

  /// The level after all added events.
  var level: LevelAtInstant {
    guard let highest else { return LevelAtInstant(attribution: .none) }
    guard characterCount == 1 else {
      return LevelAtInstant(attribution: .highestOfSeveral, level: highest.level)
    }
    return LevelAtInstant(
      attribution: .exact, level: highest.level, character: highest.character,
      channel: highest.channel, characterClass: highest.characterClass)
  }

  /// True if `event` takes the place of `earlier`, an event of the same character.
  private func replaces(_ event: LevelEvent, _ earlier: LevelEvent) -> Bool {
    guard event.isDated else { return false }
    if event.at != earlier.at { return event.at > earlier.at }
    if event.level != earlier.level { return event.level > earlier.level }
    if event.kind != earlier.kind { return event.kind == .snapshot }
    return precedes(event, earlier)
  }

  /// True if the event of a place counts before that of another one, which is never the same.
  private func outranks(_ place: Int, _ otherPlace: Int) -> Bool {
    guard place >= 0, let event = events[place], let other = events[otherPlace] else {
      return false
    }
    if event.level != other.level { return event.level > other.level }
    if event.at != other.at { return event.at > other.at }
    if event.character != other.character {
      return texts.precedes(event.character, other.character)
    }
    return precedes(event, other)
  }

  private func precedes(_ event: LevelEvent, _ other: LevelEvent) -> Bool {
    if event.channel != other.channel { return texts.precedes(event.channel, other.channel) }
    return texts.precedes(event.characterClass, other.characterClass)
  }
}
