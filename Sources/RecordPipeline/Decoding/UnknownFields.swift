/// A field name that a stream does not know, and how many lines have it.
package struct UnknownField: Sendable, Equatable {
  /// nil stands for all names beyond those that are counted one by one.
  package let name: String?
  package fileprivate(set) var lineCount: Int
  package let firstLine: Int
}

/// Counts the unknown field names of a file, so that a change of the vendor's schema shows.
///
/// In bounded memory: names that are too many or too long are counted together.
struct UnknownFields {
  private var names: [[UInt8]] = []
  private var counts: [(lines: Int, first: Int, last: Int)] = []
  private var table = [Int16](repeating: -1, count: Self.tableSize)
  private var others: (lines: Int, first: Int, last: Int) = (0, 0, 0)
  /// Lines tend to have the same members in the same order: the one expected next.
  private var expected = 0

  static let nameLimit = 1000
  static let nameByteLimit = 256
  private static let tableSize = 4096

  /// All of them, in the order of their first lines.
  var fields: [UnknownField] {
    var fields = zip(names, counts).map { name, count in
      UnknownField(
        name: String(decoding: name, as: UTF8.self), lineCount: count.lines,
        firstLine: count.first)
    }
    if others.lines > 0 {
      fields.append(UnknownField(name: nil, lineCount: others.lines, firstLine: others.first))
    }
    return fields
  }

  /// Notes the unknown names of a line, each once.
  mutating func note(_ lineNames: [ByteSlice], line: Int) {
    for name in lineNames {
      guard let index = index(of: name) else {
        Self.count(line, in: &others)
        continue
      }
      Self.count(line, in: &counts[index])
    }
  }

  private static func count(
    _ line: Int, in count: inout (lines: Int, first: Int, last: Int)
  ) {
    guard count.last != line else { return }
    if count.lines == 0 { count.first = line }
    count.lines += 1
    count.last = line
  }

  private mutating func index(of name: ByteSlice) -> Int? {
    if expected < names.count, name.buffer.elementsEqual(names[expected]) {
      defer { expected += 1 }
      return expected
    }
    guard name.count <= Self.nameByteLimit else { return nil }
    var place = Self.place(name)
    while table[place] >= 0 {
      let index = Int(table[place])
      if name.buffer.elementsEqual(names[index]) {
        expected = index + 1
        return index
      }
      place = (place + 1) % Self.tableSize
    }
    guard names.count < Self.nameLimit else { return nil }
    table[place] = Int16(names.count)
    names.append(Array(name.buffer))
    counts.append((0, 0, 0))
    expected = names.count
    return names.count - 1
  }

  /// FNV-1a; names that are made to collide slow a table of a thousand down and break nothing.
  private static func place(_ name: ByteSlice) -> Int {
    var hash: UInt32 = 0x811C_9DC5
    for byte in name.buffer { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return Int((hash ^ hash >> 16) % UInt32(tableSize))
  }
}
