/// A field name that a stream does not know, and the number of lines that have it.
package struct UnknownField: Sendable, Equatable {
  /// nil stands for all names that are counted together.
  package let name: String?
  package let lineCount: Int
  package let firstLine: Int
}

/// Counts the unknown field names of a file, so that a change of the vendor's schema is visible.
///
/// Names after the first `nameLimit`, and names longer than `nameByteLimit`, are counted together.
struct UnknownFields {
  /// The number of lines with each name, the first, and the last one so far; those counted together come first.
  private var counts: [(name: [UInt8], lines: Int, first: Int, last: Int)] = [([], 0, 0, 0)]
  /// The index of the count of each name.
  private var indexes: [[UInt8]: Int] = [:]
  /// The count that is expected next, because most lines have the same members in the same order.
  private var expected = 1

  static let nameLimit = 1000
  static let nameByteLimit = 256

  /// All unknown fields, in the order of their first lines.
  var fields: [UnknownField] {
    let named = counts.dropFirst().map { ($0, Optional(String(decoding: $0.name, as: UTF8.self))) }
    return (named + [(counts[0], nil)]).filter { count, _ in count.lines > 0 }.map { count, name in
      UnknownField(name: name, lineCount: count.lines, firstLine: count.first)
    }
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
    if expected < counts.count, name.buffer.elementsEqual(counts[expected].name) {
      defer { expected += 1 }
      return expected
    }
    guard name.count <= Self.nameByteLimit else { return 0 }
    let key = Array(name.buffer)
    if indexes[key] == nil, indexes.count < Self.nameLimit {
      indexes[key] = counts.count
      counts.append((key, 0, 0, 0))
    }
    let index = indexes[key] ?? 0
    expected = index + 1
    return index
  }
}

/// A declared field of a stream, and the number of lines that have it.
package struct KnownField: Sendable, Equatable {
  /// The field's first column; its first spelling when it has none.
  package let name: String
  package fileprivate(set) var lineCount = 0
}

/// Counts the declared fields of a file's lines, whatever their spelling, so that a field that the
/// vendor no longer sends is noticed.
struct KnownFields {
  private var counts: [(field: KnownField, slots: UInt64)]
  /// The slots of the last lines, and the number of these lines: most lines have the same ones.
  private var last: (slots: UInt64, lines: Int) = (0, 0)

  init(_ stream: RecordStream) {
    let fields = stream.fields.filter { $0.slots != 0 && $0.kind != .anyOf && !$0.isInData }
    counts = fields.map { field in
      let column = field.columns.first.map { stream.columns[$0].name }
      return (KnownField(name: column ?? stream.names[field.firstSlot]), field.slots)
    }
  }

  /// The fields of the lines so far, in the order of their declaration, without those of no line.
  var found: [KnownField] {
    var copy = self
    copy.addLast()
    return copy.counts.map(\.field).filter { $0.lineCount > 0 }
  }

  /// Counts the fields of a line.
  ///
  /// - Parameter slots: bit n: the line has a value in slot n.
  @inline(__always)
  mutating func note(_ slots: UInt64) {
    if slots != last.slots {
      addLast()
      last = (slots, 0)
    }
    last.lines += 1
  }

  private mutating func addLast() {
    for index in counts.indices where counts[index].slots & last.slots != 0 {
      counts[index].field.lineCount += last.lines
    }
    last.lines = 0
  }
}
