/// Writes the records of all streams as lines.
struct RecordWriter: Sendable {
  private let receipts: ReceiptWriter
  private let players: PlayerWriter

  init(stream: SampleStream, options: SampleOptions, population: Population) {
    receipts = ReceiptWriter(
      seed: SampleStream.receipt.lineSeed(options.seed), catalog: ProductCatalog(),
      payloads: PayloadTexts(), population: population)
    players = PlayerWriter(stream: stream, population: population)
  }

  /// Appends the record as an object, without a newline.
  func put(_ record: SampleRecord, spelling: LineSpelling, into line: inout [UInt8]) {
    switch record {
    case .receipt(let receipt): receipts.put(receipt, spelling: spelling, into: &line)
    case .player(let moment): players.put(moment, spelling: spelling, into: &line)
    }
  }
}
