internal import Postgres
internal import RecordPipeline

/// Takes one lane after another from the queue and loads its files, on one thread and in one
/// session.
struct LoadWorker {
  let queue: FileQueue
  let run: LoadRun
  let session: Session
  private var options: LoadOptions { run.options }

  func work() {
    while queue.goesOn, let places = queue.nextLane() {
      var rest = places[...]
      while queue.goesOn, let first = rest.first {
        // In a group the files of a dry run would see each other's rows.
        let group = options.isDryRun ? [] : readAhead(rest)
        if group.count > 1 { load(group, at: rest.prefix(group.count)) } else { load(first) }
        rest = rest.dropFirst(max(group.count, 1))
      }
      if options.isDryRun { continue }
      let changedStreams = Set(places.compactMap(queue.report(of:)).flatMap(\.changedStreams))
      for stream in changedStreams.sorted() { renewStatistics(of: stream) }
    }
  }

  // MARK: - Small files

  /// The size up to which a file counts as small, in bytes, both on disk and decoded.
  private static let smallFileBytes = 64 * 1024
  /// Once the files have this many bytes together, no further file joins them.
  ///
  /// This bounds both the memory and the transaction.
  private static let groupBytes = 1024 * 1024
  /// The most files in one transaction.
  private static let groupSize = 200

  /// Reads the small files of one stream at the start of the remaining files into memory.
  ///
  /// They are read before the first of them is loaded, so that one query can look all of them up in
  /// the ledger.
  private func readAhead(_ places: ArraySlice<Int>) -> [SmallFile] {
    var files: [SmallFile] = []
    var identities: Set<[[UInt8]]> = []
    var byteCount = 0
    for place in places {
      let input = queue.inputs[place]
      guard files.count < Self.groupSize, byteCount < Self.groupBytes,
        input.stream == files.first?.input.stream ?? input.stream,
        let file = SmallFile.read(input, largestSize: Self.smallFileBytes),
        // The second of two files with the same identity ends the group, so that it finds the first
        // one in the ledger.
        identities.insert(
          [file.sha256] + (file.hasRecord ? [] : [Array(file.canonicalPath.utf8)])
        ).inserted
      else { break }
      files.append(file)
      byteCount += file.bytes.count
    }
    return files
  }

  /// Loads small files that are already in memory, together but for those that fail.
  private func load(_ files: [SmallFile], at places: ArraySlice<Int>) {
    let clock = ReportClock()
    let reports =
      (try? session.renew()).map {
        FileLoad(files[0].input, session: session, run: run).load(files)
      }
    for (index, place) in places.enumerated() {
      if let report = reports?[index] { note(report, of: place, since: clock) }
    }
    for (index, place) in places.enumerated() where queue.goesOn && reports?[index] == nil {
      load(place)
    }
  }

  // MARK: - One file

  private func load(_ place: Int) {
    let clock = ReportClock()
    let input = queue.inputs[place]
    var last: FileLoad?
    do throws(LoadError) {
      let report = try options.retries(
        warn: run.target.warn, interruption: run.interruption,
        canRepeat: { _ in last?.canRepeat ?? true }
      ) { () throws(LoadError) in
        try session.renew()
        if last != nil { try session.prepareRetry() }
        let load = FileLoad(input, session: session, run: run)
        last = load
        return try load.load(input)
      }
      note(report, of: place, since: clock)
    } catch {
      let failure = last?.failureReport ?? FailureReport(input)
      run.target.tell("\(input.path): \(error.message)")
      FaultPoint.rolledBack.reached()
      // An interrupted file has not failed, and the user knows of the interruption.
      if !run.interruption.isRequested {
        run.record("the failure", in: "ingest.failed_file", session) {
          try Ledger(connection: $0).record(failure, error, loadID: run.loadID, options: options)
          FaultPoint.failureRecorded.reached()
        }
      }
      note(FileReport(input, error, failure), of: place, since: clock, error: error)
    }
  }

  /// - Parameters:
  ///   - clock: started when the load of the file, alone or in a group, began.
  ///   - error: that of a failed file.
  private func note(
    _ report: FileReport, of place: Int, since clock: ReportClock, error: LoadError? = nil
  ) {
    var report = report
    report.take(clock)
    let input = queue.inputs[place]
    run.progress.finishFile(
      of: session.worker, bytes: input.sizeOnDisk, lines: report.read?.lines ?? report.lines)
    queue.note(report, of: place)
    if let error, error.endsRun {
      queue.stop(because: "the run stopped at \(input.path)", isBroken: true)
    } else if error != nil, options.failFast {
      queue.stop(because: "--fail-fast stopped the run at \(input.path)")
    }
    input.object?.discard()
  }

  // MARK: - Statistics

  /// Refreshes the planner's statistics of a stream's tables when a load has made them outdated.
  ///
  /// A failure is logged, because the rows are loaded already.
  private func renewStatistics(of stream: String) {
    guard !run.interruption.isRequested else { return }
    session.watch()
    defer { session.unwatch() }
    do {
      try session.transaction { connection in
        try connection.query("select ingest.analyze_if_grown($1)", [.text(stream)])
      }
    } catch {
      guard !run.interruption.isRequested else { return }
      run.target.warn(
        "the planner's statistics of \(stream) could not be refreshed: \(error)")
    }
  }
}
