/// Reads one JSON text into a tree that keeps the line of each value and every member of an object.
///
/// The pipeline's parser reads objects of one line and gives no place for a defect. Files of reference data
/// are written by hand, span many lines and are small. Repeated names stay apart, so that the
/// caller can refuse them.
///
/// - Source: RFC 8259. A byte-order mark at the start is skipped.
package struct JSONReader {
  /// A value, with the number of the line that it begins in, from 1.
  package struct Node: Sendable {
    package let line: Int
    package let value: Value
  }

  package enum Value: Sendable {
    /// In the order of the text, repeated names included.
    case object([Member])
    case array([Node])
    case text(String)
    case number, `true`, `false`, null
  }

  package struct Member: Sendable {
    package let name: String
    /// The line of the name.
    package let line: Int
    package let node: Node
  }

  /// A violation of the grammar, after which the text cannot be read any further.
  package struct Failure: Error, Sendable, Equatable {
    package let line: Int
    package let reason: String
  }

  /// The most levels of arrays and objects.
  static let mostLevels = 64

  private var rest: ArraySlice<UInt8>
  /// The number of the line that `rest` begins in.
  private var line = 1

  private init(_ bytes: [UInt8]) {
    rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
  }

  package static func read(_ bytes: [UInt8]) throws(Failure) -> Node {
    var reader = JSONReader(bytes)
    let node = try reader.node(level: 1)
    reader.skipSpace()
    guard reader.rest.isEmpty else { throw reader.failure("text follows the end of the value") }
    return node
  }

  // MARK: - Values

  private mutating func node(level: Int) throws(Failure) -> Node {
    skipSpace()
    let start = line
    guard let first = rest.first else { throw failure("the text ends before a value") }
    let value: Value
    switch first {
    case UInt8(ascii: "{"): value = .object(try members(level: level))
    case UInt8(ascii: "["): value = .array(try elements(level: level))
    case UInt8(ascii: "\""): value = .text(try text())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try skipNumber()
      value = .number
    default:
      if take("true") {
        value = .true
      } else if take("false") {
        value = .false
      } else if take("null") {
        value = .null
      } else {
        throw failure("no JSON value begins here")
      }
    }
    return Node(line: start, value: value)
  }

  private mutating func members(level: Int) throws(Failure) -> [Member] {
    try enter(level)
    var members: [Member] = []
    if end("}") { return members }
    repeat {
      skipSpace()
      guard rest.first == UInt8(ascii: "\"") else { throw failure("a name in quotes is missing") }
      let start = line
      let name = try text()
      skipSpace()
      guard take(":") else { throw failure("a colon is missing after a name") }
      members.append(Member(name: name, line: start, node: try node(level: level + 1)))
    } while try another(before: "}")
    return members
  }

  private mutating func elements(level: Int) throws(Failure) -> [Node] {
    try enter(level)
    var elements: [Node] = []
    if end("]") { return elements }
    repeat {
      elements.append(try node(level: level + 1))
    } while try another(before: "]")
    return elements
  }

  /// Skips the bracket that opens an array or object.
  private mutating func enter(_ level: Int) throws(Failure) {
    guard level <= Self.mostLevels else {
      throw failure("arrays and objects are nested deeper than \(Self.mostLevels) levels")
    }
    rest.removeFirst()
  }

  private mutating func end(_ bracket: StaticString) -> Bool {
    skipSpace()
    return take(bracket)
  }

  /// True after a comma, false after the closing bracket.
  private mutating func another(before bracket: StaticString) throws(Failure) -> Bool {
    skipSpace()
    if take(",") { return true }
    guard take(bracket) else { throw failure("a comma or \(bracket) is missing") }
    return false
  }

  // MARK: - Texts and numbers

  private mutating func text() throws(Failure) -> String {
    let start = line
    rest.removeFirst()
    var bytes: [UInt8] = []
    while true {
      guard let byte = rest.popFirst() else {
        throw Failure(line: start, reason: "a text is not closed")
      }
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw failure("a text is not UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): bytes += Array(String(try escaped()).utf8)
      case 0..<0x20: throw failure("a text holds a line break or another control character")
      default: bytes.append(byte)
      }
    }
  }

  private mutating func escaped() throws(Failure) -> Unicode.Scalar {
    switch rest.popFirst() {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try codeUnit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      if unit < 0xDC00, take("\\u") {
        let second = try codeUnit()
        if (0xDC00...0xDFFF).contains(second),
          let scalar = Unicode.Scalar(
            0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(second) - 0xDC00)
        {
          return scalar
        }
      }
      throw failure("a text holds an unpaired surrogate")
    default: throw failure("a text holds an unknown escape")
    }
  }

  private mutating func codeUnit() throws(Failure) -> UInt16 {
    let digits = rest.prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("\\u is not followed by four hexadecimal digits") }
    rest = rest.dropFirst(4)
    return unit
  }

  private mutating func skipNumber() throws(Failure) {
    _ = take("-")
    if !take("0") { try skipDigits() }
    if take(".") { try skipDigits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws(Failure) {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { throw failure("a number lacks a digit") }
    rest = rest[digits.endIndex...]
  }

  // MARK: - Bytes

  private mutating func skipSpace() {
    while let byte = rest.first, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      if byte == 0x0A { line += 1 }
      rest.removeFirst()
    }
  }

  /// Skips a text, if it comes next.
  private mutating func take(_ text: StaticString) -> Bool {
    let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard rest.starts(with: bytes) else { return false }
    rest = rest.dropFirst(bytes.count)
    return true
  }

  private func failure(_ reason: String) -> Failure { Failure(line: line, reason: reason) }
}
