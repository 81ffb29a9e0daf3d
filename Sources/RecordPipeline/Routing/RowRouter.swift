/// Decides for each row whether it is certainly new or must be compared with what is stored.
///
/// The cost of a duplicate is paid only where there can be one. A row is certainly new when its
/// key is above every stored key and has not occurred in the file. Such rows are copied straight
/// into the target; all others take the careful way through staging and a merge.
struct RowRouter {
  private var seen: SeenKeys
  /// Rows whose order key is not above this may be stored already; nil: nothing is stored.
  private var floor: [UInt8]?
  /// The largest order key that this file has sent on.
  private var largest: [UInt8] = []

  init(_ start: RoutingStart) {
    floor = start.largestKnownKey
    seen = SeenKeys(memory: start.memory, seed: start.seed)
  }

  /// - Parameters:
  ///   - key: the row's key columns, as COPY fields.
  ///   - orderKey: the first key column's value. Times compare as their big-endian bytes do, for
  ///     none of them is before 2000; texts compare by bytes, as their collation "C" does.
  mutating func isCertainlyNew(
    key: UnsafeRawBufferPointer, orderKey: UnsafeRawBufferPointer
  ) -> Bool {
    if seen.isFull {
      // What has been sent is in the target now: raise the floor and start to remember afresh.
      floor = largest
      seen.removeAll()
    }
    if let floor, !Self.isAbove(orderKey, floor) { return false }
    if Self.isAbove(orderKey, largest) {
      largest.removeAll(keepingCapacity: true)
      largest.append(contentsOf: orderKey)
      seen.note(key)
      return true
    }
    return seen.insert(key)
  }

  /// Compares by bytes; a prefix of another key is below it.
  private static func isAbove(_ key: UnsafeRawBufferPointer, _ other: [UInt8]) -> Bool {
    let common = min(key.count, other.count)
    for index in 0..<common where key[index] != other[index] {
      return key[index] > other[index]
    }
    return key.count > other.count
  }
}

/// How a table stands when a file is started.
package struct RoutingStart: Sendable {
  /// The largest order key in the target, in PostgreSQL's binary form; nil when it is empty.
  ///
  /// Nobody else may add keys while the router is in use.
  package var largestKnownKey: [UInt8]?
  /// Bytes that may be spent on remembering keys.
  package var memory: Int
  /// Makes collisions impossible to prepare.
  package var seed: UInt64

  package init(largestKnownKey: [UInt8]?, memory: Int, seed: UInt64) {
    self.largestKnownKey = largestKnownKey
    self.memory = memory
    self.seed = seed
  }
}
