internal import Loading

/// Prints the open failures, newest first, and the number of further ones beyond the limit.
func showFailures(_ listing: FailureListing, limit: Int) throws {
  try show(
    try listing.openFailures(limit: limit), empty: "no file waits to be loaded again")
  let more = try listing.openCount() - limit
  if more > 0 { try Terminal.output("and \(more) more: gamebase-ingest failures list") }
}
