extension RowSender {
  /// The outcomes of the records within a file's lines; nil when the stream embeds no other one.
  ///
  /// - Parameters:
  ///   - file: the only file whose rows were sent, or one of a group.
  ///   - rowCount: the records of its accepted lines.
  ///   - isOnlyFile: true when the server's count of inserted rows is that of the file.
  func embeddedResult(
    of file: Int64, rowCount: Int, isOnlyFile: Bool
  ) -> Ledger.EmbeddedResult? {
    embedded.map { sender in
      Ledger.EmbeddedResult(
        sourceFileID: file, rowCount: rowCount,
        counts: isOnlyFile ? sender.counts : sender.counts(of: file, rowCount: rowCount),
        mergedCounts: sender.mergedCounts(of: file))
    }
  }
}
