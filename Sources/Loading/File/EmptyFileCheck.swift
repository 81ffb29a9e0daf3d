internal import RecordPipeline

extension EmptyFilePolicy {
  /// The error of a file without a record under the policy `fail`.
  static var failure: LoadError {
    LoadError(
      .fileFailed,
      "has no record, and --empty fail refuses such a file; get it again, or load it with --empty accept "
        + "if the day was quiet", code: .fileEmpty)
  }
}

extension FileTotals {
  /// False for a file of zero bytes or of blank lines only.
  var hasRecord: Bool { lineCount > blankCount }
}
