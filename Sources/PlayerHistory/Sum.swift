/// A sum of the reports: counts of all players by key, in the table of its name in schema `rollup`.
package enum Sum: Int, CaseIterable, Sendable {
  case revenueDay
  case sandboxDay
  case playerPeriod
  case currencyPeriod
  case levelRevenue
  case cohortSize
  case cohortObserved
  case cohortConverted
  case cohortRevenue
  case subscriptionDay
  case mrrDay
  case subscriptionCohort
  case trialMonth
  case trialEnd
  case churnMonth
  case mrrMonth
  case level
  case levelTime
  case cohortLevel

  /// A column of the key behind the application.
  package enum Column: Sendable {
    /// A text, or another value in the bytes in which the server takes it.
    case text
    case day
    case integer
    case flag
    /// The number of a name.
    case name([String])
  }

  /// The table, and its key behind `app_id`, in the table's order.
  package var declaration: (table: String, key: [Column]) {
    switch self {
    case .revenueDay: ("revenue_day", [.day, .text, .text, .text, .flag])
    case .sandboxDay: ("sandbox_day", [.day, .text, .text, .text])
    case .playerPeriod: ("player_period", [Self.period, .day])
    case .currencyPeriod: ("currency_period", [.text, Self.period, .day])
    case .levelRevenue:
      ("level_revenue", [.text, .integer, .name(["exact", "highest_of_several", "none"])])
    case .cohortSize: ("cohort_size", [Self.cohort, .day])
    case .cohortObserved: ("cohort_observed", [.day, .integer])
    case .cohortConverted: ("cohort_converted", [.day, .integer])
    case .cohortRevenue: ("cohort_revenue", [Self.cohort, .day, .integer, .text])
    case .subscriptionDay: ("subscription_day", [.text, .text, .day])
    case .mrrDay: ("mrr_day", [.text, .day])
    case .subscriptionCohort:
      ("subscription_cohort", [.text, .day, .name(["", "trial", "paid", "other"]), .integer])
    case .trialMonth: ("trial_month", [.text, .day])
    case .trialEnd: ("trial_end", [.text, .day, .text])
    case .churnMonth: ("churn_month", [.text, .day])
    case .mrrMonth: ("mrr_month", [.text, .day])
    case .level: ("level", [.integer])
    case .levelTime:
      ("level_time", [.integer, .name(["first_observed", "previous_level"]), .integer])
    case .cohortLevel: ("cohort_level", [.day, .integer])
    }
  }

  private static let period = Column.name(["day", "week", "month"])
  private static let cohort = Column.name(["first_observed", "first_paid"])
}

/// The counts of the sums, by key: what the rows of players add to them.
///
/// A row that goes counts with the opposite sign, so a refresh adds the difference between a
/// player's rows before and after, and a rebuild all rows.
package struct SumCounts {
  /// The numbers of the key's columns; the first is the application.
  package struct Key: Hashable {
    private let words: SIMD4<UInt64>

    /// Odd numbers with bits all over.
    private static let factors: SIMD4<UInt64> = [
      0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93,
    ]

    init(_ numbers: SIMD8<Int32>) { words = unsafeBitCast(numbers, to: SIMD4<UInt64>.self) }

    package subscript(place: Int) -> Int32 {
      Int32(truncatingIfNeeded: words[place / 2] >> UInt64(place % 2 * 32))
    }

    /// Mixes the words into one: hashing eight numbers would take a tenth of a rebuild.
    package func hash(into hasher: inout Hasher) {
      hasher.combine((words &* Self.factors).wrappedSum())
    }

    package static func == (left: Key, right: Key) -> Bool {
      let different = left.words ^ right.words
      return different[0] | different[1] | different[2] | different[3] == 0
    }
  }

  /// The number for NULL in a key.
  package static let null = Int32.min

  /// The counts of one sum.
  package struct Counts {
    private var places: [Key: Int] = [:]
    private var counts: [Int128] = []
    private var width = 0

    fileprivate mutating func add(_ key: Key, _ values: [Int128], times sign: Int128) {
      width = values.count
      var place = places[key] ?? counts.count
      if place == counts.count {
        places[key] = place
        counts.append(contentsOf: repeatElement(0, count: width))
      }
      for value in values {
        counts[place] += sign * value
        place += 1
      }
    }

    /// The keys whose counts are not all 0, with the counts.
    package var rows: [(key: Key, counts: ArraySlice<Int128>)] {
      places.compactMap { key, place in
        let counts = counts[place..<place + width]
        return counts.contains { $0 != 0 } ? (key, counts) : nil
      }
    }

    fileprivate var byteCount: Int {
      places.count * (MemoryLayout<Key>.size + MemoryLayout<Int>.size)
        + counts.count * MemoryLayout<Int128>.size
    }

    fileprivate mutating func removeAll() {
      places.removeAll(keepingCapacity: true)
      counts.removeAll(keepingCapacity: true)
    }
  }

  private var sums = Sum.allCases.map { _ in Counts() }
  private var names = TextTable()

  package init() {}

  package subscript(sum: Sum) -> Counts { sums[sum.rawValue] }

  /// The text of a number in a key.
  package func text(_ number: Int32) -> ArraySlice<UInt8>? {
    number == TextID.null.number ? nil : names[TextID(number: number)]
  }

  /// The number of a text in keys.
  mutating func number(of text: ArraySlice<UInt8>?) -> Int32 {
    text?.withUnsafeBytes { names.id(of: $0).number } ?? TextID.null.number
  }

  /// Adds `sign` times `values` to the counts of a key; the values are in the order of the table.
  mutating func add(
    _ sum: Sum, _ app: Int32, _ key: [Int32], _ values: [Int128], times sign: Int128
  ) {
    var lanes = SIMD8<Int32>()
    lanes[0] = app
    for place in key.indices { lanes[place + 1] = key[place] }
    sums[sum.rawValue].add(Key(lanes), values, times: sign)
  }

  /// The memory that the counts take; with room to grow, up to twice as much.
  package var byteCount: Int { sums.reduce(0) { $0 + $1.byteCount } }

  package mutating func removeAll() {
    for index in sums.indices { sums[index].removeAll() }
    names.removeAll()
  }
}
