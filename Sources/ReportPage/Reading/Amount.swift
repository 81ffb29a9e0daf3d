/// A number as the database writes it: exact as text, and rounded for the place of a mark in a chart.
package struct Amount: Decodable, Sendable, Equatable {
  /// The exact decimal digits.
  package let text: String
  /// The nearest double; for positions and shares, never for a printed amount.
  package let value: Double

  package static let zero = Amount("0")

  package init(_ text: String) {
    self.text = text
    value = Double(text) ?? 0
  }

  package init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }
}
