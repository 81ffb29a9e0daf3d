internal import Glibc

/// Decides for each row whether it is certainly new or must be compared with what is stored.
///
/// The cost of a duplicate is paid only where there can be one. A row is certainly new when its
/// key is above every stored key and has not occurred in the file. Such rows are copied straight
/// into the target; all others take the careful way through staging and a merge.
///
/// Whether a key has occurred is found out for many rows at once: each alone would wait for memory.
/// Until then they are in a batch as if they were new.
struct RowRouter {
  private var seen: SeenKeys
  /// Rows whose order key is not above this may be stored already; nil: nothing is stored.
  private var floor: [UInt8]?
  /// The largest order key that this file has sent on.
  private var largest: [UInt8] = []
  /// Of the rows at the end of a batch that are not settled: where they are, and their keys.
  private var rows: [RowPlace] = []
  private var hashes: [UInt64] = []

  /// Enough to hide the memory's latency, in tables that stay in the processor's cache.
  private static let largestGroup = 1024

  init(_ start: RoutingStart) {
    floor = start.largestKnownKey
    seen = SeenKeys(memory: start.memory, seed: start.seed)
  }

  /// Takes the last new row of a batch in, or moves it to those that may be known.
  ///
  /// - Parameters:
  ///   - row: where the row is among the batch's new rows.
  ///   - orderKey: the first key column's value. Times compare as their big-endian bytes do, for
  ///     none of them is before 2000; texts compare by bytes, as their collation "C" does.
  mutating func take(_ row: RowPlace, of batch: inout OpenBatch, orderKey: UnsafeRawBufferPointer) {
    if let floor, !Self.isAbove(orderKey, floor) {
      batch.possiblyKnownRows.append(row, of: batch.newRows)
      batch.newRows.removeLast(row)
      return
    }
    if Self.isAbove(orderKey, largest) { keepLargest(orderKey) }
    rows.append(row)
    hashes.append(seen.hash(batch.newRows.key(of: row)))
    if rows.count == min(Self.largestGroup, seen.room) { resolvePending(&batch) }
  }

  /// Moves those rows of a batch that may have occurred before to those that may be known.
  mutating func resolvePending(_ batch: inout OpenBatch) {
    guard !rows.isEmpty else { return }
    batch.moveToPossiblyKnown(seen.insert(hashes), of: rows)
    rows.removeAll(keepingCapacity: true)
    hashes.removeAll(keepingCapacity: true)
    if seen.room == 0 {
      // What has been sent is in the target now: raise the floor and start to remember afresh.
      floor = largest
      seen.removeAll()
    }
  }

  /// Done for most rows: a key of the same length, as nearly all are, is written over the last one.
  private mutating func keepLargest(_ key: UnsafeRawBufferPointer) {
    guard key.count == largest.count else {
      largest = Array(key)
      return
    }
    largest.withUnsafeMutableBytes { $0.copyMemory(from: key) }
  }

  /// Compares by bytes; a prefix of another key is below it.
  private static func isAbove(_ key: UnsafeRawBufferPointer, _ other: [UInt8]) -> Bool {
    other.withUnsafeBytes { other in
      guard let start = key.baseAddress, let otherStart = other.baseAddress else {
        return key.count > other.count
      }
      let order = memcmp(start, otherStart, min(key.count, other.count))
      return order != 0 ? order > 0 : key.count > other.count
    }
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
