/// A player's level at one instant.
package struct LevelAtInstant: Equatable, Sendable {
  package enum Attribution: UInt8, Sendable {
    /// One character was known, so the level is that character's.
    case exact
    /// The highest level of several characters.
    case highestOfSeveral
    case none
  }

  package var attribution: Attribution
  /// nil exactly for the attribution `none`.
  package var level: Int32?
  /// NULL unless the attribution is `exact`; so are channel and class.
  package var character = TextID.null
  package var channel = TextID.null
  package var characterClass = TextID.null

  package static let none = LevelAtInstant(attribution: .none, level: nil)

  /// The level that one event gives.
  static func of(_ event: LevelEvent) -> LevelAtInstant {
    LevelAtInstant(
      attribution: .exact, level: event.level, character: event.character, channel: event.channel,
      characterClass: event.characterClass)
  }
}

/// The latest level of each of a player's characters, as events are added in time order.
///
/// A character's latest event counts. Of several at one instant it is the one with the highest
/// level, of equal levels the snapshot, then the smallest channel and class. Of several characters
/// the highest level counts, then the latest event, then the smallest character, channel and class.
package struct CharacterLevels {
  private let texts: TextTable
  /// The event that counts of each character, in the order in which the characters came.
  private var latest: [LevelEvent] = []
  /// The place in `latest`, by character; the first element is for NULL.
  private var places: [Int32] = []
  /// A heap with the event that counts on top.
  ///
  /// An event that another one of its character has replaced stays in it until it comes to the top,
  /// so each event enters and leaves at most once.
  private var heap: [LevelEvent] = []

  package init(texts: TextTable) { self.texts = texts }

  /// The event that counts of each character.
  package var characters: [LevelEvent] { latest }

  /// Adds an event that is no earlier than all added ones.
  package mutating func add(_ event: LevelEvent) {
    let key = Int(event.character.number) + 1
    while places.count <= key { places.append(-1) }
    let place = Int(places[key])
    if place < 0 {
      places[key] = Int32(latest.count)
      latest.append(event)
      push(event)
    } else if replaces(event, latest[place]) {
      // The usual case: the only or highest character goes on.
      let isTop = heap.first == latest[place]
      latest[place] = event
      if isTop, outranks(event, heap[0]) {
        heap[0] = event
      } else {
        push(event)
      }
    }
  }

  /// The level after all added events.
  package mutating func level() -> LevelAtInstant {
    guard let top = highest() else { return .none }
    guard latest.count == 1 else {
      return LevelAtInstant(attribution: .highestOfSeveral, level: top.level)
    }
    return .of(top)
  }

  /// The event that gives the level after all added events; nil before the first.
  package mutating func highest() -> LevelEvent? {
    while let top = heap.first {
      if latest[Int(places[Int(top.character.number) + 1])] == top { return top }
      removeTop()
    }
    return nil
  }

  /// True if `event` takes the place of `earlier`, an event of the same character.
  private func replaces(_ event: LevelEvent, _ earlier: LevelEvent) -> Bool {
    if event.at != earlier.at { return event.at > earlier.at }
    if event.level != earlier.level { return event.level > earlier.level }
    if event.kind != earlier.kind { return event.kind == .snapshot }
    if event.channel != earlier.channel { return texts.precedes(event.channel, earlier.channel) }
    return texts.precedes(event.characterClass, earlier.characterClass)
  }

  /// True if `event` counts before `other`, the event of another character.
  private func outranks(_ event: LevelEvent, _ other: LevelEvent) -> Bool {
    if event.level != other.level { return event.level > other.level }
    if event.at != other.at { return event.at > other.at }
    if event.character != other.character {
      return texts.precedes(event.character, other.character)
    }
    if event.channel != other.channel { return texts.precedes(event.channel, other.channel) }
    return texts.precedes(event.characterClass, other.characterClass)
  }

  // The heap

  private mutating func push(_ event: LevelEvent) {
    heap.append(event)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard outranks(heap[child], heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func removeTop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, outranks(heap[child + 1], heap[child]) { child += 1 }
      guard outranks(heap[child], heap[parent]) else { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}
