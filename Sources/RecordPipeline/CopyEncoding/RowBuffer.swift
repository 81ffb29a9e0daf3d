internal import Glibc

/// Rows in PostgreSQL's binary COPY format, without the stream's header and trailer.
///
/// It is written by one thread, then handed to another as a whole; never shared.
/// - Source: PostgreSQL 15 manual, COPY, "Binary Format".
package final class RowBuffer: @unchecked Sendable {
  private struct Storage {
    var base: UnsafeMutableRawPointer
    var capacity: Int
    var count = 0
    var rowCount = 0
    /// The row that is being written, or was last.
    var row = RowPlace(start: 0)
    var orderKeyEnd = 0
  }

  /// Behind a pointer, because each use of a class's own properties is checked for exclusive access
  /// when the program runs, and there are some seventy uses a row.
  private let storage: UnsafeMutablePointer<Storage>

  package var count: Int { storage.pointee.count }
  package var rowCount: Int { storage.pointee.rowCount }

  package init(capacity: Int = 64 * 1024) {
    let capacity = max(capacity, 4096)
    storage = .allocate(capacity: 1)
    storage.initialize(
      to: Storage(base: .allocate(byteCount: capacity, alignment: 8), capacity: capacity))
  }

  deinit {
    storage.pointee.base.deallocate()
    storage.deallocate()
  }

  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: storage.pointee.base, count: count)
  }

  /// Signature, flags, and the length of an empty header extension.
  package static let header: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [
      0, 0, 0, 0, 0, 0, 0, 0,
    ]
  /// A field count of -1.
  ///
  /// Without it a stream that ends at a row's border would be taken as whole.
  package static let trailer: [UInt8] = [0xFF, 0xFF]

  // MARK: - Rows

  /// Starts a row: all its columns follow, and the marks of its parts between them.
  package func beginRow(columnCount: Int) {
    storage.pointee.row = RowPlace(start: count)
    let place = take(2)
    place.storeBytes(of: Int16(truncatingIfNeeded: columnCount).bigEndian, as: Int16.self)
  }

  /// The first key column is written.
  func markOrderKey() { storage.pointee.orderKeyEnd = count }

  /// All key columns are written.
  func markKey() { storage.pointee.row.keyEnd = count }

  /// Nothing but the digest is not written.
  func markDigest() { storage.pointee.row.digestStart = count }

  /// - Returns: where the row is.
  @discardableResult
  package func endRow() -> RowPlace {
    storage.pointee.rowCount += 1
    return storage.pointee.row
  }

  /// What is written of the row so far, without the number of its columns.
  var openRow: UnsafeRawBufferPointer {
    let start = storage.pointee.row.keyStart
    return UnsafeRawBufferPointer(rebasing: bytes[start...])
  }

  /// The value of the last row's first key column.
  var orderKey: UnsafeRawBufferPointer {
    let start = storage.pointee.row.keyStart + MemoryLayout<Int32>.size
    return UnsafeRawBufferPointer(rebasing: bytes[start..<storage.pointee.orderKeyEnd])
  }

  /// Forgets an unfinished row.
  func forgetRow() { storage.pointee.count = storage.pointee.row.start }

  /// Takes the last row away.
  func removeLast(_ row: RowPlace) {
    storage.pointee.rowCount -= 1
    storage.pointee.count = row.start
  }

  /// Takes some of the last rows away.
  ///
  /// - Parameters:
  ///   - rows: which of those in `places`, in order.
  ///   - places: where the last rows of this buffer are, in order.
  func remove(_ rows: [Int], of places: [RowPlace]) {
    guard let first = rows.first else { return }
    let (base, end) = (storage.pointee.base, count)
    var kept = places[first].start
    for (index, row) in rows.enumerated() {
      let rowEnd = row + 1 < places.count ? places[row + 1].start : end
      let nextRemoved = index + 1 < rows.count ? places[rows[index + 1]].start : end
      memmove(base + kept, base + rowEnd, nextRemoved - rowEnd)
      kept += nextRemoved - rowEnd
    }
    storage.pointee.rowCount -= rows.count
    storage.pointee.count = kept
  }

  /// Adds the rows of another buffer behind these.
  package func append(contentsOf other: RowBuffer) {
    append(other.bytes)
    storage.pointee.rowCount += other.rowCount
  }

  /// Adds one whole row.
  func appendRow(_ row: UnsafeRawBufferPointer) {
    append(row)
    storage.pointee.rowCount += 1
  }

  package func removeAll() {
    storage.pointee.count = 0
    storage.pointee.rowCount = 0
  }

  // MARK: - Fields

  package func null() { take(4).storeBytes(of: Int32(-1), as: Int32.self) }

  package func text(_ value: ByteSlice?) {
    guard let value else { return null() }
    field(UnsafeRawBufferPointer(value.buffer))
  }

  func text(_ value: StaticString) {
    field(UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
  }

  package func text(_ value: String) {
    var value = value
    value.withUTF8 { field(UnsafeRawBufferPointer($0)) }
  }

  package func boolean(_ value: Bool?) {
    guard let value else { return null() }
    field(fixed: UInt8(value ? 1 : 0))
  }

  package func integer(_ value: Int32) { field(fixed: value.bigEndian) }

  package func bigint(_ value: Int64?) {
    guard let value else { return null() }
    field(fixed: value.bigEndian)
  }

  /// A `timestamptz`: microseconds since 2000-01-01 UTC.
  ///
  /// No time that passed the checks comes near the two numbers that PostgreSQL reads as infinity.
  func time(_ value: EpochMilliseconds?) {
    guard let value else { return null() }
    bigint((value - TimeRule.earliestPossible) * 1000)
  }

  func bytes(_ value: PurchaseToken?) {
    guard let value else { return null() }
    field(fixed: value.sha256)
  }

  package func bytes(_ value: [UInt8]) { value.withUnsafeBytes { field($0) } }

  /// A digest, in the 16 bytes of a `uuid`.
  func uuid(_ value: RowDigest?) {
    guard let value else { return null() }
    field(fixed: SIMD2(value.first.bigEndian, value.second.bigEndian))
  }

  /// A three-letter code packed into a number.
  func currency(_ value: NormalizedCurrency) {
    let place = take(7)
    place.storeBytes(of: Int32(3).bigEndian, as: Int32.self)
    for (offset, shift) in [16, 8, 0].enumerated() {
      let letter = UInt8(truncatingIfNeeded: value.packedCode >> shift)
      place.storeBytes(of: letter, toByteOffset: 4 + offset, as: UInt8.self)
    }
  }

  /// A value of a fixed size, already in network byte order.
  @inline(__always)
  private func field<Value: BitwiseCopyable>(fixed value: Value) {
    let size = MemoryLayout<Value>.size
    let place = take(4 + size)
    place.storeBytes(of: Int32(truncatingIfNeeded: size).bigEndian, as: Int32.self)
    place.storeBytes(of: value, toByteOffset: 4, as: Value.self)
  }

  @inline(__always)
  private func field(_ value: UnsafeRawBufferPointer) {
    let place = take(4 + value.count)
    place.storeBytes(of: Int32(truncatingIfNeeded: value.count).bigEndian, as: Int32.self)
    if let source = value.baseAddress { memcpy(place + 4, source, value.count) }
  }

  // MARK: - Bytes

  private func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    memcpy(take(bytes.count), source, bytes.count)
  }

  /// Adds so many bytes and returns where to write them.
  @inline(__always)
  private func take(_ size: Int) -> UnsafeMutableRawPointer {
    let start = storage.pointee.count
    if start + size > storage.pointee.capacity { grow(by: size) }
    storage.pointee.count = start + size
    return storage.pointee.base + start
  }

  private func grow(by additional: Int) {
    let larger = max(2 * storage.pointee.capacity, count + additional)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
    memcpy(moved, storage.pointee.base, count)
    storage.pointee.base.deallocate()
    storage.pointee.base = moved
    storage.pointee.capacity = larger
  }
}
