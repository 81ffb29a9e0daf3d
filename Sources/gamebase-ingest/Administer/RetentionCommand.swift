internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// `gamebase-ingest retention`: drops the partitions of old months.
struct RetentionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention",
    abstract: "Drop old months of level-ups, game-user snapshots, items and events.",
    discussion: """
      Each partition is dropped in its own transaction, oldest first, after running loads and queries \
      have ended. Receipts are not partitioned, so they all stay. The ledger does not change, so files \
      of dropped months still count as loaded. The first observations of users stay in the reports, \
      which are refreshed at the end. Needs the owner's rights.
      """)

  @OptionGroup var database: DatabaseOptions

  @Option(
    help: ArgumentHelp(
      "The number of months to keep, counted from the current one (UTC).", valueName: "months"))
  var keep: Int

  @Option(help: ArgumentHelp("Only the table of this stream.", valueName: "stream"))
  var stream: String?

  @Flag(help: "List the partitions to drop, and drop none.")
  var dryRun = false

  func validate() throws { try checkMonths(keep) }

  func run() throws {
    let streams = try partitionedStreams()
    let target = try database.existingTarget()
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    let retention = Retention(target: target, logger: commandLogger(), interruption: interruption)
    try reportingErrors {
      let months = try retention.months(ofStreams: streams, keep: keep)
      guard !months.isEmpty else {
        return try Terminal.output("no month is older than the months to keep")
      }
      for month in months {
        if !dryRun { try retention.drop(month) }
        try Terminal.output(
          "\(dryRun ? "would drop" : "dropped") \(month.partition), about \(month.rows) rows, "
            + "\(month.bytes / 1_048_576) MiB")
      }
      if !dryRun { try Terminal.output(try retention.refresh().sentence) }
    }
  }

  private func partitionedStreams() throws -> [String] {
    let partitioned = StreamCatalog.all.filter(\.isPartitionedByMonth).map(\.name)
    guard let stream else { return partitioned }
    guard partitioned.contains(stream) else {
      throw Terminal.failure(
        .usage,
        "\(stream) is not partitioned by month; \(partitioned.joined(separator: " and ")) are"
      )
    }
    return [stream]
  }
}

/// Checks the number of months of `--keep`.
func checkMonths(_ keep: Int) throws {
  // 1200 months are a century, more than any data covers; with far more, PostgreSQL's dates
  // overflow.
  guard (1...1200).contains(keep) else {
    throw ValidationError("--keep must be between 1 and 1200 months.")
  }
}
