internal import Loading

/// The list of files that an undo would have to take along.
enum DependentFileTable {
  /// More files than this are counted.
  private static let listedFiles = 50

  /// Lists the files on standard error.
  ///
  /// - Parameter loss: what was not done, and why not.
  /// - Returns: the error that ends the command with 64.
  static func refusal(_ later: [DependentFile], _ loss: String) -> any Error {
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
      "\(later.count) other files counted lines that may have met \(loss); nothing was undone. "
        + "--with-later takes those files back too; load them again afterwards")
  }
}
