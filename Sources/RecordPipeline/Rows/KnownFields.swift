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
    counts = stream.fields.fields.filter { $0.slots != 0 && $0.kind != .anyOf }.map { field in
      let column = field.columns.first.map { stream.columns[$0].name }
      return (KnownField(name: column ?? stream.fields.names[field.firstSlot]), field.slots)
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
