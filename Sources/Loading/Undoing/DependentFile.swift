/// A file whose lines may duplicate, fill or contradict rows of another file, with the counts of such
/// lines.
package struct DependentFile: Sendable {
  package let file: LedgerFile
  package let duplicates: Int
  package let fills: Int
  package let conflicts: Int
}
