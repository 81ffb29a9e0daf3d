internal import Loading
internal import RecordPipeline

/// Prints what a run would do.
struct PlanTable {
  private let plan: RunPlan
  private let judges: Bool

  init(_ plan: RunPlan, judges: Bool) {
    self.plan = plan
    self.judges = judges
  }

  func show() throws {
    var table = TextTable(["day", "paths", "files", "bytes", "min files", "missing"])
    for part in plan.parts {
      let bytes = part.found.inputs.map(\.sizeOnDisk).reduce(0, +)
      table.add([
        part.day.text, part.paths.joined(separator: " "), String(part.found.inputs.count),
        String(bytes), String(part.minFiles),
        part.found.failures.isEmpty && part.fileCount >= part.minFiles ? "no" : "yes",
      ])
    }
    for line in table.lines { try Terminal.output(line) }
    try Terminal.output("")
    for input in plan.found.inputs {
      try Terminal.output("load \(printable(input.path)) as \(input.stream)")
    }
    for failure in plan.found.failures {
      try Terminal.output("fail \(printable(failure.path)): \(printable(failure.reason))")
    }
    for file in plan.found.postponed {
      try Terminal.output("leave \(printable(file.path)): \(printable(file.reason))")
    }
    for file in plan.found.skipped {
      try Terminal.output("skip \(printable(file.path)): \(printable(file.reason))")
    }
    try Terminal.output(
      judges
        ? "the figures of each day would be judged before the first commit"
        : "no figure would be judged")
  }
}
