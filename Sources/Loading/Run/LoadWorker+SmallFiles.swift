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
    var waiting: [(file: SmallFile, place: Int, isNew: Bool)] = []
    /// Loads what waits, and notes it in the order given.
    func settle() {
      defer { waiting = [] }
      let new = waiting.filter(\.isNew).map(\.file)
      let outcomes =
        new.count > 1 && queue.goesOn
        ? GroupLoad(stream: stream, session: session, options: options, run: run).load(new) : nil
      var next = outcomes?.makeIterator()
      // What is committed is told, whatever has stopped the run meanwhile.
      for (file, place, isNew) in waiting where outcomes != nil || queue.goesOn {
        let known = isNew ? next?.next() : .alreadyLoaded(sha256: file.sha256)
        guard let known else {
          insertedCount += load(place, stream: stream, session: session)
          continue
        }
        run.progress.finishFile(bytes: file.size)
        insertedCount += note(
          outcome(of: queue.inputs[place], known), place: place, clock: clock)
      }
    }
    for (number, state) in states(of: files, stream: stream, session: session).enumerated() {
      switch state {
      case .new: waiting.append((files[number], places[number], true))
      case .alreadyLoaded: waiting.append((files[number], places[number], false))
      case .notPlain:
        settle()
        if queue.goesOn {
          insertedCount += load(places[number], stream: stream, session: session)
        }
      }
    }
    settle()
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
