internal import Loading

/// What `forget-user` says of each user, and at its end.
final class ErasureOutput {
  private let isList: Bool
  private let isDryRun: Bool
  /// Each once, however many users were erased.
  private var statistics: [String] = []

  /// - Parameter isList: users are told apart by their ids.
  init(isList: Bool, isDryRun: Bool) {
    self.isList = isList
    self.isDryRun = isDryRun
  }

  func tell(_ user: String, _ traces: [UserErasure.Trace]) throws {
    let rows = traces.filter { !$0.isOfStatistics }
    let sum = rows.map(\.count).reduce(0, +)
    if isList {
      let places = rows.filter { $0.count > 0 }.map { "\($0.place) \($0.count)" }
      try Terminal.output(
        "\(printable(user)): \(sum) rows\(sum > 0 ? " (\(places.joined(separator: ", ")))" : "")")
    } else {
      var table = TextTable(["table", "rows"])
      for trace in rows { table.add([trace.place, String(trace.count)]) }
      for line in table.lines { try Terminal.output(line) }
    }
    if sum == 0 {
      Terminal.warning(
        "nothing of \"\(printable(user))\" was found: check the spelling"
          + (isDryRun ? "" : "; lines that come later are suppressed all the same"))
    }
    for trace in traces where trace.isOfStatistics && !statistics.contains(trace.place) {
      statistics.append(trace.place)
    }
  }

  /// Names the users that an error has left.
  func tellLeft(_ users: ArraySlice<String>) {
    for user in users {
      Terminal.problem("the erasure of \"\(printable(user))\" was not confirmed; run again")
    }
  }

  func tellEnd(userCount: Int) throws {
    if isDryRun { return try Terminal.output("dry run: nothing was erased") }
    try Terminal.output(
      (userCount == 1 ? "the user is erased" : "\(userCount) users are erased")
        + "; lines that come later are suppressed")
  }

  func tellRemaining() throws {
    for place in statistics {
      try Terminal.output(
        "\(place) may still hold values: ANALYZE passes over empty tables and some columns; a "
          + "superuser can delete them from pg_catalog.pg_statistic")
    }
    try Terminal.output(Self.remaining)
  }

  /// What no statement can reach.
  private static let remaining = """
    What remains is outside this program's reach:
    - free space in the tables' files is reused, not wiped: VACUUM FULL of these tables and of \
    pg_catalog.pg_statistic wipes it
    - write-ahead log, replicas with a delay, and backups: by their retention
    - source files, exports of rejects, and reports of other programs: rewrite or expire them
    - the server's log, where it logs statements with their parameters; this shell's history
    - names of files in the ledger, and what other users' lines say in free texts
    """
}
