/// A snapshot with another level or class than the one before it, of a character in a channel.
package struct CharacterChange: Equatable, Sendable {
  package var channel: TextID
  package var character: TextID
  package var validFrom: Instant
  package var level: Int32
  package var characterClass: TextID

  /// The columns that no two changes of a player have in common.
  package struct Key: Hashable {
    let channel: TextID
    let character: TextID
    let validFrom: Instant
  }

  package var key: Key { Key(channel: channel, character: character, validFrom: validFrom) }
}

/// A character in a channel; NULL is a value of both.
struct CharacterPlace: Hashable {
  let channel: TextID
  let character: TextID

  init(of event: LevelEvent) {
    channel = event.channel
    character = event.character
  }
}

extension CharacterChange {
  /// The changes in snapshots with a time of their own, which come in the order of time.
  static func all(in snapshots: [LevelEvent]) -> [CharacterChange] {
    var last: [CharacterPlace: LevelEvent] = [:]
    var changes: [CharacterChange] = []
    for event in snapshots {
      let before = last.updateValue(event, forKey: CharacterPlace(of: event))
      if let before, before.level == event.level, before.characterClass == event.characterClass {
        continue
      }
      changes.append(
        CharacterChange(
          channel: event.channel, character: event.character, validFrom: event.at,
          level: event.level, characterClass: event.characterClass))
    }
    return changes
  }
}

/// The newest snapshot of each character in each channel.
///
/// One with a time of its own outranks one without; among the latter the newest load counts.
func newestSnapshots(_ snapshots: [LevelEvent]) -> [LevelEvent] {
  var newest: [CharacterPlace: Int] = [:]
  var found: [LevelEvent] = []
  for event in snapshots {
    let place = CharacterPlace(of: event)
    guard let known = newest[place] else {
      newest[place] = found.count
      found.append(event)
      continue
    }
    let other = found[known]
    let outranks =
      event.isDated != other.isDated
      ? event.isDated
      : event.isDated
        ? event.at > other.at
        : (event.file, event.at, event.line) > (other.file, other.at, other.line)
    if outranks { found[known] = event }
  }
  return found
}
