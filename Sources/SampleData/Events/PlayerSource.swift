/// The level-ups or the snapshots of the game, in the order of time.
///
/// Snapshots walk over the level-ups, too, so that each shows the level of its moment.
struct PlayerSource: RecordSource {
  private let seed: UInt64
  private let days: SampleDays
  private let population: Population
  private let isLevelUp: Bool
  /// The number of level-ups of each day.
  private let levelUpCounts: [Int]
  private var roster: Roster
  private var progress: CharacterProgress
  private var levelUps: DayEvents
  private var snapshots: DayEvents

  init(stream: SampleStream, options: SampleOptions, levelUpCounts: [Int]) {
    seed = options.seed
    days = options.days
    population = Population(options: options)
    isLevelUp = stream == .levelUp
    self.levelUpCounts = levelUpCounts
    roster = Roster(options: options)
    progress = CharacterProgress(users: options.users)
    levelUps = DayEvents(seed: 0, day: 0, days: days, count: 0, weights: [])
    snapshots = levelUps
  }

  mutating func beginDay(_ day: Int, events: Int) {
    // The rest of the earlier day, behind its last snapshot.
    while levelUps.nextTime != nil { _ = levelUp() }
    roster.advance()
    levelUps = DayEvents(
      seed: SampleStream.levelUp.lineSeed(seed), day: day, days: days, count: levelUpCounts[day],
      weights: roster.active.map(\.levelUpWeight))
    guard !isLevelUp else { return }
    snapshots = DayEvents(
      seed: SampleStream.gameUser.lineSeed(seed), day: day, days: days, count: events,
      weights: roster.active.map(\.snapshotWeight))
  }

  mutating func next() -> SampleRecord {
    if isLevelUp { return .player(levelUp()) }
    while let time = levelUps.nextTime, time <= snapshots.nextTime ?? 0 { _ = levelUp() }
    return .player(snapshot())
  }

  mutating func number(_ record: inout SampleRecord) {}

  private mutating func levelUp() -> PlayerMoment {
    var event = levelUps.next()
    let player = roster.active[event.player]
    let traits = population.traits(of: player.user, app: player.app)
    let state = progress.levelUp(
      player.user, slots: traits.characterSlots, bits: event.random.next())
    return moment(&event, player.user, traits, state)
  }

  private mutating func snapshot() -> PlayerMoment {
    var event = snapshots.next()
    let player = roster.active[event.player]
    let traits = population.traits(of: player.user, app: player.app)
    let state = progress.state(
      player.user, slots: traits.characterSlots, bits: event.random.next())
    return moment(&event, player.user, traits, state)
  }

  private func moment(
    _ event: inout DayEvents.Event, _ user: UInt32, _ traits: UserTraits,
    _ state: CharacterProgress.State
  ) -> PlayerMoment {
    let origin: PlayerMoment.Shape =
      switch event.random.below(UInt64(100)) {
      case ..<3: .relay
      case ..<23: .unity
      default: traits.isOnIOS ? .iOS : .android
      }
    return PlayerMoment(
      user: user, app: traits.app, channel: traits.channel, level: state.level,
      character: state.character,
      characterClass: population.characterClass(of: user, character: state.character ?? 0),
      time: event.time, origin: origin, quirk: event.random.below(UInt64(100)))
  }
}
