internal import RecordPipeline

/// The columns of a stream that the figures of a day need.
struct DayColumns {
  /// Their places in a row, ascending.
  let places: [Int]
  private let app, time, source, currency, amount, sandbox, promotion: Int?

  /// The columns that hold the time of a row; a stream has one of them.
  private static let times = ["purchased_at", "leveled_up_at", "observed_at", "occurred_at"]

  struct Row {
    /// Empty when unknown.
    var appID = ""
    /// Epoch milliseconds; nil: the row has no time of its own.
    var milliseconds: Int64?
    var currency: String?
    /// In the minor unit; nil: not a paid purchase.
    var paidAmount: Int64?
  }

  init(_ stream: RecordStream) {
    let names = stream.columns.map(\.name)
    let time = Self.times.first { names.contains($0) } ?? ""
    let all = [
      "app_id", time, "observed_at_source", "currency", "amount_minor", "is_sandbox",
      "is_promotion",
    ].map { name in names.firstIndex(of: name) }
    let sorted = all.compactMap(\.self).sorted()
    places = sorted
    let found = all.map { place in place.flatMap { sorted.firstIndex(of: $0) } }
    (app, self.time, source, currency) = (found[0], found[1], found[2], found[3])
    (amount, sandbox, promotion) = (found[4], found[5], found[6])
  }

  /// - Parameter values: those of `places`.
  func row(_ values: [UnsafeRawBufferPointer?]) -> Row {
    func value(_ place: Int?) -> UnsafeRawBufferPointer? { place.flatMap { values[$0] } }
    var row = Row()
    row.appID = value(app).map { String(decoding: $0, as: UTF8.self) } ?? ""
    if let source = value(source), !source.elementsEqual("line".utf8) { return row }
    row.milliseconds = value(time).map(Self.milliseconds)
    row.currency = value(currency).map { String(decoding: $0, as: UTF8.self) }
    let isFree = value(sandbox)?.first == 1 || value(promotion)?.first == 1
    if !isFree, let amount = value(amount), amount.count == MemoryLayout<Int64>.size {
      let minor = Int64(bigEndian: amount.loadUnaligned(as: Int64.self))
      row.paidAmount = minor > 0 ? minor : nil
    }
    return row
  }

  /// PostgreSQL's binary format has the microseconds since 2000-01-01 UTC.
  private static func milliseconds(_ value: UnsafeRawBufferPointer) -> Int64 {
    Int64(bigEndian: value.loadUnaligned(as: Int64.self)) / 1000 + TimeRule.earliestPossible
  }
}
