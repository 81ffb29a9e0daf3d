import PlayerHistory
import Testing

@Suite struct PurchaseTests {
  let player = Player()

  /// The payments that are first in a kind of group.
  private func payments(_ first: PurchaseFirsts) -> String {
    let figures = player.figures
    return zip(figures.receipts, figures.purchases).filter { $1.firsts.contains(first) }
      .compactMap { receipt, _ in player.texts.string(receipt.paymentSeq) }.joined(separator: " ")
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
    #expect(payments(.ever) == "c")
    #expect(payments(.ofDay) == "c e g h")
    #expect(payments(.ofWeek) == "c g")
    #expect(payments(.ofMonth) == "c h")
    #expect(payments(.inCurrency) == "c d")
    #expect(payments(.inCurrencyOfDay) == "c d e g h")
    #expect(payments(.inCurrencyOfMonth) == "c d h")
    #expect(payments(.ofProductDay) == "c d e f g h")
    #expect(payments(.sandboxOfProductDay) == "j")
    #expect(payments(.ofNewPayerOfDay) == "c d")
    #expect(payments(.ofNewPayerOfWeek) == "c d e f")
    #expect(payments(.ofNewPayerOfMonth) == "c d e f g")
    #expect(player.figures.days.filter(\.isNewPayer).map(\.day.number) == [3])
  }

  @Test func `at one instant the smallest payment number comes first, by bytes`() {
    for name in ["10", "9", "Z", "a"] { player.buy(name, 1) }
    #expect(payments(.ever) == "10")
    let order = player.figures.receipts.map { player.texts.string($0.paymentSeq) }
    #expect(order == ["10", "9", "Z", "a"])
  }

  @Test func `a level counts its payer once`() {
    player.level(1, 5)
    player.buy("1", 2)
    player.buy("2", 3)
    player.level(4, 6)
    player.buy("3", 5)
    player.buy("4", 5, 500, "KRW")
    #expect(payments(.atLevel) == "1 3 4")
  }

  @Test func `the highest price and the highest level are figures like others`() {
    player.level(1, .max)
    player.level(1, 0)
    player.buy("1", 2, .max)
    player.buy("2", 2, .max)
    let figures = player.figures
    #expect(figures.purchases.map(\.level.level) == [.max, .max])
    #expect(figures.firstLevels.map(\.level) == [0, .max])
    #expect(figures.days.map(\.paidCount) == [0, 2])
  }

  @Test func `a player without rows has kept observations only`() {
    player.history.keptObservations = [
      Observation(at: Player.at(3), stream: .gameUser),
      Observation(at: Player.at(3), stream: .receipt),
      Observation(at: Player.at(9), stream: .levelUp),
    ]
    let figures = player.figures
    #expect(
      figures.observed?.first == Observation(at: Player.at(3), stream: .receipt))
    #expect(figures.observed?.last.at == Player.at(9))
    #expect(figures.days.isEmpty && figures.current == nil)
  }
}
