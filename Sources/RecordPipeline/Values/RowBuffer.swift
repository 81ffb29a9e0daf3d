internal import Glibc

/// Rows in PostgreSQL's binary COPY format, without the stream's header and trailer.
///
/// - Source: PostgreSQL 15 manual, COPY, "Binary Format".
package struct RowBuffer: ~Copyable, @unchecked Sendable {
  // `@unchecked Sendable` is safe, because only the buffer itself refers to its memory.
  private var base: UnsafeMutableRawPointer
  private(set) var capacity = 0
  /// The capacity from the first row on.
  private let firstCapacity: Int
  /// In bytes.
  package private(set) var count = 0
  package private(set) var rowCount = 0
  /// The offset of the row in progress, or of the last one.
  private(set) var lastStart = 0

  /// A buffer that takes its memory with the first row, because that of the next batch exists while the reader
  /// waits for room in the queue.
  package init(capacity: Int = 64 * 1024) {
    firstCapacity = max(capacity, 4096)
    base = .allocate(byteCount: 0, alignment: 8)
  }

  deinit { base.deallocate() }

  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Signature, flags, and the length of an empty header extension.
  package static let header: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + Array(repeating: 0, count: 8)
  /// The field count -1, which ends a stream; the server also accepts one that was cut between two rows.
  package static let trailer: [UInt8] = [0xFF, 0xFF]

  // MARK: - Rows

  /// Starts a row, whose columns the caller then writes.
  package mutating func beginRow(columnCount: Int) {
    lastStart = count
    word(Int16(truncatingIfNeeded: columnCount))
  }

  package mutating func endRow() { rowCount += 1 }

  /// Removes the row in progress.
  mutating func discardRow() { count = lastStart }

  /// Removes the last row.
  mutating func removeLast() {
    discardRow()
    rowCount -= 1
  }

  /// The row in progress, or the last one.
  var lastRow: WrittenRow {
    WrittenRow(bytes: UnsafeRawBufferPointer(rebasing: bytes[lastStart...]))
  }

  /// All rows, in order.
  package var rows: [WrittenRow] {
    var rest = bytes
    return (0..<rowCount).map { _ in
      let all = WrittenRow(bytes: rest)
      let end = all.end(ofColumns: all.columnCount)
      defer { rest = UnsafeRawBufferPointer(rebasing: rest[end...]) }
      return WrittenRow(bytes: UnsafeRawBufferPointer(rebasing: rest[..<end]))
    }
  }

  /// Appends a copy of a row of another buffer.
  package mutating func append(_ row: WrittenRow) {
    lastStart = count
    append(row.bytes)
    rowCount += 1
  }

  /// Appends the rows of another buffer.
  package mutating func append(contentsOf other: borrowing RowBuffer) {
    append(other.bytes)
    rowCount += other.rowCount
  }

  /// Moves some of the last rows to another buffer.
  ///
  /// - Parameters:
  ///   - rows: ascending indexes into `starts`.
  ///   - starts: the offsets of the last rows, in order.
  mutating func move(_ rows: [Int], of starts: [Int], to other: inout RowBuffer) {
    guard let first = rows.first else { return }
    let end = count
    var moved = rows[...]
    count = starts[first]
    for (row, start) in starts.enumerated().dropFirst(first) {
      let size = (row + 1 < starts.count ? starts[row + 1] : end) - start
      if row == moved.first {
        moved.removeFirst()
        rowCount -= 1
        other.append(WrittenRow(bytes: UnsafeRawBufferPointer(start: base + start, count: size)))
      } else {
        memmove(base + count, base + start, size)
        count += size
      }
    }
  }

  package mutating func removeAll() {
    count = 0
    rowCount = 0
  }

  // MARK: - Fields

  @inline(__always)
  package mutating func null() { take(4).storeBytes(of: Int32(-1), as: Int32.self) }

  mutating func text(_ value: KeptText?) { field(value?.bytes) }

  /// The first key column of another row.
  mutating func text(orderKeyOf row: WrittenRow) { field(row.orderKey) }

  /// A credential, for the one column that keeps it on request.
  mutating func text(secret value: ByteSlice?) { field(value) }

  mutating func text(_ value: StaticString) { field(KeptText(value).bytes) }

  package mutating func text(_ value: String) {
    var value = value
    value.withUTF8 { field(UnsafeRawBufferPointer($0)) }
  }

  /// A text that the database has stored already; its secrets are masked.
  package mutating func text(stored value: ArraySlice<UInt8>?) {
    guard let value else { return null() }
    value.withUnsafeBytes { field($0) }
  }

  package mutating func smallint(_ value: Int16) { field(fixed: value.bigEndian as Int16?) }

  @inline(__always)
  package mutating func boolean(_ value: Bool?) { field(fixed: value.map { UInt8($0 ? 1 : 0) }) }

  package mutating func integer(_ value: Int32?) { field(fixed: value?.bigEndian) }

  @inline(__always)
  package mutating func bigint(_ value: Int64?) { field(fixed: value?.bigEndian) }

  /// A `numeric` without digits behind the point: the number of digits to the base of 10,000, the weight of the
  /// first, the sign, the scale, and the digits.
  ///
  /// - Source: `numeric_send` of PostgreSQL 15.
  package mutating func numeric(_ value: Int128) {
    var (digits, rest) = ([Int16](), value.magnitude)
    while rest > 0 {
      digits.append(Int16(rest % 10_000))
      rest /= 10_000
    }
    take(4).storeBytes(of: Int32(8 + 2 * digits.count).bigEndian, as: Int32.self)
    word(Int16(digits.count))
    word(Int16(max(0, digits.count - 1)))
    word(value < 0 ? 0x4000 : 0)
    word(0)
    for digit in digits.reversed() { word(digit) }
  }

  /// A `timestamptz`: microseconds since 2000-01-01 UTC, far from the two numbers that are infinity.
  @inline(__always)
  mutating func time(_ value: EpochMilliseconds?) {
    bigint(value.map { ($0 - TimeRule.earliestPossible) * 1000 })
  }

  /// A SHA-256 digest, as a `bytea`.
  mutating func bytes(_ value: SIMD32<UInt8>?) { field(fixed: value) }

  package mutating func bytes(_ value: [UInt8]) { value.withUnsafeBytes { field($0) } }

  /// A row digest, in the 16 bytes of a `uuid`.
  mutating func uuid(_ value: RowDigest?) {
    field(fixed: value.map { SIMD2($0.first.bigEndian, $0.second.bigEndian) })
  }

  @inline(__always)
  private mutating func word(_ value: Int16) {
    take(2).storeBytes(of: value.bigEndian, as: Int16.self)
  }

  /// A value of a fixed size, already in network byte order.
  @inline(__always)
  private mutating func field<Value: BitwiseCopyable>(fixed value: Value?) {
    guard let value else { return null() }
    let size = MemoryLayout<Value>.size
    let place = take(4 + size)
    place.storeBytes(of: Int32(truncatingIfNeeded: size).bigEndian, as: Int32.self)
    place.storeBytes(of: value, toByteOffset: 4, as: Value.self)
  }

  @inline(__always)
  private mutating func field(_ value: ByteSlice?) {
    guard let value else { return null() }
    field(UnsafeRawBufferPointer(value.buffer))
  }

  @inline(__always)
  private mutating func field(_ value: UnsafeRawBufferPointer) {
    let place = take(4 + value.count)
    place.storeBytes(of: Int32(truncatingIfNeeded: value.count).bigEndian, as: Int32.self)
    if let source = value.baseAddress { memcpy(place + 4, source, value.count) }
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if let source = bytes.baseAddress { memcpy(take(bytes.count), source, bytes.count) }
  }

  /// Extends the buffer by `size` bytes, and returns a pointer to the first of them.
  @inline(__always)
  private mutating func take(_ size: Int) -> UnsafeMutableRawPointer {
    let start = count
    if start + size > capacity { grow(by: size) }
    count = start + size
    return base + start
  }

  private mutating func grow(by additional: Int) {
    capacity = max(2 * capacity, count + additional, firstCapacity)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    memcpy(moved, base, count)
    base.deallocate()
    base = moved
  }
}

/// A whole row of a buffer, valid until the buffer changes.
package struct WrittenRow {
  package let bytes: UnsafeRawBufferPointer

  fileprivate var columnCount: Int { Int(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self))) }

  /// The end of the first columns.
  fileprivate func end(ofColumns count: Int) -> Int {
    var end = 2
    for _ in 0..<count {
      let length = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: end, as: Int32.self))
      end += 4 + Int(max(0, length))
    }
    return end
  }

  /// Some columns as COPY fields, each with its length.
  func fields(_ columns: Range<Int>) -> UnsafeRawBufferPointer {
    let (start, end) = (end(ofColumns: columns.lowerBound), end(ofColumns: columns.upperBound))
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }

  /// The columns so far, without their count.
  var columns: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[2...]) }

  /// The value of the first key column, which is never NULL.
  var orderKey: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: fields(0..<1)[4...]) }

  /// The id of the file that the row is from, which the line number and the digest follow.
  package var sourceFileID: Int64 {
    let column = fields(columnCount - 3..<columnCount - 2)
    return Int64(bigEndian: column.loadUnaligned(fromByteOffset: 4, as: Int64.self))
  }
}
