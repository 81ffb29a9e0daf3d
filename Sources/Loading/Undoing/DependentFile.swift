/// A file that depends on another one: its lines may duplicate, fill or contradict rows of that
/// file.
///
/// The counts are those of all its lines, because the row that a duplicate met is not recorded.
package struct DependentFile: Sendable {
  package let file: LedgerFile
  package let duplicates: Int
  package let fills: Int
  package let conflicts: Int
}
