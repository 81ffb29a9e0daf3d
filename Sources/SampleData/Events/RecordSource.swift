/// The records of one stream, day by day and in the order of time.
protocol RecordSource: Sendable {
  /// Goes to a day, which must be the next one, with its number of records.
  mutating func beginDay(_ day: Int, events: Int)

  /// The next record of the day; call it as often as the day has records.
  mutating func next() -> SampleRecord

  /// Gives the record its key, in the order in which the vendor receives the records of the day.
  mutating func number(_ record: inout SampleRecord)
}
