package import RecordPipeline

/// The figures of one day in files: the events of each application and stream, and the paid
/// purchases of each application and currency.
///
/// Only rows with a time of the day count, so late lines and other days in the files do not.
package struct DayFigures: Sendable, Equatable {
  /// An application, and a stream or a currency of it.
  package struct Key: Hashable, Sendable {
    package let appID: String
    package let subject: String

    package init(appID: String, subject: String) {
      self.appID = appID
      self.subject = subject
    }
  }

  /// The purchases of one currency.
  package struct Purchases: Sendable, Equatable {
    package var count = 0
    package var amountMinor = 0.0
  }

  package private(set) var events: [Key: Int] = [:]
  package private(set) var purchases: [Key: Purchases] = [:]
  /// The streams that have a file.
  package private(set) var streams: Set<String> = []
  /// The streams with a file that could not be read; such a file fails in the load.
  package private(set) var unreadable: Set<String> = []
  private let bounds: Range<Int64>

  package init(of day: ReportDay) { bounds = day.bounds }

  /// Adds a stream with a file, also if no row of the day is in it.
  package mutating func note(stream: String) { streams.insert(stream) }

  /// Adds a stream with a file that cannot be read to its end.
  package mutating func note(unreadable stream: String) { unreadable.insert(stream) }

  /// Adds the rows of a batch of a file.
  ///
  /// - Parameter countsEmbedded: true to count the receipts within events.
  package mutating func take(_ batch: Batch, of stream: RecordStream, countsEmbedded: Bool) {
    add(batch, of: stream, isEvent: true)
    guard countsEmbedded, let embedded = batch.embedded else { return }
    add(embedded, of: .receipt, isEvent: false)
  }

  private mutating func add(_ batch: Batch, of stream: RecordStream, isEvent: Bool) {
    let columns = DayColumns(stream)
    add(batch.newRows.bytes, columns, stream.name, isEvent: isEvent)
    add(batch.possiblyKnownRows.bytes, columns, stream.name, isEvent: isEvent)
  }

  private mutating func add(
    _ rows: UnsafeRawBufferPointer, _ columns: DayColumns, _ stream: String, isEvent: Bool
  ) {
    CopyFields.forEachRow(of: rows, columns: columns.places) { values in
      let row = columns.row(values)
      guard let time = row.milliseconds, bounds.contains(time) else { return }
      if isEvent { events[Key(appID: row.appID, subject: stream), default: 0] += 1 }
      guard let currency = row.currency, let amount = row.paidAmount else { return }
      let key = Key(appID: row.appID, subject: currency)
      purchases[key, default: Purchases()].count += 1
      purchases[key, default: Purchases()].amountMinor += Double(amount)
    }
  }
}

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
