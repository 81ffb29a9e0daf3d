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
  private func write(_ value: Int32, to rows: inout RowBuffer) {
    rows.beginRow(columnCount: 2)
    rows.integer(value)
    rows.uuid(nil)
    rows.endRow()
  }

  @Test func `rows are moved, dropped and appended`() {
    var first = RowBuffer()
    var second = RowBuffer()
    write(1, to: &first)
    write(2, to: &first)
    second.append(first.lastRow)
    #expect(hex(second.lastRow.columns) == "0000000400000002ffffffff")
    first.removeLast()
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
    #expect(first.rowCount == 0 && first.bytes.isEmpty && first.rows.isEmpty)
  }

  @Test func `written rows have their keys, digests and files`() throws {
    let stream = RecordStream.receipt
    var rows = RowBuffer()
    var texts: [String] = []
    let key = try #require(RowDigest.Key(Array(1...16)))
    for number in 0..<3 {
      rows.beginRow(columnCount: stream.allColumns.count)
      rows.text("p\(number)")
      rows.text(String(repeating: "x", count: 7 * number))
      for _ in 0..<stream.allColumns.count - 5 { rows.null() }
      rows.bigint(Int64(100 + number))
      rows.bigint(1)
      rows.uuid(number == 1 ? nil : RowDigest(of: rows.lastRow.columns, key: key))
      rows.endRow()
      texts.append(hex(rows.bytes.dropFirst(texts.joined().count / 2)))
    }
    var copy = RowBuffer()
    for (number, row) in rows.rows.enumerated() {
      #expect(hex(row.bytes) == texts[number])
      #expect(hex(row.key(of: stream)) == "00000002" + hex("p\(number)".utf8))
      #expect(row.sourceFileID == Int64(100 + number))
      copy.append(row)
    }
    #expect(copy.rowCount == 3 && hex(copy.bytes) == texts.joined())
    let parameters = rows.lookUpParameters(for: stream).map { hex($0) }
    let keys = (0..<3).map { "00000002" + hex("p\($0)".utf8) }.joined()
    #expect(parameters[0] == "0000000100000001" + "00000019" + "00000003" + "00000001" + keys)
    #expect(parameters[1].hasPrefix("0000000100000001" + "00000b86" + "00000003" + "00000001"))
    // A digest of 16 bytes takes a field of 20 bytes; a missing digest takes 4.
    #expect(parameters[1].count == 2 * (20 + 2 * 20 + 4) && parameters.count == 2)
  }

  @Test func `the look-up of rows by time has the smallest and the largest time`() {
    var rows = RowBuffer()
    for time in [5, 900, 256] as [Int64] {
      rows.beginRow(columnCount: RecordStream.levelUp.allColumns.count)
      rows.bigint(time)
      for _ in 1..<RecordStream.levelUp.allColumns.count { rows.null() }
      rows.endRow()
    }
    let parameters = rows.lookUpParameters(for: .levelUp).map { hex($0) }
    #expect(parameters.suffix(2) == ["0000000000000005", "0000000000000384"])
    #expect(parameters[0].hasSuffix("0000000800000000000003840000000800000000000001" + "00"))
  }

  @Test(arguments: [
    [], [0], [5], [0, 1, 2, 3, 4, 5], [1, 2], [0, 2, 4], [1, 3, 5], [3, 4, 5], [0, 5],
  ])
  func `some of the last rows are moved, and the others keep their order`(moved: [Int]) throws {
    var new = RowBuffer()
    var others = RowBuffer()
    var starts: [Int] = []
    for number in [90] + Array(-2..<6) {
      new.beginRow(columnCount: 2)
      // The rows have different lengths.
      new.text(String(repeating: "x", count: abs(number) * 7) + "\(number)")
      new.uuid(nil)
      new.endRow()
      if (0..<6).contains(number) { starts.append(new.lastStart) }
      if number == 90 { new.move([0], of: [new.lastStart], to: &others) }
    }
    new.move(moved, of: starts, to: &others)
    func numbers(_ bytes: UnsafeRawBufferPointer, _ count: Int) throws -> [Int] {
      let columns = [Column(.text, name: "text"), Column(.uuid, name: "row_digest")]
      let read = try CopyRow.rows(Array(bytes), columns: columns)
      #expect(read.count == count)
      return try read.map { try #require(Int(($0["text"] ?? "").replacing("x", with: ""))) }
    }
    #expect(
      try numbers(new.bytes, new.rowCount) == [-2, -1] + (0..<6).filter { !moved.contains($0) })
    #expect(try numbers(others.bytes, others.rowCount) == [90] + moved)
  }

  @Test func `a key holds the first columns, NULLs included`() {
    var buffer = RowBuffer()
    buffer.text("before" as String)
    buffer.beginRow(columnCount: 4)
    buffer.bigint(1)
    buffer.null()
    buffer.text("ab" as String)
    buffer.text("not the key" as String)
    buffer.endRow()
    #expect(hex(buffer.lastRow.orderKey) == "0000000000000001")
    #expect(hex(buffer.lastRow.fields(0..<3)) == "000000080000000000000001ffffffff000000026162")
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
