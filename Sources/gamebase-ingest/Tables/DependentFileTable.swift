internal import Loading

/// The files that depend on the rows of an undo, and stand in its way.
enum DependentFileTable {
  /// More files than this are counted.
  private static let listedFiles = 50

  /// Lists the files on standard error.
  ///
  /// - Parameter met: the rows or values that lines of these files may have met, as a clause of the message.
  /// - Returns: the error that ends the command with 64.
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
