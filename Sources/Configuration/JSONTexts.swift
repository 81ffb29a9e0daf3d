internal import Foundation

/// A JSON array of texts, as a variable holds several values.
enum JSONTexts {
  /// nil: the text is no such array.
  static func parse(_ text: String) -> [String]? {
    try? JSONDecoder().decode([String].self, from: Data(text.utf8))
  }
}
