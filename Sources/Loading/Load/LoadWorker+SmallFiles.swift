internal import Postgres
internal import RecordPipeline

extension LoadWorker {
  /// Loads small files that are already in memory.
  ///
  /// Files that the ledger does not know share a transaction; files that are already loaded need
  /// none.
  ///
  /// - Returns: the streams with inserted rows.
  func load(
    _ files: [SmallFile], at places: [Int], stream: RecordStream, session: Session
  ) -> Set<String> {
    let clock = ReportClock()
    var changedStreams: Set<String> = []
    var pending: [(file: SmallFile, place: Int, known: FileLoad.Outcome?)] = []
    /// Loads the pending files and records their outcomes in the order given.
    func loadPending() {
      defer { pending = [] }
      let new = pending.filter { $0.known == nil }.map(\.file)
      let outcomes =
        new.count > 1 && queue.goesOn
        ? FileLoad(
          new[0].input, stream: stream, session: session, options: options, run: run
        ).load(new) : nil
      var next = outcomes?.makeIterator()
      // Files of a committed group are reported even if the run has been stopped meanwhile.
      for (_, place, known) in pending where outcomes != nil || queue.goesOn {
        guard let known = known ?? next?.next() else {
          changedStreams.formUnion(load(place, stream: stream, session: session))
          continue
        }
        changedStreams.formUnion(
          note(outcome(of: queue.inputs[place], known), place: place, clock: clock))
      }
    }
    for (number, state) in states(of: files, stream: stream, session: session).enumerated() {
      switch state {
      case .new: pending.append((files[number], places[number], nil))
      case .known(let outcome): pending.append((files[number], places[number], outcome))
      case .needsSingleLoad:
        loadPending()
        if queue.goesOn {
          changedStreams.formUnion(load(places[number], stream: stream, session: session))
        }
      }
    }
    loadPending()
    return changedStreams
  }

  /// The way to handle a file, by the ledger's entries before its load.
  private enum State { case new, known(FileLoad.Outcome), needsSingleLoad }

  /// Queries the ledger once for all files.
  ///
  /// If the query fails, each file is loaded by itself, and its load reports the failure.
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
          digests: files.map(\.sha256), paths: files.map(\.canonicalPath), options: options)
        return zip(files, zip(earlier, failed)).map { (file, known) -> State in
          let (earlier, hasFailed) = known
          return switch earlier {
          // Only a single load deletes the outdated failure report of a loaded file.
          case .same(let load):
            hasFailed ? .needsSingleLoad : .known(.alreadyLoaded(load, sha256: file.sha256))
          case .undone(let load): .known(.undone(load, sha256: file.sha256))
          case .none: .new
          case .otherwise: earlier.allowsLoad(options) ? .new : .needsSingleLoad
          }
        }
      }
    } catch {
      return files.map { _ in .needsSingleLoad }
    }
  }
}

/// Reads the small files at the start of a stream's remaining files into memory, up to the first
/// file that is not small.
///
/// They are read before the first of them is loaded, so that one query can look all of them up in
/// the ledger.
struct ReadAhead {
  let files: [SmallFile]

  /// The size up to which a file counts as small, in bytes, both on disk and decoded.
  private static let smallFileBytes = 64 * 1024
  /// Once the files have this many bytes together, no further file joins them.
  ///
  /// This bounds both the memory and the transaction.
  private static let groupBytes = 1024 * 1024
  /// The most files in one transaction.
  ///
  /// One file that must be loaded by itself rolls all of them back.
  private static let groupSize = 200

  /// - Parameter inputs: in the order in which they are to be loaded.
  init(_ inputs: some Sequence<Input>, options: LoadOptions) {
    var files: [SmallFile] = []
    var identities: Set<[[UInt8]]> = []
    var byteCount = 0
    for input in inputs {
      guard files.count < Self.groupSize, byteCount < Self.groupBytes,
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
    self.files = files
  }
}
