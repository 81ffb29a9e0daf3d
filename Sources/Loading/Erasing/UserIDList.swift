internal import Foundation

/// The users that somebody wants erased, one id a line; what cannot be an id is refused by its line.
///
/// Erasing somebody who is not there looks like a success, so nothing is guessed: an id is its bytes,
/// and a line that was likely meant otherwise is told instead of looked for.
package struct UserIDList: Sendable {
  /// Each once, in the order given.
  package private(set) var ids: [String] = []
  package private(set) var refused: [Refusal] = []

  /// More is no list of ids.
  package static let mostBytes = 16 << 20

  package struct Refusal: Sendable, Equatable {
    /// From 1; nil: the argument.
    package let line: Int?
    /// What stands there, safe to show.
    package let text: String
    package let problem: Problem

    /// One sentence: where, what, and what to do.
    package var message: String {
      let place = line.map { "line \($0), " } ?? ""
      return "\(place)\"\(text)\", is refused: \(problem.advice)"
    }
  }

  package enum Problem: Error, Equatable {
    case outerWhiteSpace, zeroByte, invalidUTF8, nobody

    var advice: String {
      switch self {
      case .outerWhiteSpace:
        "it begins or ends with white space; an id that really does can be given as an argument, "
          + "quoted"
      case .zeroByte: "it holds a NUL, which no id can; write the list as UTF-8 text"
      case .invalidUTF8: "it is no UTF-8; write the list as UTF-8 text"
      case .nobody: "it is the vendor's mark for a user who is not logged in, and no user's id"
      }
    }
  }

  /// One id, taken as it is.
  package init(argument id: String) {
    if id.utf8.elementsEqual("0".utf8) {
      refused.append(Refusal(line: nil, text: id, problem: .nobody))
    } else {
      ids.append(id)
    }
  }

  /// A list: one id a line, at most one carriage return before its end, empty lines between; a UTF-8
  /// byte-order mark at the very start does not count.
  package init(bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let list = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    // Not by `String`: to that the same letters in another normal form are equal.
    var known: Set<[UInt8]> = []
    let lines = list.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      // What is after the last line break is no line that somebody has ended.
      let isEnded = index < lines.count - 1
      let id = isEnded && line.last == 0x0D ? line.dropLast() : line
      guard !id.isEmpty else { continue }
      switch Self.read(id) {
      case .success(let text):
        if known.insert(Array(id)).inserted { ids.append(text) }
      case .failure(let problem):
        refused.append(Refusal(line: index + 1, text: Self.shown(id), problem: problem))
      }
    }
  }

  /// A list from a file that is open.
  ///
  /// - Throws: `LoadError` with exit code 64 when it cannot be read, or is longer than `mostBytes`.
  package init(readingFrom descriptor: Int32) throws(LoadError) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw LoadError(
          .usage, "the list of users cannot be read: \(String(cString: strerror(errno)))")
      }
      if count == 0 { break }
      bytes += buffer.prefix(count)
      guard bytes.count <= Self.mostBytes else {
        throw LoadError(
          .usage,
          "the list of users has more than \(Self.mostBytes) bytes; nothing was done: "
            + "give it in parts")
      }
    }
    self.init(bytes: bytes)
  }

  private static func read(_ id: ArraySlice<UInt8>) -> Result<String, Problem> {
    guard let text = String(validating: id, as: UTF8.self) else { return .failure(.invalidUTF8) }
    if id.contains(0) { return .failure(.zeroByte) }
    if id.elementsEqual("0".utf8) { return .failure(.nobody) }
    let ends = [text.unicodeScalars.first, text.unicodeScalars.last].compactMap(\.self)
    // U+FEFF is seen as little as a blank: lists that were put together have one in their middle.
    return ends.contains { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
      ? .failure(.outerWhiteSpace) : .success(text)
  }

  /// Longer ones are cut.
  private static let shownScalars = 80

  /// Bytes that are no text as \x and two digits.
  private static func shown(_ id: ArraySlice<UInt8>) -> String {
    let text =
      String(validating: id, as: UTF8.self)
      ?? id.prefix(shownScalars).map { byte in
        (0x20..<0x7F).contains(byte)
          ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    var start = String.UnicodeScalarView(text.unicodeScalars.prefix(shownScalars))
    if start.count < text.unicodeScalars.count { start.append("…") }
    return printable(String(start))
  }
}
