internal import Loading
internal import Postgres

/// The rows of a query as the page shows them; the names of their columns are headings.
extension QueryResult {
  var indices: Range<Int> { 0..<rowCount }

  /// A value as the server wrote it; nil for NULL and without such a column.
  subscript(row: Int, name: String) -> String? {
    columnNames.firstIndex(of: name).flatMap { self[row, $0] }
  }

  /// The nearest double, for the place of a mark and never for a printed figure.
  func value(_ row: Int, _ column: Int) -> Double? {
    self[row, column].flatMap { Double($0) }
  }

  /// A value for readers: commas between the thousands of a number, yes or no, a dash for NULL.
  func shown(_ row: Int, _ column: Int) -> String {
    guard let text = self[row, column] else { return "–" }
    if hasFlags(inColumn: column) { return text == "t" ? "yes" : "no" }
    guard hasNumbers(inColumn: column) else { return text }
    let whole = text.prefix { $0 != "." }
    let places = whole.enumerated().map { place, digit in
      let follow = whole.count - place
      return follow % 3 == 0 && place > 0 && whole.prefix(place) != "-" ? ",\(digit)" : "\(digit)"
    }
    return places.joined() + text.dropFirst(whole.count)
  }

  /// The values of a row for readers.
  func shown(_ row: Int) -> [String] { columnNames.indices.map { shown(row, $0) } }
}
