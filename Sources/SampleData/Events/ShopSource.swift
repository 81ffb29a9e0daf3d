/// The items of the shop that users are shown, in the order of time.
///
/// The prices are those that users pay. Each season pass is offered for a quarter of the span.
struct ShopSource: RecordSource {
  private let seed: UInt64
  private let days: SampleDays
  private let population: Population
  private let catalog: ProductCatalog
  private let seasons: [Int]
  private var roster: Roster
  private var views: DayEvents

  init(options: SampleOptions) {
    seed = SampleStream.item.lineSeed(options.seed)
    days = options.days
    population = Population(options: options)
    let catalog = ProductCatalog()
    self.catalog = catalog
    seasons = catalog.products.indices.filter {
      catalog.products[$0].gamebaseProductID.starts(with: Array("season_".utf8))
    }
    roster = Roster(options: options)
    views = DayEvents(seed: 0, day: 0, days: days, count: 0, weights: [])
  }

  mutating func beginDay(_ day: Int, events: Int) {
    roster.advance()
    views = DayEvents(
      seed: seed, day: day, days: days, count: events,
      weights: roster.active.map(\.snapshotWeight))
  }

  mutating func next() -> SampleRecord {
    var event = views.next()
    let player = roster.active[event.player]
    let traits = population.traits(of: player.user, app: player.app)
    let product = event.random.below(catalog.products.count)
    let hasStore = event.random.chance(9, in: 10)
    return .item(
      ShopItem(
        user: player.user, app: traits.app, product: product,
        currency: catalog.currency(
          ofCountry: traits.country, tier: catalog.products[product].tier),
        store: hasStore ? Receipt.Store(of: traits) : nil, isActive: isOffered(product),
        hasDescription: event.random.chance(3, in: 4), time: event.time,
        origin: origin(of: traits, event.random.below(UInt64(100)))))
  }

  mutating func number(_ record: inout SampleRecord) {}

  private func isOffered(_ product: Int) -> Bool {
    guard let season = seasons.firstIndex(of: product) else { return true }
    return roster.day * seasons.count / days.count == season
  }

  private func origin(of traits: UserTraits, _ choice: UInt64) -> PlayerMoment.Shape {
    if choice < 5 { return .relay }
    return traits.engine == .none ? (traits.isOnIOS ? .iOS : .android) : .unity
  }
}
