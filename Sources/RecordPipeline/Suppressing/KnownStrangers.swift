/// Users of whom it is known that they were not erased, in bounded memory: to ask for each line anew
/// takes longer than all else that is done with it.
///
/// A user is known by two numbers of 61 bits under a key of the moment, so that no other can be taken
/// for one (see `RowDigest`). Of users who share a place the last is known.
final class KnownStrangers {
  private let key = RowDigest.Key.random()
  private var places: [RowDigest?]

  /// - Parameter placeCount: a power of two; the usual one takes about 1.5 MiB.
  init(placeCount: Int = 1 << 16) { places = Array(repeating: nil, count: placeCount) }

  /// True when the user is known; otherwise asks, and knows from then on who is a stranger.
  ///
  /// - Parameter isErased: asked about the user, in whatever application.
  func contains(_ user: UnsafeRawBufferPointer, otherwise isErased: () -> Bool) -> Bool {
    let digest = RowDigest(of: user, key: key)
    let place = Int(truncatingIfNeeded: digest.first) & (places.count - 1)
    if places[place] == digest { return true }
    if isErased() { return false }
    places[place] = digest
    return true
  }
}
