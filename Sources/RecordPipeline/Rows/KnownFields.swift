/// A declared field of a stream, and the number of lines that have it.
package struct KnownField: Sendable, Equatable {
  /// The field's first column; its first spelling when it has none.
  package let name: String
  package let lineCount: Int
}

/// Counts the declared fields of a file's lines, whatever their spelling, so that a field that the
/// vendor no longer sends is noticed.
struct KnownFields {
  private let fields: [(name: String, slots: UInt64)]
  private var counts: [Int]
  /// The slots of the last lines, and the number of these lines: most lines have the same ones.
  private var last: (slots: UInt64, lines: Int) = (0, 0)

  /// The fields of a stream, each with its first column, or its first spelling when it has none.
  init(_ stream: RecordStream) {
    fields = stream.fields.fields.filter { $0.slots != 0 && $0.kind != .anyOf }.map { field in
      let column = field.columns.first.map { stream.columns[$0].name }
      return (column ?? stream.fields.names[field.firstSlot], field.slots)
    }
    counts = Array(repeating: 0, count: fields.count)
  }

  /// The fields of the lines so far, in the order of their declaration, without those of no line.
  var found: [KnownField] {
    var copy = self
    copy.addLast()
    return zip(copy.fields, copy.counts).compactMap { field, count in
      count > 0 ? KnownField(name: field.name, lineCount: count) : nil
    }
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
    for (index, field) in fields.enumerated() where field.slots & last.slots != 0 {
      counts[index] += last.lines
    }
    last.lines = 0
  }
}
