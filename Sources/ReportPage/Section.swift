internal import Postgres

/// A part of the page: a heading, a sentence, and the rows of a query in one form.
struct Section {
  enum Form {
    /// The rows as they are. A column with the heading `Part` is a percentage and has a bar.
    case table
    /// A stacked bar for each row, oldest first, and a table behind it, newest first.
    ///
    /// A row with `no` in the column `final` is paler, and one with purchases without a rate has no bar.
    case bars(above: [String], below: [String] = [], final: String? = nil)
    /// A matrix of the columns row, size, column, figure, shade and state.
    ///
    /// The heading of the third has `#` for its number. The shade goes from 0 to 9. The state is
    /// `final`, `so far`, a word for an absent figure, or NULL when the day has not come.
    case heat(caption: String, hasLines: Bool = false)
  }

  let title: String
  /// `{base}` stands for the base currency.
  var lead: String?
  /// A query of sentences that stand below the lead.
  var notes: String?
  let form: Form
  let query: String
  /// A query of further rows, and their caption.
  var details: (caption: String, query: String)?
  /// The sentence in place of the form; a section without one disappears when it has no row.
  var empty: String?
}

/// A section with the rows of its queries.
struct ReadSection {
  private let section: Section
  private let lead: String?
  private let rows: Rows
  private let notes: [String]
  private let details: Table?

  /// The rows of a table that are shown at once.
  private static let shownRowCount = 24

  /// - Returns: nil for a section without rows and without a sentence in their place.
  init?(
    _ section: Section, _ parameters: [Parameter], baseCurrency: String?,
    from connection: Connection
  ) throws {
    func read(_ query: String) throws -> Rows { Rows(try connection.query(query, parameters)) }
    self.section = section
    lead = section.lead?.replacing("{base}", with: baseCurrency ?? "")
    rows = try read(section.query)
    if rows.indices.isEmpty, section.empty == nil { return nil }
    let notes = try section.notes.map { try read($0) }
    self.notes = notes.map { notes in notes.indices.compactMap { notes[$0, 0] } } ?? []
    details = try section.details.flatMap { Table(try read($0.query), caption: $0.caption) }
  }

  var html: HTML {
    """
    <h3>\(section.title)</h3>
    \(rows.indices.isEmpty ? nil : lead.map { "<p class=\"lead\">\($0)</p>\n" })\
    \(notes.map { "<p class=\"note\">\($0)</p>\n" })\
    \(rows.indices.isEmpty ? "<p class=\"note\">\(section.empty ?? "")</p>\n" : figures)\
    \(details?.behindLine)
    """
  }

  private var figures: HTML {
    let title = section.title
    switch section.form {
    case .table:
      return "\(Table(rows, caption: title)?.html(first: Self.shownRowCount))"
    case .bars(let above, let below, let final):
      let plot = Plot(bars: rows, titled: title, above: above, below: below, final: final)
      return "\(plot.html)\(Table(rows, caption: title, isReversed: true)?.behindLine)"
    case .heat(let caption, let hasLines):
      let heat = Heat(rows, caption: caption)
      return "\(hasLines ? Plot(lines: heat, titled: title)?.html : nil)\(heat.html)"
    }
  }
}
