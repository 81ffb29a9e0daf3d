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
  private let bounds: Range<Int64>

  package init(of day: ReportDay) { bounds = day.bounds }

  /// Adds a stream with a file, also if no row of the day is in it.
  package mutating func note(stream: String) { streams.insert(stream) }

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
