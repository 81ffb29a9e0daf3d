import Testing

@testable import ReportPage

struct PlotTests {
  @Test func `bars stack up from zero, and those below hang down`() throws {
    let plot = Plot(
      "test", names: ["a", "b"],
      series: [
        Series("in", style: "s1", counts: [6, 0]), Series("more", style: "s2", counts: [2, 1]),
        Series("out", style: "s4", counts: [8, 0], isBelow: true),
      ], faded: [false, true])
    #expect(plot.ticks == ["10", "5", "0", "-5", "-10"])
    #expect(plot.zero == "200")
    #expect(plot.bars.map(\.style) == ["s1", "s2", "s4", "s2 faded"])
    #expect(plot.bars.map(\.y) == ["80", "40", "200", "180"])
    #expect(plot.bars.map(\.height) == ["120", "40", "160", "20"])
    #expect(plot.bars[0].title == "a, in: 6")
    #expect(plot.keys.map(\.name) == ["in", "more", "out"])
  }

  @Test func `a plot without a value has an axis`() {
    let plot = Plot("test", names: [], series: [Series("in", style: "s1", counts: [])])
    #expect(plot.bars.isEmpty)
    #expect(plot.ticks.count > 1)
  }

  @Test func `a line ends where a value is missing`() {
    let plot = Plot(
      "test", names: ["a", "b", "c", "d"],
      lines: [
        Series(
          "line", style: "s1", amounts: [Amount("0"), Amount("4"), nil, Amount("2")], digits: 2)
      ], isWhole: false)
    #expect(plot.lines.map(\.path) == ["M0 400h0.1L333.3 0M1000 200h0.1"])
  }

  @Test func `a cell says whether its cohort is mature`() {
    let none = HeatTable.Cell("1 %", share: nil, isMature: false)
    #expect(none.style == "immature" && none.text == "–" && none.note == "not yet")
    let part = HeatTable.Cell("1 %", share: 1, isMature: false)
    #expect(part.style == "h9 partial" && part.mark == "*")
    let whole = HeatTable.Cell("1 %", share: 0, isMature: true)
    #expect(whole.style == "h0" && whole.mark == nil && whole.note == nil)
  }

  @Test func `many levels share rows, which lose no user`() {
    let levels = (1...100).map { level in
      LevelFigures(
        userLevel: level, reachedUserCount: 101 - level, stoppedUserCount: 1,
        minutesSinceFirst: nil, minutesSincePrevious: nil)
    }
    let section = LevelSection(levels)
    #expect(section.bands.count <= 24)
    #expect(section.bands.compactMap { Int($0.stopped) }.reduce(0, +) == 100)
    #expect(section.bands.first?.levels == "1 to 5")
    #expect(section.note != nil)
    #expect(LevelSection(Array(levels.prefix(3))).note == nil)
  }
}
