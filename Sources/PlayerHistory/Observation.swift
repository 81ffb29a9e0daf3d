/// A moment at which a user was observed, with the stream that tells it.
package struct Observation: Equatable, Sendable {
  /// In the order in which they count at one instant.
  package enum Stream: UInt8, Sendable {
    case receipt
    case levelUp
    case gameUser
  }

  package var at: Instant
  package var stream: Stream

  package init(at: Instant, stream: Stream) {
    self.at = at
    self.stream = stream
  }
}

/// The first and the last of a player's observations.
package struct ObservedSpan: Equatable, Sendable {
  package private(set) var first: Observation
  package private(set) var last: Observation

  package init(_ only: Observation) {
    first = only
    last = only
  }

  package mutating func add(_ one: Observation) {
    if one.at < first.at || one.at == first.at && Self.counts(one, before: first) { first = one }
    if one.at > last.at || one.at == last.at && Self.counts(one, before: last) { last = one }
  }

  /// At one instant the order of the streams decides.
  private static func counts(_ one: Observation, before other: Observation) -> Bool {
    one.stream.rawValue < other.stream.rawValue
  }
}

extension ObservedSpan? {
  package mutating func add(_ one: Observation) {
    if self == nil { self = ObservedSpan(one) } else { self?.add(one) }
  }
}
