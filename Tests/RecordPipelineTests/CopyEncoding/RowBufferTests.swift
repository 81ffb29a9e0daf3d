import Testing

@testable import RecordPipeline

struct RowBufferTests {
  private func bytes(_ write: (RowBuffer) -> Void) -> [UInt8] {
    let buffer = RowBuffer()
    write(buffer)
    return Array(buffer.bytes)
  }

  @Test func `the stream begins and ends as the manual says`() {
    #expect(hex(RowBuffer.header) == "5047434f50590aff0d0a000000000000000000")
    #expect(hex(RowBuffer.trailer) == "ffff")
  }

  @Test func `fields are written with their length, big-endian`() {
    #expect(hex(bytes { $0.beginRow(columnCount: 26) }) == "001a")
    #expect(hex(bytes { $0.null() }) == "ffffffff")
    #expect(hex(bytes { $0.text("é" as String) }) == "00000002c3a9")
    #expect(hex(bytes { $0.text("" as String) }) == "00000000")
    #expect(hex(bytes { $0.text("line" as StaticString) }) == "000000046c696e65")
    #expect(hex(bytes { $0.text(nil as ByteSlice?) }) == "ffffffff")
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

  @Test func `a buffer grows without losing anything`() {
    let buffer = RowBuffer(capacity: 1)
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

  @Test func `rows are moved, forgotten and put together`() {
    let row = { (buffer: RowBuffer, value: Int32) in
      let start = buffer.beginRow(columnCount: 1)
      buffer.integer(value)
      buffer.endRow()
      return start
    }
    let (first, second) = (RowBuffer(), RowBuffer())
    _ = row(first, 1)
    let start = row(first, 2)
    first.moveLastRow(from: start, to: second)
    #expect(first.rowCount == 1 && second.rowCount == 1)
    #expect(hex(second.bytes) == "00010000000400000002")
    let unfinished = first.beginRow(columnCount: 1)
    first.integer(9)
    first.truncate(to: unfinished)
    first.append(contentsOf: second)
    #expect(first.rowCount == 2)
    #expect(hex(first.bytes) == "0001000000040000000100010000000400000002")
    first.removeAll()
    #expect(first.rowCount == 0 && first.bytes.isEmpty)
  }

  @Test(arguments: [
    [], [0], [5], [0, 1, 2, 3, 4, 5], [1, 2], [0, 2, 4], [1, 3, 5], [3, 4, 5], [0, 5],
  ])
  func `some of the last rows are moved, the others stay as they were`(moved: [Int]) throws {
    let (rows, others) = (RowBuffer(), RowBuffer())
    var starts: [Int] = []
    for (buffer, numbers) in [(rows, -2..<6), (others, 90..<91)] {
      for number in numbers {
        let start = buffer.beginRow(columnCount: 1)
        // Rows of all lengths.
        buffer.text(String(repeating: "x", count: abs(number) * 7) + "\(number)")
        buffer.endRow()
        if number >= 0, buffer === rows { starts.append(start) }
      }
    }
    rows.moveRows(moved, startingAt: starts, to: others)
    func numbers(_ buffer: RowBuffer) throws -> [Int] {
      let read = try CopyRow.rows(Array(buffer.bytes), columns: [Column("text", .text)])
      #expect(read.count == buffer.rowCount)
      return try read.map { try #require(Int(($0["text"] ?? "").replacing("x", with: ""))) }
    }
    #expect(try numbers(rows) == [-2, -1] + (0..<6).filter { !moved.contains($0) })
    #expect(try numbers(others) == [90] + moved)
  }

  @Test func `a key is the first columns, their NULLs included`() {
    let buffer = RowBuffer()
    buffer.text("before" as String)
    let start = buffer.beginRow(columnCount: 4)
    buffer.bigint(1)
    buffer.null()
    buffer.text("ab" as String)
    buffer.text("not the key" as String)
    buffer.endRow()
    let key = buffer.key(ofRowAt: start, columnCount: 3)
    #expect(hex(key.first) == "0000000000000001")
    #expect(hex(key.all) == "000000080000000000000001ffffffff000000026162")
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `every row has exactly the columns of its stream`(name: String) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    let line = ["receipt": receipt(), "level_up": levelUp(), "game_user": gameUser()][name]
    let row = try row(try #require(line), as: stream)
    #expect(row.values.map(\.column) == stream.allColumns)
    #expect(!row.description.contains("?"))
    #expect(stream.keyColumns.count == stream.keyColumnCount)
    #expect(Set(stream.allColumns.map(\.name)).count == stream.allColumns.count)
  }
}
