internal import Glibc

/// Decides for each row whether it is certainly new or must be compared with stored rows.
///
/// A row is certainly new when its key is above every stored key and has not occurred in the file. Such rows
/// are copied into the target table. Only the others pay for the look-up of duplicates, staging and the
/// merge.
///
/// Keys are looked up in groups, so that the look-ups do not wait for memory one by one. Until then their
/// rows are pending: they are in the batch as new rows.
struct RowRouter {
  private var seen: SeenKeys
  /// A watermark: rows with an order key up to it may be stored already; nil when the table is empty.
  private var floor: [UInt8]?
  /// The largest order key of this file's new rows.
  private var largest: [UInt8] = []
  /// The places of the pending rows, which are the last ones of the batch.
  private var rows: [RowPlace] = []
  /// The hashes of their keys.
  private var hashes: [UInt64] = []

  /// Large enough to hide the latency of memory, and small enough for the processor's cache.
  private static let largestGroup = 1024

  init(_ start: RoutingStart) {
    floor = start.largestKnownKey
    seen = SeenKeys(memory: start.memory, seed: start.seed)
  }

  /// Makes the last new row of a batch pending, or moves it to the possibly known rows.
  ///
  /// - Parameters:
  ///   - row: the place of the row among the batch's new rows.
  ///   - orderKey: the value of the first key column. Times compare like their big-endian bytes, because none
  ///     of them is before 2000; texts compare by bytes, like their collation "C".
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

  /// Decides the pending rows: moves those with a key that may have occurred before to the possibly known
  /// rows.
  mutating func resolvePending(_ batch: inout OpenBatch) {
    guard !rows.isEmpty else { return }
    batch.moveToPossiblyKnown(seen.insert(hashes), of: rows)
    rows.removeAll(keepingCapacity: true)
    hashes.removeAll(keepingCapacity: true)
    if seen.room == 0 {
      // The table of keys is full: raise the watermark above all of them, and start with an empty table.
      floor = largest
      seen.removeAll()
    }
  }

  /// Runs for most rows, so a key of the same length, as nearly all have, overwrites the last one.
  private mutating func keepLargest(_ key: UnsafeRawBufferPointer) {
    guard key.count == largest.count else {
      largest = Array(key)
      return
    }
    largest.withUnsafeMutableBytes { $0.copyMemory(from: key) }
  }

  /// Compares by bytes; a prefix is below the longer key.
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

/// The state of a table when a file starts.
package struct RoutingStart: Sendable {
  /// The largest order key in the table, in PostgreSQL's binary format; nil when the table is empty.
  ///
  /// No other session may add keys while the router is in use.
  package var largestKnownKey: [UInt8]?
  /// Bytes for the table of seen keys.
  package var memory: Int
  /// A random seed, so that input cannot be crafted to collide.
  package var seed: UInt64

  package init(largestKnownKey: [UInt8]?, memory: Int, seed: UInt64) {
    self.largestKnownKey = largestKnownKey
    self.memory = memory
    self.seed = seed
  }
}
