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
