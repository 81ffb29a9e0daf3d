internal import Postgres
internal import RecordPipeline

extension LaneWorker {
  /// Loads files that have been read ahead: those of which the ledger knows nothing share transactions,
  /// and those that are loaded already need none.
  func load(
    _ files: [SmallFile], at places: [Int], stream: RecordStream, session: Session
  ) -> Int {
    let clock = ReportClock()
    var insertedCount = 0
    var together: [(file: SmallFile, place: Int)] = []
    func loadTogether() {
      defer { together = [] }
      guard together.count > 1, queue.goesOn,
        let outcomes = GroupLoad(stream: stream, session: session, options: options, run: run)
          .load(together.map(\.file))
      else {
        for (_, place) in together where queue.goesOn {
          insertedCount += load(place, stream: stream, session: session)
        }
        return
      }
      for ((file, place), outcome) in zip(together, outcomes) {
        run.progress.finishFile(bytes: file.size)
        insertedCount += note(
          self.outcome(of: queue.inputs[place], outcome), place: place, clock: clock)
      }
    }
    for (number, state) in states(of: files, stream: stream, session: session).enumerated() {
      switch state {
      case .new: together.append((files[number], places[number]))
      case .alreadyLoaded:
        run.progress.finishFile(bytes: files[number].size)
        _ = note(
          outcome(of: queue.inputs[places[number]], .alreadyLoaded(sha256: files[number].sha256)),
          place: places[number], clock: clock)
      case .notPlain:
        loadTogether()
        if queue.goesOn {
          insertedCount += load(places[number], stream: stream, session: session)
        }
      }
    }
    loadTogether()
    return insertedCount
  }

  /// What the ledger says of a file before it is loaded.
  private enum State { case new, alreadyLoaded, notPlain }

  /// Asked once for all files; where there is no answer, each file is loaded by itself and meets the
  /// same trouble.
  private func states(
    of files: [SmallFile], stream: RecordStream, session: Session
  ) -> [State] {
    do {
      try session.renew()
      let ledger = Ledger(connection: session.connection)
      return try session.connection.transaction {
        let failed = try ledger.haveFailed(files, stream: stream.name)
        let earlier = try ledger.earlierLoads(
          ofStream: stream.name, appID: options.appID, observedAt: options.observedAt,
          digests: files.map(\.sha256))
        return zip(earlier, failed).map { earlier, hasFailed in
          switch earlier {
          // The story of a failure that is over has to be cleared.
          case .same: hasFailed ? .notPlain : .alreadyLoaded
          case .none: .new
          case .otherwise: options.allowsLoad(after: earlier) ? .new : .notPlain
          }
        }
      }
    } catch {
      return files.map { _ in .notPlain }
    }
  }
}
