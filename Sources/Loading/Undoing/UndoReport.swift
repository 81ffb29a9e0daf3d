/// The result of an undo.
package struct UndoReport: Sendable {
  package struct File: Sendable {
    package let file: LedgerFile
    /// False for a file that was undone because it depends on a chosen file.
    package let wasAskedFor: Bool
    /// Removed rows.
    package let rows: Int
    /// Filled values that are absent again.
    package let fills: Int
    package let rejects: Int
    /// Removed conflicts; a line has one for each column that contradicted the stored row.
    package let conflicts: Int
    /// The number of values that accepted lines of the file had replaced and that are restored.
    package let acceptedValues: Int
  }

  package let isDryRun: Bool
  package internal(set) var files: [File] = []
  /// Files that depend on the chosen ones.
  ///
  /// If there are any, `withLater` is false and nothing was changed.
  package internal(set) var inTheWay: [DependentFile] = []

  package var isRefused: Bool { !inTheWay.isEmpty }
}
