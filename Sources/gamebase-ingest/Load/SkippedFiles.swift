internal import Loading
internal import RecordPipeline

extension FoundInputs {
  /// The most skipped files that are listed; further ones are only counted.
  private static let listedFiles = 20

  /// Lists the files that are not read on standard error.
  func noteSkipped() {
    let skipped = skipped + postponed
    for file in skipped.prefix(Self.listedFiles) {
      Terminal.note("gamebase-ingest: skipped \(printable(file.path)): \(printable(file.reason))")
    }
    if skipped.count > Self.listedFiles {
      Terminal.note("gamebase-ingest: skipped \(skipped.count - Self.listedFiles) more files")
    }
  }
}
