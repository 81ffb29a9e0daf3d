/// The rows of one player (an application's user) that the figures depend on, in any order.
package struct PlayerHistory: Equatable, Sendable {
  package var receipts: [Receipt] = []
  package var levels: [LevelEvent] = []
  /// Observations whose rows retention dropped.
  package var keptObservations: [Observation] = []

  package init() {}

  package static func += (left: inout PlayerHistory, right: PlayerHistory) {
    left.receipts += right.receipts
    left.levels += right.levels
    left.keptObservations += right.keptObservations
  }

  /// Removes the receipts and the level events at these places.
  package mutating func remove(at places: Set<ChangedPlace>) {
    guard !places.isEmpty else { return }
    receipts.removeAll { places.contains(.payment($0.paymentSeq)) }
    levels.removeAll { places.contains($0.kind == .levelUp ? .levelUp($0.at) : .snapshot($0.at)) }
  }
}

/// Where rows of a player have changed or are gone, since the reports know them.
package enum ChangedPlace: Hashable, Sendable {
  case payment(TextID)
  case levelUp(Instant)
  /// A snapshot without a time of its own stands at the start of its load.
  case snapshot(Instant)
}

/// A purchase receipt of a player, with the columns that figures of players depend on.
package struct Receipt: Hashable, Sendable {
  package var paymentSeq: TextID
  package var purchasedAt: Instant
  package var currency: TextID
  /// In the minor unit; nil without a price.
  package var amountMinor: Int64?
  package var product = TextID.null
  package var store = TextID.null
  package var isSandbox: Bool?
  package var isPromotion: Bool?
  /// True when a 32-bit float may not have held the price exactly.
  package var isImprecise = false
  package var expiresAt: Instant?
  /// True for the types AUTO_RENEWABLE and CONSUMABLE_AUTO_RENEWABLE.
  package var isRenewable = false
  package var paymentID = TextID.null
  package var originalPaymentID = TextID.null

  /// A receipt without the values that can be absent.
  package init(paymentSeq: TextID, purchasedAt: Instant, currency: TextID) {
    self.paymentSeq = paymentSeq
    self.purchasedAt = purchasedAt
    self.currency = currency
  }

  /// A missing flag means production.
  package var isProduction: Bool { isSandbox != true }
  /// True for a paid purchase: revenue counts it, and its user is a payer.
  ///
  /// `docs/queries.md` repeats the rule.
  package var isPaid: Bool {
    isProduction && isPromotion != true && (amountMinor ?? 0) > 0
  }
  package var isTrial: Bool { amountMinor == 0 && isPromotion != true }
  package var isSubscription: Bool { isProduction && isRenewable && expiresAt != nil }
}

/// A level of a character: a level-up, or a snapshot of a game user.
package struct LevelEvent: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// A snapshot without a time of its own; `at` is then the start of its load.
    case loadStart
    case levelUp
    case snapshot
  }

  package var at: Instant
  package var kind: Kind
  package var level: Int32
  package var character = TextID.null
  package var channel = TextID.null
  package var characterClass = TextID.null
  package var file: Int64 = 0
  package var line: Int64 = 0
  /// True for a snapshot whose time is the option `--observed-at`, not its line.
  package var isDatedByOption = false

  package init(at: Instant, kind: Kind, level: Int32) {
    self.at = at
    self.kind = kind
    self.level = level
  }

  /// True for an event of this time: a row without a time of its own is none.
  package var isDated: Bool { kind != .loadStart }
}

/// A moment at which a user was observed, with the stream that tells it.
package struct Observation: Comparable, Hashable, Sendable {
  /// In the order in which they count at one instant.
  package enum Stream: UInt8, Sendable {
    case receipt
    case levelUp
    case gameUser
  }

  package var at: Instant
  package var stream: Stream

  package init(at: Instant, stream: Stream) {
    self.at = at
    self.stream = stream
  }

  package static func < (left: Observation, right: Observation) -> Bool {
    left.at == right.at ? left.stream.rawValue < right.stream.rawValue : left.at < right.at
  }
}
