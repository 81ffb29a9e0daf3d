internal import Glibc

/// Rows in PostgreSQL's binary COPY format, without the stream's header and trailer.
///
/// It is written by one thread, then handed to another as a whole; never shared.
/// - Source: PostgreSQL 15 manual, COPY, "Binary Format".
package final class RowBuffer: @unchecked Sendable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  package private(set) var count = 0
  package private(set) var rowCount = 0

  package init(capacity: Int = 64 * 1024) {
    self.capacity = max(capacity, 4096)
    base = .allocate(byteCount: self.capacity, alignment: 8)
  }

  deinit { base.deallocate() }

  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

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

  /// Starts a row and returns where it starts.
  @discardableResult
  package func beginRow(columnCount: Int) -> Int {
    let start = count
    append(Int16(truncatingIfNeeded: columnCount).bigEndian)
    return start
  }

  package func endRow() { rowCount += 1 }

  /// Forgets an unfinished row.
  func truncate(to start: Int) { count = start }

  /// Takes the last row, which starts at `start`, away from this buffer and adds it to another.
  func moveLastRow(from start: Int, to other: RowBuffer) {
    other.append(UnsafeRawBufferPointer(start: base + start, count: count - start))
    other.rowCount += 1
    rowCount -= 1
    count = start
  }

  /// Adds the rows of another buffer behind these.
  package func append(contentsOf other: RowBuffer) {
    append(other.bytes)
    rowCount += other.rowCount
  }

  package func removeAll() {
    count = 0
    rowCount = 0
  }

  // MARK: - Fields

  package func null() { append(Int32(-1)) }

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
    append(Int32(1).bigEndian)
    append(UInt8(value ? 1 : 0))
  }

  package func integer(_ value: Int32) {
    append(Int32(4).bigEndian)
    append(value.bigEndian)
  }

  package func bigint(_ value: Int64?) {
    guard let value else { return null() }
    append(Int32(8).bigEndian)
    append(value.bigEndian)
  }

  /// A `timestamptz`: microseconds since 2000-01-01 UTC.
  ///
  /// No time that passed the checks comes near the two numbers that PostgreSQL reads as infinity.
  func time(_ value: EpochMilliseconds?) {
    guard let value else { return null() }
    bigint((value - TimeRule.earliestPossible) * 1000)
  }

  func bytes(_ value: TokenDigest?) {
    guard let value else { return null() }
    withUnsafeBytes(of: value.bytes) { field($0) }
  }

  package func bytes(_ value: [UInt8]) { value.withUnsafeBytes { field($0) } }

  /// A three-letter code packed into a number.
  func currency(_ value: NormalizedCurrency) {
    append(Int32(3).bigEndian)
    append(UInt8(truncatingIfNeeded: value.packedCode >> 16))
    append(UInt8(truncatingIfNeeded: value.packedCode >> 8))
    append(UInt8(truncatingIfNeeded: value.packedCode))
  }

  private func field(_ value: UnsafeRawBufferPointer) {
    append(Int32(truncatingIfNeeded: value.count).bigEndian)
    append(value)
  }

  // MARK: - Bytes

  @inline(__always)
  private func append<Value: BitwiseCopyable>(_ value: Value) {
    reserve(MemoryLayout<Value>.size)
    base.storeBytes(of: value, toByteOffset: count, as: Value.self)
    count += MemoryLayout<Value>.size
  }

  @inline(__always)
  private func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    memcpy(base + count, source, bytes.count)
    count += bytes.count
  }

  @inline(__always)
  private func reserve(_ additional: Int) {
    if count + additional > capacity { grow(by: additional) }
  }

  private func grow(by additional: Int) {
    let larger = max(2 * capacity, count + additional)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
    memcpy(moved, base, count)
    base.deallocate()
    base = moved
    capacity = larger
  }
}

extension RowBuffer {
  /// The line's application, else the one that the load was given; never NULL, for it is part of
  /// natural keys.
  func appID(_ value: ByteSlice?, _ rules: NormalizationRules) {
    if let value { text(value) } else { text(rules.appID) }
  }
}
