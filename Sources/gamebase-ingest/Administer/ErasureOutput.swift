internal import Loading

/// Prints the results of `forget-user`: the erased rows of each user, and a summary.
final class ErasureOutput {
  private let isList: Bool
  private let isDryRun: Bool
  /// The statistics that may still hold values, one entry for each table, whatever the number of
  /// users.
  private var statistics: [String] = []

  /// - Parameter isList: true when several users were given, so that each result begins with the
  ///   id.
  init(isList: Bool, isDryRun: Bool) {
    self.isList = isList
    self.isDryRun = isDryRun
  }

  func show(_ user: String, _ traces: [UserErasure.Trace]) throws {
    let rows = traces.filter { !$0.isOfStatistics }
    let sum = rows.map(\.count).reduce(0, +)
    if isList {
      let places = rows.filter { $0.count > 0 }.map { "\($0.place) \($0.count)" }
      try Terminal.output(
        "\(printable(user)): \(counted(sum, "row"))\(sum > 0 ? " (\(places.joined(separator: ", ")))" : "")"
      )
    } else {
      var table = TextTable(["table", "rows"])
      for trace in rows { table.add([trace.place, String(trace.count)]) }
      for line in table.lines { try Terminal.output(line) }
    }
    if sum == 0 {
      Terminal.warning(
        "no data of \"\(printable(user))\" was found: check the spelling"
          + (isDryRun ? "" : "; later lines of this id are suppressed anyway"))
    }
    for trace in traces where trace.isOfStatistics && !statistics.contains(trace.place) {
      statistics.append(trace.place)
    }
  }

  /// Reports the users that may not be erased, because an error ended the command.
  func showUnconfirmed(_ users: ArraySlice<String>) {
    for user in users {
      Terminal.problem("the erasure of \"\(printable(user))\" was not confirmed; run again")
    }
  }

  func showEnd(userCount: Int) throws {
    if isDryRun { return try Terminal.output("dry run: nothing was erased") }
    try Terminal.output(
      (userCount == 1 ? "the user is erased" : "\(userCount) users are erased")
        + "; later lines are suppressed")
  }

  /// Prints the places that the erasure does not reach and that may still hold data.
  func showRemaining() throws {
    for place in statistics {
      try Terminal.output(
        "\(place) may still hold values, because ANALYZE skips empty tables and some columns; a "
          + "superuser can delete them from pg_catalog.pg_statistic")
    }
    try Terminal.output(Self.remaining)
  }

  /// The places that are the same for every erasure; most need work outside this database.
  private static let remaining = """
    Data may remain in places that this program cannot reach:
    - free space in the files of the tables, until it is reused: VACUUM FULL of the tables of game, ingest and \
    report and of pg_catalog.pg_statistic wipes it
    - write-ahead log, delayed replicas and backups, until their retention ends
    - source files, exports of rejects, and reports of other programs: rewrite or delete them
    - the server's log, if it logs statements with parameters, and the history of this shell
    - names of files in the ledger, and free texts in lines of other users
    """
}
