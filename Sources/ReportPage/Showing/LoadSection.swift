/// The health of the loads: refused lines, conflicts, new fields and failures.
struct LoadSection {
  let days: Plot?
  let dayTable: Table?
  let causes: Table?
  let newFields: Table?
  let failures: Table?

  init(_ figures: LoadFigures) {
    let days = figures.days
    self.days =
      days.isEmpty
      ? nil
      : Plot(
        "Refused lines and conflicts by the day of the load", names: days.map(\.day),
        series: [
          Series("refused lines", style: "s4", counts: days.map(\.rejectCount)),
          Series("conflicts", style: "s2", counts: days.map(\.conflictCount)),
        ])
    dayTable = Table(
      "Lines by the day of the load", ["Day", "Stored", "Refused", "Refused share", "Conflicts"],
      days.reversed().map { day in
        let all = Double(day.lineCount + day.rejectCount)
        return [
          day.day, Numbers.count(day.lineCount), Numbers.count(day.rejectCount),
          Numbers.percent(all > 0 ? Double(day.rejectCount) / all : nil, digits: 2),
          Numbers.count(day.conflictCount),
        ]
      })
    causes = Table(
      "Refused lines by cause", ["Cause", "Field", "Stream", "Lines"],
      figures.causes.map {
        [
          ForeignText.shown($0.code), ForeignText.shown($0.field, else: "the whole line"),
          ForeignText.shown($0.stream, else: "unknown"), Numbers.count($0.rejectCount),
        ]
      })
    newFields = Table(
      "New fields, the newest first", ["Field", "Stream", "First loaded", "Lines", "First file"],
      figures.newFields.map {
        [
          ForeignText.shown($0.field, else: "further names"), ForeignText.shown($0.stream),
          $0.firstLoadedOn, Numbers.count($0.lineCount),
          $0.examplePath.map { ForeignText.fileName($0) } ?? Numbers.none,
        ]
      })
    failures = Table(
      "Failed files", ["File", "Stream", "Last failed", "Error"],
      figures.failures.map {
        [
          ForeignText.fileName($0.path), ForeignText.shown($0.stream, else: "unknown"),
          $0.lastFailedAt, ForeignText.shown($0.error),
        ]
      })
  }
}
