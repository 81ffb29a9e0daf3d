internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// `gamebase-ingest retention`: old months out of the database.
struct RetentionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention",
    abstract: "Drop the months of level-ups and game-user snapshots that are no longer kept.",
    discussion: """
      Whole partitions are dropped, oldest first, each in a transaction of its own; loads and queries \
      under way are waited for. Receipts are kept: they are not partitioned. The ledger stays as it \
      is, so files of those months count as loaded. Needs the owner's rights.
      """)

  @OptionGroup var database: DatabaseOptions

  @Option(
    help: ArgumentHelp(
      "How many months to keep, the current one (UTC) being the first.", valueName: "months"))
  var keep: Int

  @Option(help: ArgumentHelp("Only this stream's table.", valueName: "stream"))
  var stream: String?

  @Flag(help: "Show what would be dropped, and drop nothing.")
  var dryRun = false

  func validate() throws {
    // A century is more than there is, and PostgreSQL's dates end somewhere.
    guard (1...1200).contains(keep) else {
      throw ValidationError("--keep is between 1 and 1200 months.")
    }
  }

  func run() throws {
    let streams = try partitionedStreams()
    let target = try database.existingTarget()
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    let retention = Retention(target: target, logger: commandLogger(), interruption: interruption)
    try reportingErrors {
      let months = try retention.months(ofStreams: streams, keep: keep)
      guard !months.isEmpty else { return try Terminal.output("no month is old enough to go") }
      for month in months {
        if !dryRun { try retention.drop(month) }
        try Terminal.output(
          "\(dryRun ? "would drop" : "dropped") \(month.partition), about \(month.rows) rows, "
            + "\(month.bytes / 1_048_576) MiB")
      }
    }
  }

  private func partitionedStreams() throws -> [String] {
    let partitioned = StreamCatalog.all.filter(\.isPartitionedByMonth).map(\.name)
    guard let stream else { return partitioned }
    guard partitioned.contains(stream) else {
      throw Terminal.failure(
        .usage,
        "\(stream) is no stream that is kept by month; \(partitioned.joined(separator: " and ")) are"
      )
    }
    return [stream]
  }
}
