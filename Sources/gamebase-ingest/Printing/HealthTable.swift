internal import Loading

/// Prints a blank line and the verdict of each feed as a table.
func showHealth(_ feeds: [FeedHealth]) throws {
  try Terminal.output("")
  var table = TextTable(["application", "stream", "verdict", "reason"])
  for feed in feeds {
    table.add([name(feed.appID), feed.stream ?? "-", feed.verdict, feed.reason])
  }
  for line in table.lines { try Terminal.output(line) }
}

/// The empty application is that of lines without one.
private func name(_ app: String?) -> String {
  switch app {
  case nil: "-"
  case "": "(none)"
  case .some(let app): app
  }
}
