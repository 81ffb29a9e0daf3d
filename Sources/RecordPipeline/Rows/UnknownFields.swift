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
  /// The index of the count of each name; nil stands for all names that are counted together.
  private var indexes: [[UInt8]?: Int] = [:]
  /// The number of lines with each name, the first, and the last one so far.
  private var counts: [(name: [UInt8]?, lines: Int, first: Int, last: Int)] = []
  /// The count that is expected next, because most lines have the same members in the same order.
  private var expected = 0

  static let nameLimit = 1000
  static let nameByteLimit = 256

  /// All unknown fields, in the order of their first lines.
  var fields: [UnknownField] {
    let fields = counts.map { count in
      UnknownField(
        name: count.name.map { String(decoding: $0, as: UTF8.self) }, lineCount: count.lines,
        firstLine: count.first)
    }
    return fields.filter { $0.name != nil } + fields.filter { $0.name == nil }
  }

  /// Counts the unknown names of a line, each once even if it is repeated.
  mutating func note(_ lineNames: [ByteSlice], line: Int) {
    for name in lineNames {
      let index = index(of: name)
      if counts[index].last == line { continue }
      if counts[index].lines == 0 { counts[index].first = line }
      counts[index].lines += 1
      counts[index].last = line
    }
  }

  private mutating func index(of name: ByteSlice) -> Int {
    if expected < counts.count, counts[expected].name.map(name.buffer.elementsEqual) ?? false {
      defer { expected += 1 }
      return expected
    }
    let others: [UInt8]? = nil
    var key = name.count <= Self.nameByteLimit ? Array(name.buffer) : others
    let nameCount = indexes.count - (indexes[others] == nil ? 0 : 1)
    if indexes[key] == nil, nameCount == Self.nameLimit { key = others }
    let index = indexes[key] ?? counts.count
    if index == counts.count {
      counts.append((key, 0, 0, 0))
      indexes[key] = index
    }
    expected = index + 1
    return index
  }
}
