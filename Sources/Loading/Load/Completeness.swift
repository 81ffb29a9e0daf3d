package import RecordPipeline

/// The judgement of a run's files by their number, apart from their contents.
package struct Completeness {
  private let found: FoundInputs
  private let minFiles: Int

  package init(_ found: FoundInputs, minFiles: Int) {
    self.found = found
    self.minFiles = minFiles
  }

  /// The error of a run whose data is missing; nil: there are enough files.
  ///
  /// A path that failed in the search counts as a file, because the report tells its failure.
  package var error: LoadError? {
    let count = found.inputs.count + found.failures.count
    guard count < minFiles else { return nil }
    return LoadError(
      .incomplete,
      "\(count) files were found, and --min-files is \(minFiles): data is late, or a folder is not "
        + "mounted; run again when it is there, or accept this with --min-files \(count)",
      code: .tooFewFiles, detail: ["files": String(count), "min_files": String(minFiles)])
  }
}
