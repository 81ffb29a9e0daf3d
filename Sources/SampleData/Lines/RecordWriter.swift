/// Writes the records of all streams as lines.
struct RecordWriter: Sendable {
  private let receipts: ReceiptWriter
  private let players: PlayerWriter
  private let items: ShopItemWriter
  private let events: EventWriter

  init(stream: SampleStream, options: SampleOptions, population: Population) {
    let receipts = ReceiptWriter(
      seed: SampleStream.receipt.lineSeed(options.seed), catalog: ProductCatalog(),
      payloads: PayloadTexts(), population: population)
    self.receipts = receipts
    events = EventWriter(population: population, receipts: receipts)
    players = PlayerWriter(stream: stream, population: population)
    items = ShopItemWriter(catalog: ProductCatalog(), population: population)
  }

  /// Appends the record as an object, without a newline.
  func put(_ record: SampleRecord, spelling: LineSpelling, into line: inout [UInt8]) {
    switch record {
    case .receipt(let receipt): receipts.put(receipt, spelling: spelling, into: &line)
    case .event(let event): events.put(event, spelling: spelling, into: &line)
    case .player(let moment): players.put(moment, spelling: spelling, into: &line)
    case .item(let item): items.put(item, spelling: spelling, into: &line)
    }
  }
}
