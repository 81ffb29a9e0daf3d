/// A field name that a stream does not know, and the number of lines that have it.
package struct UnknownField: Sendable, Equatable {
  /// nil stands for all names that are counted together.
  package let name: String?
  package fileprivate(set) var lineCount: Int
  package let firstLine: Int
}

/// Counts the unknown field names of a file, so that a change of the vendor's schema is visible.
///
/// Memory is bounded: names after the first `nameLimit`, and names longer than `nameByteLimit`, are
/// counted together.
struct UnknownFields {
  private var names: [[UInt8]] = []
  private var counts: [(lines: Int, first: Int, last: Int)] = []
  private var table = [Int16](repeating: -1, count: Self.tableSize)
  private var others: (lines: Int, first: Int, last: Int) = (0, 0, 0)
  /// The index of the name that is expected next, because most lines have the same members in the same order.
  private var expected = 0

  static let nameLimit = 1000
  static let nameByteLimit = 256
  private static let tableSize = 4096

  /// All unknown fields, in the order of their first lines.
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

  /// Counts the unknown names of a line, each once even if it is repeated.
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

  /// The place of a name by its FNV-1a hash.
  ///
  /// Crafted collisions can only slow a look-up down, and not much in so small a table.
  private static func place(_ name: ByteSlice) -> Int {
    var hash: UInt32 = 0x811C_9DC5
    for byte in name.buffer { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return Int((hash ^ hash >> 16) % UInt32(tableSize))
  }
}
