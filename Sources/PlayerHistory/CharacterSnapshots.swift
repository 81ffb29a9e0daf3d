/// A character in a channel; NULL is a value of both.
struct CharacterPlace: Hashable {
  let channel: TextID
  let character: TextID
}

extension LevelEvent {
  var place: CharacterPlace { CharacterPlace(channel: channel, character: character) }
}

/// The snapshots with another level or class than the one before them, of a character in a channel.
///
/// - Parameter snapshots: those with a time of their own, in the order of time.
func changes(in snapshots: [LevelEvent]) -> [LevelEvent] {
  var last: [CharacterPlace: LevelEvent] = [:]
  return snapshots.filter { event in
    let before = last.updateValue(event, forKey: event.place)
    return before?.level != event.level || before?.characterClass != event.characterClass
  }
}

/// The newest snapshot of each character in each channel.
///
/// One with a time of its own outranks one without; among the latter the newest load counts.
func newestSnapshots(_ snapshots: [LevelEvent]) -> [LevelEvent] {
  func rank(_ event: LevelEvent) -> (Int, Int64, Instant, Int64) {
    event.isDated ? (1, 0, event.at, 0) : (0, event.file, event.at, event.line)
  }
  var newest: [CharacterPlace: LevelEvent] = [:]
  for event in snapshots {
    if let other = newest[event.place], rank(other) >= rank(event) { continue }
    newest[event.place] = event
  }
  return newest.values.sorted {
    ($0.channel.number, $0.character.number) < ($1.channel.number, $1.character.number)
  }
}
