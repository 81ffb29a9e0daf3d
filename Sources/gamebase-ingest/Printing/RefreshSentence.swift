internal import Loading

extension RefreshReport {
  /// One line for a refresh that succeeded.
  var sentence: String {
    files + rows + setAside == 0
      ? "the reports were up to date already"
      : "the reports are refreshed: \(scope), \(elapsedText(durationSeconds))"
  }

  /// The files and players that the refresh read.
  fileprivate var scope: String {
    "\(counted(files, "file")), \(counted(players, "player"))"
      + (setAside == 0
        ? "" : "; \(counted(setAside, "player")) set aside, see report.set_aside_player")
  }
}

extension Refreshed {
  var sentence: String {
    isFull
      ? "the reports are rebuilt: \(RefreshReport(self).scope), \(elapsedText(seconds))"
      : RefreshReport(self).sentence
  }
}

extension RefreshPlan {
  /// One line for a dry run.
  var sentence: String {
    guard let isFull else { return "the reports are up to date already" }
    guard !isFull else {
      return "a refresh would rebuild the reports from all rows: \(counted(players, "player"))"
    }
    return "a refresh would read \(counted(files, "changed file")) with \(counted(rows, "row")) of "
      + "\(counted(players, "player")), and all rows of \(latePlayers) of them"
  }
}
