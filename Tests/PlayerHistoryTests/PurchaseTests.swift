import PlayerHistory
import Testing

@Suite struct PurchaseTests {
  let player = Player()

  /// The payments that are first in a group.
  private func payments(_ isFirst: (PurchaseFirsts) -> Bool) -> String {
    player.rows.purchases.filter { isFirst($0.firsts) }
      .compactMap { player.texts.string($0.receipt.paymentSeq) }.joined(separator: " ")
  }

  @Test func `each user has one first purchase in each group`() {
    // 2000-01-03, day 2, is a Monday; day 31 is the first of February.
    player.buy("b", 2, 0)
    player.buy("c", 3)
    player.buy("d", 3, 500, "KRW")
    player.buy("e", 4)
    player.buy("f", 4, product: "sub")
    player.buy("g", 30)
    player.buy("h", 31)
    player.buy("i", 31, isPromotion: true)
    player.buy("j", 31, isSandbox: true)
    player.buy("k", 31.5, isSandbox: true)
    #expect(payments { $0.paid.contains(.ever) } == "c")
    #expect(payments { $0.paid.contains(.day) } == "c e g h")
    #expect(payments { $0.paid.contains(.week) } == "c g")
    #expect(payments { $0.paid.contains(.month) } == "c h")
    #expect(payments { $0.inCurrency.contains(.ever) } == "c d")
    #expect(payments { $0.inCurrency.contains(.day) } == "c d e g h")
    #expect(payments { $0.inCurrency.contains(.month) } == "c d h")
    #expect(payments { $0.isFirstOfProduct } == "c d e f g h j")
    #expect(payments { $0.ofNewPayer.contains(.day) } == "c d")
    #expect(payments { $0.ofNewPayer.contains(.week) } == "c d e f")
    #expect(payments { $0.ofNewPayer.contains(.month) } == "c d e f g")
    #expect(player.rows.days.filter(\.isNewPayer).map(\.day.number) == [3])
  }

  @Test func `at one instant the smallest payment number comes first, by bytes`() {
    for name in ["10", "9", "Z", "a"] { player.buy(name, 1) }
    #expect(payments { $0.paid.contains(.ever) } == "10")
    let order = player.rows.purchases.map { player.texts.string($0.receipt.paymentSeq) }
    #expect(order == ["10", "9", "Z", "a"])
  }

  @Test func `a level counts its payer once`() {
    player.level(1, 5)
    player.buy("1", 2)
    player.buy("2", 3)
    player.level(4, 6)
    player.buy("3", 5)
    player.buy("4", 5, 500, "KRW")
    #expect(payments { $0.isFirstAtLevel } == "1 3 4")
  }

  @Test func `the highest price and the highest level are figures like others`() {
    player.level(1, .max)
    player.level(1, 0)
    player.buy("1", 2, .max)
    player.buy("2", 2, .max)
    let rows = player.rows
    #expect(rows.purchases.map(\.level.level) == [.max, .max])
    #expect(rows.firstLevels.map(\.level) == [0, .max])
    #expect(rows.days.map(\.paidCount) == [0, 2])
  }

  @Test func `a player without rows has kept observations only`() {
    player.history.keptObservations = [
      Observation(at: Player.at(3), stream: .gameUser),
      Observation(at: Player.at(3), stream: .receipt),
      Observation(at: Player.at(9), stream: .levelUp),
    ]
    let rows = player.rows
    #expect(
      rows.player?.firstObserved == Observation(at: Player.at(3), stream: .receipt))
    #expect(rows.player?.lastObservedAt == Player.at(9))
    #expect(rows.days.isEmpty && rows.player?.current == nil)
  }
}
