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
/// level, of equal levels the snapshot, then the smallest channel and class. Of several characters
/// the highest level counts, then the latest event, then the smallest character, channel and class.
struct CharacterLevels {
  private let texts: TextTable
  /// The event that counts of each character, in the order in which the characters came.
  private var characters: [LevelEvent] = []
  /// The place in `characters`, by character; the first element is for NULL.
  private var places: [Int] = []
  /// A tournament of the places: node n has the winner of the nodes 2n and 2n + 1, node 1 that of all,
  /// and the last `room` nodes are the places themselves; -1 where no character is.
  private var winners = [-1, -1]
  private var room: Int { winners.count / 2 }

  init(texts: TextTable) { self.texts = texts }

  /// Adds an event that is no earlier than all added ones; takes log n steps for n characters.
  mutating func add(_ event: LevelEvent) {
    let key = Int(event.character.number) + 1
    while places.count <= key { places.append(-1) }
    let place = places[key]
    if place < 0 {
      places[key] = characters.count
      characters.append(event)
      if characters.count > room {
        winners = Array(repeating: -1, count: 4 * room)
        for known in characters.indices { compete(known) }
      } else {
        compete(characters.count - 1)
      }
    } else if replaces(event, characters[place]) {
      characters[place] = event
      compete(place)
    }
  }

  func isKnown(_ character: TextID) -> Bool {
    let key = Int(character.number) + 1
    return key < places.count && places[key] >= 0
  }

  /// The event that gives the level after all added events; nil before the first.
  var highest: LevelEvent? { characters.isEmpty ? nil : characters[winners[1]] }

  /// The level after all added events.
  var level: LevelAtInstant {
    guard let highest else { return LevelAtInstant(attribution: .none) }
    guard characters.count == 1 else {
      return LevelAtInstant(attribution: .highestOfSeveral, level: highest.level)
    }
    return LevelAtInstant(
      attribution: .exact, level: highest.level, character: highest.character,
      channel: highest.channel, characterClass: highest.characterClass)
  }

  private mutating func compete(_ place: Int) {
    var node = room + place
    winners[node] = place
    while node > 1 {
      let (one, other) = (winners[node], winners[node ^ 1])
      node /= 2
      winners[node] = other >= 0 && outranks(characters[other], characters[one]) ? other : one
    }
  }

  /// True if `event` takes the place of `earlier`, an event of the same character.
  private func replaces(_ event: LevelEvent, _ earlier: LevelEvent) -> Bool {
    if event.at != earlier.at { return event.at > earlier.at }
    if event.level != earlier.level { return event.level > earlier.level }
    if event.kind != earlier.kind { return event.kind == .snapshot }
    return precedes(event, earlier)
  }

  /// True if `event` counts before `other`, the event of another character.
  private func outranks(_ event: LevelEvent, _ other: LevelEvent) -> Bool {
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
