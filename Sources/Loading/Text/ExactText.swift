/// A text that is compared by its bytes, as PostgreSQL compares it.
///
/// `String` counts two spellings of one character as equal, such as a letter with its accent and
/// the two in sequence.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (first: ExactText, second: ExactText) -> Bool {
    first.text.utf8.elementsEqual(second.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
