internal import Loading

extension RefreshReport {
  /// One line for a refresh that succeeded.
  var sentence: String {
    files + rows == 0
      ? "the reports were up to date already"
      : "the reports are refreshed: \(files) files, \(players) players, "
        + elapsedText(durationSeconds)
  }
}

extension Refreshed {
  var sentence: String {
    isFull
      ? "the reports are rebuilt: \(files) files, \(players) players, \(elapsedText(seconds))"
      : RefreshReport(self).sentence
  }
}
