/// A column of a sum's key.
package enum SumColumn {
  /// One of the counts' own texts.
  case text(TextID)
  case number(Int32?)
  case flag(Bool)

  static func day(_ day: Day) -> SumColumn { .number(day.number) }

  fileprivate var number: Int32 {
    switch self {
    case .text(let id): id.number
    case .number(let number): number ?? .min
    case .flag(let flag): flag ? 1 : 0
    }
  }

  /// The column of another key that has this one's kind.
  fileprivate func with(_ number: Int32) -> SumColumn {
    switch self {
    case .text: .text(TextID(number: number))
    case .number: .number(number == .min ? nil : number)
    case .flag: .flag(number != 0)
    }
  }
}

/// The counts of one sum by key: what the rows of players add to them.
///
/// A row that goes counts with the opposite sign, so a refresh adds the difference between a
/// player's rows before and after, and a rebuild all rows.
package struct SumCounts {
  /// The numbers of the key's columns.
  private struct Key: Hashable {
    var words: SIMD4<UInt64>

    /// Odd numbers with bits all over.
    private static let factors: SIMD4<UInt64> = [
      0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93,
    ]

    /// Mixes the words into one: hashing eight numbers would take a tenth of a rebuild.
    func hash(into hasher: inout Hasher) {
      hasher.combine((words &* Self.factors).wrappedSum())
    }

    static func == (left: Key, right: Key) -> Bool {
      let different = left.words ^ right.words
      return different[0] | different[1] | different[2] | different[3] == 0
    }
  }

  /// The columns of any key behind the application, for their kinds.
  private var columns: [SumColumn] = []
  private var places: [Key: Int] = [:]
  private var counts: [Int128] = []
  private var width = 0

  /// Adds `sign` times `values` to the counts of an application's key, in the order of the table.
  mutating func add(
    _ app: TextID, _ columns: [SumColumn], _ values: [Int128], times sign: Int128
  ) {
    var numbers = SIMD8<Int32>()
    numbers[0] = app.number
    for place in columns.indices { numbers[place + 1] = columns[place].number }
    let key = Key(words: unsafeBitCast(numbers, to: SIMD4<UInt64>.self))
    var place = places[key] ?? counts.count
    if place == counts.count {
      // A copy, so that the caller's arrays stay on its stack.
      if width == 0 { (self.columns, width) = (columns.map { $0 }, values.count) }
      places[key] = place
      counts.append(contentsOf: repeatElement(0, count: width))
    }
    let isAdded = sign > 0
    counts.withUnsafeMutableBufferPointer { counts in
      for value in values {
        counts[place] += isAdded ? value : -value
        place += 1
      }
    }
  }

  /// The keys whose counts are not all 0, with the counts.
  package var rows: some Sequence<(key: [SumColumn], counts: ArraySlice<Int128>)> {
    places.lazy.compactMap { key, place in
      let counts = counts[place..<place + width]
      guard counts.contains(where: { $0 != 0 }) else { return nil }
      let numbers = unsafeBitCast(key.words, to: SIMD8<Int32>.self)
      let app = SumColumn.text(TextID(number: numbers[0]))
      return ([app] + columns.indices.map { columns[$0].with(numbers[$0 + 1]) }, counts)
    }
  }

  /// The memory that the counts take; with room to grow, up to twice as much.
  var byteCount: Int {
    places.count * (MemoryLayout<Key>.size + MemoryLayout<Int>.size)
      + counts.count * MemoryLayout<Int128>.size
  }

  mutating func removeAll() {
    places.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
  }
}
