import PlayerHistory
import Testing

/// Figures with two rows of one key are refused, because the tables of purchases and of changes have no unique key.
@Suite struct FaultTests {
  let player = Player()

  @Test func `figures of distinct rows pass`() throws {
    player.buy("1", 1)
    player.buy("2", 1)
    player.level(1, 3, "knight", kind: .snapshot, channel: "asia")
    player.level(1, 4, "knight", kind: .snapshot, channel: "eu")
    try player.rows.check()
  }

  @Test func `a payment with two receipts is refused`() {
    player.buy("1", 1)
    player.buy("2", 1)
    player.buy("1", 1)
    #expect(throws: PlayerFault.repeatedPurchase) { try player.rows.check() }
  }

  @Test func `two changes of a character at the same time are refused`() {
    player.level(1, 3, "knight", kind: .snapshot, channel: "asia")
    player.level(1, 4, "knight", kind: .snapshot, channel: "asia")
    #expect(throws: PlayerFault.repeatedChange) { try player.rows.check() }
  }
}
