internal import Loading
internal import Postgres
internal import RecordPipeline

/// Reads the files of a run once, and judges the figures of their days before anything is committed.
struct GuardCheck {
  private let plan: RunPlan
  private let options: LoadOptions

  init(_ plan: RunPlan, options: LoadOptions) {
    self.plan = plan
    self.options = options
  }

  /// The judged figures of all days.
  ///
  /// - Parameters:
  ///   - connection: to the database of the run.
  ///   - interruption: ends the reading between two files.
  func findings(on connection: Connection, interruption: Interruption) throws -> [GuardFinding] {
    let appID =
      try options.appID ?? options.expectedApp
      ?? connection.transaction { try DatabaseSettings(connection).value(of: .appID) }
    var options = options
    options.appID = appID ?? options.appID
    let validation = FileValidation(options, startOfRun: currentMilliseconds())
    return try plan.days.flatMap { day in
      let inputs = plan.parts.filter { $0.day == day }.flatMap(\.found.inputs)
      let figures = try self.figures(of: day, inputs, validation, interruption)
      let usual = try connection.transaction { try UsualFigures(before: day, on: connection) }
      return DayGuard(day, figures: figures, usual: usual, appID: appID).findings
    }
  }

  private func figures(
    of day: ReportDay, _ inputs: [Input], _ validation: FileValidation, _ interruption: Interruption
  ) throws -> DayFigures {
    var figures = DayFigures(of: day)
    // Receipts also come within events; where their own files are there, those would count twice.
    let hasReceipts = inputs.contains { $0.stream == RecordStream.receipt.name }
    for input in inputs where !isStandardInput(input) {
      try interruption.check()
      guard let stream = StreamCatalog.stream(named: input.stream) else { continue }
      figures.note(stream: stream.name)
      // A file that cannot be read adds nothing here, and fails in the load.
      _ = try validation.check(
        .input(input),
        batch: { figures.take($0, of: stream, countsEmbedded: !hasReceipts) }, reject: { _ in })
    }
    return figures
  }

  private func isStandardInput(_ input: Input) -> Bool { input.path == InputFile.standardInputPath }
}
