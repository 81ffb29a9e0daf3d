internal import Loading
internal import RecordPipeline

extension FoundInputs {
  /// The most skipped files that are listed; further ones are only counted.
  private static let listedFiles = 20

  /// Lists the skipped files on standard error.
  func noteSkipped() {
    for file in skipped.prefix(Self.listedFiles) {
      Terminal.note("gamebase-ingest: skipped \(printable(file.path)): \(printable(file.reason))")
    }
    if skipped.count > Self.listedFiles {
      Terminal.note("gamebase-ingest: skipped \(skipped.count - Self.listedFiles) more files")
    }
  }
}
