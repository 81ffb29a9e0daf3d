internal import RecordPipeline

/// A list of users to erase, one id on each line; a line that cannot be an id is refused.
///
/// The erasure of a user who does not exist looks like a success, so nothing is guessed. An id is
/// compared by its bytes, and a line that is likely a mistake is refused.
package struct UserIDList: Sendable {
  /// The ids without repetition, in the order given.
  package private(set) var ids: [String] = []
  /// For each refused line one sentence with its place, its text, the problem and the remedy.
  package private(set) var refused: [String] = []

  /// The longest list in bytes; a longer file is unlikely to be one of ids.
  package static let maxBytes = 16 << 20

  /// A list of one id, given as an argument and taken as it is, apart from `0`.
  package init(argument id: String) {
    if id.utf8.elementsEqual("0".utf8) {
      refused = ["\"0\", is refused: \(Self.notLoggedIn)"]
    } else {
      add(id)
    }
  }

  /// A list of ids, one on each line.
  ///
  /// Ignored are empty lines, and one carriage return before a line break.
  package init(bytes: [UInt8]) {
    // The ids are compared as bytes, because `String` treats different normal forms of a text as
    // equal.
    var known: Set<[UInt8]> = []
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      // Without a line break after it, a carriage return belongs to the last line, which is then
      // refused.
      let isEnded = index < lines.count - 1
      let id = isEnded && line.last == 0x0D ? line.dropLast() : line
      guard !id.isEmpty else { continue }
      let text = String(validating: id, as: UTF8.self)
      if let problem = Self.problem(with: text) {
        refused.append("line \(index + 1), \"\(Self.shown(id))\", is refused: \(problem)")
      } else if let text, known.insert(Array(id)).inserted {
        add(text)
      }
    }
  }

  /// Adds the id, and the id as rows store it if it has the form of a text with a token.
  ///
  /// Rows of versions before 0.2 hold such an id as their lines wrote it.
  private mutating func add(_ id: String) {
    let stored = storedIdentifier(id)
    ids += stored.utf8.elementsEqual(id.utf8) ? [id] : [id, stored]
  }

  private static let notLoggedIn =
    "it is the vendor's mark for a user who is not logged in, not a user's id"

  /// The reason why a line is refused, with the remedy; nil: it is an id.
  private static func problem(with id: String?) -> String? {
    guard let id else { return "it is not valid UTF-8; write the list as UTF-8 text" }
    if id.utf8.contains(0) {
      return "it holds a NUL byte, which no id can hold; write the list as UTF-8 text"
    }
    if id.utf8.elementsEqual("0".utf8) { return notLoggedIn }
    let ends = [id.unicodeScalars.first, id.unicodeScalars.last].compactMap(\.self)
    // U+FEFF is as invisible as a blank, and concatenated lists contain it where a list begins.
    return ends.contains { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
      ? "it begins or ends with white space; if the id really does, give it as a quoted argument"
      : nil
  }

  /// The id for display, with at most so many bytes.
  private static func shown(_ id: ArraySlice<UInt8>, atMost count: Int = 80) -> String {
    printable(String(decoding: id.prefix(count), as: UTF8.self)) + (id.count > count ? "…" : "")
  }
}
