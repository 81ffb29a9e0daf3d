internal import Loading

/// The table of the files that depend on the target of an undo, and so prevent the undo.
enum DependentFileTable {
  /// The most files that are listed; the message has the number of all.
  private static let listedFiles = 50

  /// Lists the files on standard error, and returns the error that ends the command with 64.
  ///
  /// - Parameter met: the end of the clause "lines that may have met", such as "the accepted
  ///   values".
  static func refusal(_ later: [DependentFile], _ met: String) -> any Error {
    var table = TextTable(["file", "path", "stream", "duplicates", "filled", "conflicts"])
    for dependent in later.prefix(listedFiles) {
      table.add([
        String(dependent.file.sourceFileID), dependent.file.path, dependent.file.stream,
        String(dependent.duplicates), String(dependent.fills), String(dependent.conflicts),
      ])
    }
    for line in table.lines { Terminal.note(line) }
    return Terminal.failure(
      .usage,
      "\(later.count) other files have lines that may have met \(met); nothing was undone. "
        + "--with-later takes those files back too; load them again afterwards")
  }
}
