internal import Loading

/// Markup of the page.
///
/// A literal is markup as it stands, and each value within it is escaped.
struct HTML: ExpressibleByStringInterpolation {
  private(set) var text: String

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation parts: StringInterpolation) { text = parts.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }

    mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }

    mutating func appendInterpolation(_ parts: [HTML]) { parts.forEach { text += $0.text } }
  }

  private static let entities: [Unicode.Scalar: String] = [
    "<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;", "'": "&#39;",
  ]

  /// Escapes what HTML gives a meaning; control characters and marks that change the reading
  /// direction become visible.
  ///
  /// Each Unicode scalar is escaped, not each `Character`: a quote with a combining mark behind it is
  /// another `Character`, but it ends an attribute.
  private static func escaped(_ value: String) -> String {
    printable(value).unicodeScalars.map { entities[$0] ?? String($0) }.joined()
  }
}
