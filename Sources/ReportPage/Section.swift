internal import Postgres

/// A part of the page: a heading, a sentence, and the rows of a query in one form.
struct Section {
  enum Form {
    /// The rows as they are. A column with the heading `Part` is a percentage and has a bar.
    case table
    /// A stacked bar for each row, oldest first, and a table behind it, newest first.
    ///
    /// A row that is not complete or final is paler, and one with purchases without a rate has no bar.
    case bars(above: [String], below: [String] = [])
    /// A matrix of the columns row, size, column, figure, shade and state, and lines of its rows.
    ///
    /// The heading of the third has `#` for its number. The shade goes from 0 to 9. The state is
    /// `final`, `so far`, a word for an absent figure, or NULL when the day has not come.
    case heat(caption: String, hasLines: Bool = false)
  }

  let title: String
  /// `{base}` stands for the base currency.
  var lead: String?
  let form: Form
  let query: String
  /// A query of further rows, and their caption.
  var details: (caption: String, query: String)?
  /// The sentence in place of the form; a section without one disappears when it has no row.
  var empty: String?

  /// - Returns: nil for a section without rows and without a sentence in their place.
  func html(
    _ parameters: [Parameter], baseCurrency: String?, from connection: Connection
  ) throws -> HTML? {
    let rows = try connection.query(query, parameters)
    if rows.indices.isEmpty {
      return empty.map { "<h3>\(title)</h3>\n<p class=\"note\">\($0)</p>\n" }
    }
    let lead = lead?.replacing("{base}", with: baseCurrency ?? "")
    let details = try details.map {
      Table(try connection.query($0.query, parameters), caption: $0.caption)
    }
    return """
      <h3>\(title)</h3>
      \(lead.map { "<p class=\"lead\">\($0)</p>\n" })\(figures(rows))\(details?.behindLine)
      """
  }

  private func figures(_ rows: QueryResult) -> HTML {
    switch form {
    case .table:
      return Table(rows, caption: title).html
    case .bars(let above, let below):
      let plot = Plot.bars(rows, titled: title, above: above, below: below)
      return "\(plot)\(Table(rows, caption: title, isReversed: true).behindLine)"
    case .heat(let caption, let hasLines):
      let heat = Heat(rows)
      return "\(hasLines ? Plot.lines(heat, titled: title) : nil)\(heat.html(caption: caption))"
    }
  }
}
