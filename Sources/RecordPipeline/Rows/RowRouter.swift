internal import Glibc

/// Decides for each row whether it is certainly new or must be compared with stored rows.
///
/// A row is certainly new when its order key, the first key column, is above every stored one, and
/// its whole key has not occurred in the file before. Such rows are copied directly into the target
/// table. Only the other rows pay for the look-up of duplicates, staging and the merge.
///
/// Keys are looked up in groups, whose cache misses overlap. Until then the rows of a group are pending: they are in
/// the batch as new rows.
struct RowRouter: ~Copyable {
  /// The new rows since the last batch was closed; the last ones may be pending.
  var newRows: RowBuffer
  private(set) var possiblyKnownRows = RowBuffer()
  private var months: Set<Int> = []
  /// The day of the last row's time, in days since 2000; its month is among `months`.
  private var lastDay: Int64 = -1
  /// The size at which the batch is full, in bytes; it doubles up to `Batch.maxBytes`.
  private(set) var targetBytes: Int
  private let keyColumnCount: Int
  private let isPartitionedByMonth: Bool
  private var seen: SeenKeys
  /// The watermark: a row whose order key is not above it may be stored; nil when the table is empty.
  private var floor: [UInt8]?
  /// The largest order key of this file's new rows.
  private var largest: [UInt8] = []
  /// The offsets of the pending rows, which are the last ones of the batch.
  private var pending: [Int] = []
  /// The hashes of the pending rows' keys.
  private var hashes: [UInt64] = []

  /// Large enough to hide the latency of memory, and small enough to fit in the processor's cache.
  private static let largestGroup = 1024

  init(_ start: RoutingStart, of stream: RecordStream, targetBytes: Int = Batch.maxBytes) {
    self.targetBytes = targetBytes
    newRows = Self.buffer(for: targetBytes)
    keyColumnCount = stream.keyColumnCount
    isPartitionedByMonth = stream.isPartitionedByMonth
    floor = start.largestKnownKey
    seen = SeenKeys(memory: start.memory, seed: start.seed)
  }

  /// Makes the last new row pending, or moves it to the possibly known rows.
  ///
  /// Order keys are compared as bytes: the order of times, because none is before 2000 and all are big-endian, and of
  /// texts under collation "C".
  mutating func takeLastRow() {
    let row = newRows.lastRow
    let orderKey = row.orderKey
    if isPartitionedByMonth { noteMonth(of: orderKey) }
    if let floor, !Self.isAbove(orderKey, floor) {
      possiblyKnownRows.append(row)
      newRows.removeLast()
      return
    }
    if Self.isAbove(orderKey, largest) { keepLargest(orderKey) }
    pending.append(newRows.lastStart)
    hashes.append(seen.hash(row.fields(0..<keyColumnCount)))
    if pending.count == min(Self.largestGroup, seen.room) { resolvePending() }
  }

  /// Looks up the keys of the pending rows, and moves those that may have occurred before.
  mutating func resolvePending() {
    guard !pending.isEmpty else { return }
    newRows.move(seen.insert(hashes), of: pending, to: &possiblyKnownRows)
    pending.removeAll(keepingCapacity: true)
    hashes.removeAll(keepingCapacity: true)
    if seen.room == 0 {
      // The table of keys is full: the watermark takes its place.
      floor = largest
      seen.removeAll()
    }
  }

  /// A buffer for the rows up to a size, and for the one above it.
  private static func buffer(for bytes: Int) -> RowBuffer { RowBuffer(capacity: bytes + 64 * 1024) }

  /// In bytes.
  var count: Int { newRows.count + possiblyKnownRows.count }

  /// Closes the batch and returns it; the next rows go to a new one.
  mutating func closeBatch(
    _ position: (lines: Int, bytes: Int), rejects: [RejectedLine] = [], embedded: Batch? = nil
  ) -> Batch {
    resolvePending()
    lastDay = -1
    targetBytes = min(2 * targetBytes, Batch.maxBytes)
    return Batch(
      newRows: exchange(&newRows, with: Self.buffer(for: targetBytes)),
      possiblyKnownRows: exchange(&possiblyKnownRows, with: RowBuffer()), rejects: rejects,
      months: exchange(&months, with: []), position: position, embedded: embedded)
  }

  /// Adds the month of a time in PostgreSQL's binary format to those of the batch.
  private mutating func noteMonth(of value: UnsafeRawBufferPointer) {
    let microseconds = Int64(bigEndian: value.loadUnaligned(as: Int64.self))
    // Consecutive rows mostly have the same day, and need no calendar arithmetic.
    let day = microseconds / 86_400_000_000
    if day == lastDay { return }
    lastDay = day
    months.insert(monthsSinceEpoch(microseconds / 1000 + TimeRule.earliestPossible))
  }

  /// Stores the largest order key so far, for most rows without an allocation: nearly all keys have one length.
  private mutating func keepLargest(_ key: UnsafeRawBufferPointer) {
    guard key.count == largest.count else { return largest = Array(key) }
    largest.withUnsafeMutableBytes { $0.copyMemory(from: key) }
  }

  /// Compares bytes; a key is below each longer key that begins with it.
  private static func isAbove(_ key: UnsafeRawBufferPointer, _ other: [UInt8]) -> Bool {
    other.withUnsafeBytes { other in
      // Times, which most streams begin with, are numbers.
      if key.count == 8, other.count == 8 {
        return key.loadUnaligned(as: UInt64.self).bigEndian
          > other.loadUnaligned(as: UInt64.self).bigEndian
      }
      guard let start = key.baseAddress, let otherStart = other.baseAddress,
        case let order = memcmp(start, otherStart, min(key.count, other.count)), order != 0
      else { return key.count > other.count }
      return order > 0
    }
  }
}

/// The state from which the router starts a file or a group of files.
package struct RoutingStart: Sendable {
  /// The largest order key in the table, in PostgreSQL's binary format; nil when the table is empty.
  ///
  /// The stream's lock keeps other sessions from adding keys while the router is in use.
  package var largestKnownKey: [UInt8]?
  /// The same of the table for records within the lines; nil when it is empty, or there is none.
  package var largestKnownEmbeddedKey: [UInt8]?
  /// Bytes for the table of seen keys.
  package var memory: Int
  /// A random seed, so that no input can be crafted to make hashes collide.
  package var seed: UInt64

  package init(
    largestKnownKey: [UInt8]?, largestKnownEmbeddedKey: [UInt8]? = nil, memory: Int, seed: UInt64
  ) {
    self.largestKnownKey = largestKnownKey
    self.largestKnownEmbeddedKey = largestKnownEmbeddedKey
    self.memory = memory
    self.seed = seed
  }

  /// The start for the rows of an embedded stream, with a quarter of the memory.
  var ofEmbedded: RoutingStart {
    RoutingStart(largestKnownKey: largestKnownEmbeddedKey, memory: memory / 4, seed: seed)
  }
}
