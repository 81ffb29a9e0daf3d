import Testing

@testable import RecordPipeline

struct RowBufferTests {
  private func bytes(_ write: (inout RowBuffer) -> Void) -> [UInt8] {
    var buffer = RowBuffer()
    write(&buffer)
    return Array(buffer.bytes)
  }

  @Test func `the COPY header and trailer match PostgreSQL's manual`() {
    #expect(hex(RowBuffer.header) == "5047434f50590aff0d0a000000000000000000")
    #expect(hex(RowBuffer.trailer) == "ffff")
  }

  @Test func `a buffer has no memory before its first row`() {
    var buffer = RowBuffer(capacity: 1_000_000)
    #expect(buffer.capacity == 0)
    buffer.beginRow(columnCount: 1)
    #expect(buffer.capacity == 1_000_000)
  }

  @Test func `fields are written with a big-endian length`() {
    #expect(hex(bytes { $0.beginRow(columnCount: 26) }) == "001a")
    #expect(hex(bytes { $0.null() }) == "ffffffff")
    #expect(hex(bytes { $0.text("é" as String) }) == "00000002c3a9")
    #expect(hex(bytes { $0.text("" as String) }) == "00000000")
    #expect(hex(bytes { $0.text("line" as StaticString) }) == "000000046c696e65")
    #expect(hex(bytes { $0.text(nil as KeptText?) }) == "ffffffff")
    #expect(hex(bytes { $0.boolean(true) }) == "0000000101")
    #expect(hex(bytes { $0.boolean(false) }) == "0000000100")
    #expect(hex(bytes { $0.boolean(nil) }) == "ffffffff")
    #expect(hex(bytes { $0.integer(.max) }) == "000000047fffffff")
    #expect(hex(bytes { $0.integer(-2) }) == "00000004fffffffe")
    #expect(hex(bytes { $0.bigint(.min) }) == "000000088000000000000000")
    #expect(hex(bytes { $0.bigint(nil) }) == "ffffffff")
    #expect(hex(bytes { $0.bytes([1, 2]) }) == "000000020102")
  }

  @Test(
    arguments: [
      (946_684_800_000, "0000000000000000"), (946_684_800_001, "00000000000003e8"),
      (946_684_799_999, "fffffffffffffc18"), (1_616_649_225_531, "000261543f988e78"),
    ] as [(Int64, String)])
  func `times are microseconds since 2000`(time: Int64, expected: String) {
    #expect(hex(bytes { $0.time(time) }) == "00000008" + expected)
  }

  @Test func `a growing buffer keeps its content`() {
    var buffer = RowBuffer(capacity: 1)
    var expected: [UInt8] = []
    for index in 0..<20_000 {
      let text = String(repeating: "x", count: index % 23)
      buffer.text(text)
      expected += [0, 0, 0, UInt8(index % 23)] + Array(text.utf8)
    }
    buffer.text(String(repeating: "y", count: 1_000_000))
    expected += [0x00, 0x0F, 0x42, 0x40] + Array(repeating: UInt8(ascii: "y"), count: 1_000_000)
    #expect(Array(buffer.bytes) == expected)
  }

  /// Writes a row of one number, without a digest.
  private func write(_ value: Int32, to rows: inout RowBuffer) -> RowPlace {
    rows.beginRow(columnCount: 2)
    rows.integer(value)
    rows.markKey()
    rows.markDigest()
    rows.uuid(nil)
    return rows.endRow()
  }

  @Test func `rows are moved, dropped and appended`() {
    var first = RowBuffer()
    var second = RowBuffer()
    _ = write(1, to: &first)
    let row = write(2, to: &first)
    second.appendRow(first.bytes(of: row))
    first.removeLast(row)
    #expect(first.rowCount == 1 && second.rowCount == 1)
    #expect(hex(second.bytes) == "00020000000400000002ffffffff")
    first.beginRow(columnCount: 1)
    first.integer(9)
    first.discardRow()
    first.append(contentsOf: second)
    #expect(first.rowCount == 2)
    #expect(
      hex(first.bytes) == "00020000000400000001ffffffff" + "00020000000400000002ffffffff")
    first.removeAll()
    #expect(first.rowCount == 0 && first.bytes.isEmpty)
  }

  @Test func `keyed rows keep their keys, digests and files when they change buffers`() throws {
    let stream = RecordStream.receipt
    var rows = RowBuffer()
    var others = KeyedRows()
    var texts: [String] = []
    let key = try #require(RowDigest.Key(Array(1...16)))
    func add(_ number: Int) {
      rows.beginRow(columnCount: stream.allColumns.count)
      rows.text("p\(number)")
      rows.markKey()
      rows.text(String(repeating: "x", count: 7 * number))
      rows.bigint(Int64(100 + number))
      rows.bigint(1)
      rows.markDigest()
      let digest = RowDigest(of: rows.openRow, key: key)
      rows.uuid(number == 1 ? nil : digest)
      let row = rows.endRow()
      texts.append(hex(rows.bytes(of: row)))
      others.append(row, of: rows)
      if number > 1 { rows.removeLast(row) }
    }
    for number in 0..<3 { add(number) }
    var together = KeyedRows()
    for _ in 0..<2 { together.append(contentsOf: others) }
    #expect(together.rowCount == 6 && hex(together.bytes) == (texts + texts).joined())
    var copy = RowBuffer()
    for (number, text) in (texts + texts).enumerated() {
      #expect(hex(together.key(of: number)) == "00000002" + hex("p\(number % 3)".utf8))
      #expect(together.sourceFileID(of: number) == Int64(100 + number % 3))
      copy.removeAll()
      together.copy(number, to: &copy)
      #expect(hex(copy.bytes) == text)
    }
    let parameters = together.parameters(for: stream).map { hex($0) }
    let keys = (0..<6).map { "00000002" + hex("p\($0 % 3)".utf8) }.joined()
    #expect(parameters[0] == "0000000100000001" + "00000019" + "00000006" + "00000001" + keys)
    #expect(parameters[1].hasPrefix("0000000100000001" + "00000b86" + "00000006" + "00000001"))
    // A digest of 16 bytes takes a field of 20 bytes; a missing digest takes 4.
    #expect(parameters[1].count == 2 * (20 + 4 * 20 + 2 * 4) && parameters.count == 2)
  }

  @Test(arguments: [
    [], [0], [5], [0, 1, 2, 3, 4, 5], [1, 2], [0, 2, 4], [1, 3, 5], [3, 4, 5], [0, 5],
  ])
  func `some of the last rows are moved, and the others keep their order`(moved: [Int]) throws {
    var batch = OpenBatch()
    var places: [RowPlace] = []
    for number in [90] + Array(-2..<6) {
      batch.newRows.beginRow(columnCount: 2)
      // The rows have different lengths.
      batch.newRows.text(String(repeating: "x", count: abs(number) * 7) + "\(number)")
      batch.newRows.markDigest()
      batch.newRows.uuid(nil)
      let row = batch.newRows.endRow()
      if (0..<6).contains(number) { places.append(row) }
      if number == 90 { batch.moveToPossiblyKnown([0], of: [row]) }
    }
    batch.moveToPossiblyKnown(moved, of: places)
    func numbers(_ bytes: UnsafeRawBufferPointer, _ count: Int) throws -> [Int] {
      let columns = [Column("text", .text), Column("row_digest", .uuid)]
      let read = try CopyRow.rows(Array(bytes), columns: columns)
      #expect(read.count == count)
      return try read.map { try #require(Int(($0["text"] ?? "").replacing("x", with: ""))) }
    }
    let new = try numbers(batch.newRows.bytes, batch.newRows.rowCount)
    let others = try numbers(batch.possiblyKnownRows.bytes, batch.possiblyKnownRows.rowCount)
    #expect(new == [-2, -1] + (0..<6).filter { !moved.contains($0) })
    #expect(others == [90] + moved)
  }

  @Test func `a key holds the first columns, NULLs included`() {
    var buffer = RowBuffer()
    buffer.text("before" as String)
    buffer.beginRow(columnCount: 4)
    buffer.bigint(1)
    buffer.null()
    buffer.text("ab" as String)
    buffer.markKey()
    buffer.text("not the key" as String)
    let row = buffer.endRow()
    #expect(hex(buffer.orderKey) == "0000000000000001")
    #expect(hex(buffer.key(of: row)) == "000000080000000000000001ffffffff000000026162")
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `every row has exactly the columns of its stream`(name: String) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    let lines = [
      "receipt": receipt(), "level_up": levelUp(), "game_user": gameUser(), "item": item(),
      "event": event(),
    ]
    let line = lines[name]
    let row = try row(try #require(line), as: stream)
    #expect(row.values.map(\.column) == stream.allColumns)
    #expect(!row.description.contains("?"))
    #expect(stream.keyColumns.count == stream.keyColumnCount)
    #expect(Set(stream.allColumns.map(\.name)).count == stream.allColumns.count)
  }
}
