import Testing

@testable import ReportPage

struct NumberTests {
  @Test func `amounts keep the digits of their currency`() {
    #expect(Numbers.money(Amount("1234567.8900"), digits: 2) == "1,234,567.89")
    #expect(Numbers.money(Amount("1234.5000"), digits: 0) == "1,235")
    #expect(Numbers.money(Amount("109.740"), digits: 3) == "109.740")
    #expect(Numbers.money(Amount("-1234"), digits: 2) == "-1,234.00")
    #expect(Numbers.money(Amount("0.0049"), digits: 2) == "0.00")
    #expect(Numbers.money(nil, digits: 2) == "–")
    let long = String(repeating: "9", count: 40) + ".25"
    #expect(Numbers.money(Amount(long), digits: 2).hasSuffix("9,999.25"))
  }

  @Test func `an axis has round numbers`() {
    #expect(Numbers.short(0) == "0")
    #expect(Numbers.short(999) == "999")
    #expect(Numbers.short(1000) == "1k")
    #expect(Numbers.short(1500) == "1.5k")
    #expect(Numbers.short(20_000_000) == "20M")
    #expect(Numbers.short(-0.25) == "-0.25")
    #expect(Scale(holding: [0, 7], isWhole: true).ticks == [8, 6, 4, 2, 0])
    #expect(Scale(holding: [0], isWhole: true).ticks.last == 0)
    #expect(Scale(holding: []).ticks.count > 1)
    let both = Scale(holding: [30, -12])
    #expect(both.ticks.contains(0))
    #expect(both.low <= -12 && both.high >= 30)
  }

  @Test func `a length of time has its best unit`() {
    #expect(Numbers.duration(minutes: Amount("35.2")) == "35 min")
    #expect(Numbers.duration(minutes: Amount("300")) == "5.0 h")
    #expect(Numbers.duration(minutes: Amount("14400")) == "10.0 d")
  }
}
