/// How much happens on each day: the sums of the players' weights.
///
/// The plan needs them before the first line is written, because the numbers of lines are given.
struct GameActivity: Sendable {
  private(set) var levelUps: [UInt64] = []
  private(set) var snapshots: [UInt64] = []
  private(set) var purchases: [UInt64] = []
  let purchaseWeights: PurchaseWeights

  init(options: SampleOptions) {
    var roster = Roster(options: options)
    var appetites: [[UInt64]] = []
    for _ in 0..<options.days.count {
      roster.advance()
      var ofDay: [UInt64] = PayerClass.allCases.map { _ in 0 }
      var levelUps: UInt64 = 0
      var snapshots: UInt64 = 0
      for player in roster.active {
        levelUps += player.levelUpWeight
        snapshots += player.snapshotWeight
        if player.buysToday { ofDay[player.payer.rawValue] += UInt64(player.appetite) }
      }
      self.levelUps.append(levelUps)
      self.snapshots.append(snapshots)
      appetites.append(ofDay)
    }
    let sums = PayerClass.allCases.map { payer in
      appetites.reduce(0) { $0 + $1[payer.rawValue] }
    }
    let weights = PurchaseWeights(appetites: sums)
    purchaseWeights = weights
    purchases = appetites.map { weights.weight(ofAppetites: $0) }
  }

  /// The weights of the days in a stream.
  func weights(of stream: SampleStream) -> [UInt64] {
    switch stream {
    case .receipt: purchases
    case .levelUp: levelUps
    case .gameUser, .item, .event: snapshots
    }
  }
}
