/// Splits a CSV text into records, as RFC 4180 describes.
///
/// Values are separated by commas, records by LF or CRLF. A value in double quotes may hold commas,
/// line breaks, and quotes, each written twice. A byte-order mark at the start and empty lines are
/// skipped. White space belongs to the value.
package struct CSVReader {
  /// One record, with the number of its first line, from 1.
  package struct Record: Sendable, Equatable {
    package let line: Int
    package let values: [String]
  }

  /// A violation of the form, after which the text cannot be split any further.
  package struct Failure: Error, Sendable, Equatable {
    package let line: Int
    package let reason: String
  }

  private var rest: ArraySlice<UInt8>
  /// The number of the line that `rest` begins in.
  private var line = 1

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  package init(_ bytes: [UInt8]) {
    rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
  }

  /// - Returns: nil at the end of the text.
  package mutating func next() throws(Failure) -> Record? {
    while skipLineBreak() {}
    guard !rest.isEmpty else { return nil }
    let start = line
    var values = [try value()]
    while rest.first == Self.comma {
      rest.removeFirst()
      values.append(try value())
    }
    guard rest.isEmpty || skipLineBreak() else {
      throw Failure(line: line, reason: "a carriage return stands without a line feed")
    }
    return Record(line: start, values: values)
  }

  /// Reads up to the next comma or line break, or the end.
  private mutating func value() throws(Failure) -> String {
    if rest.first == Self.quote { return try quotedValue() }
    let end = rest.firstIndex(where: Self.endsValue) ?? rest.endIndex
    let bytes = rest[..<end]
    guard !bytes.contains(Self.quote) else {
      throw Failure(line: line, reason: "a quote stands in a value that does not begin with one")
    }
    rest = rest[end...]
    return try text(bytes, line: line)
  }

  private mutating func quotedValue() throws(Failure) -> String {
    let start = line
    var bytes: [UInt8] = []
    rest.removeFirst()
    while true {
      guard let end = rest.firstIndex(of: Self.quote) else {
        throw Failure(line: start, reason: "a quote is not closed")
      }
      bytes += rest[..<end]
      line += rest[..<end].count { $0 == Self.lineFeed }
      rest = rest[(end + 1)...]
      guard rest.first == Self.quote else { break }
      bytes.append(Self.quote)
      rest.removeFirst()
    }
    guard rest.first.map(Self.endsValue) ?? true else {
      throw Failure(line: line, reason: "text follows a closing quote")
    }
    return try text(bytes[...], line: start)
  }

  private static func endsValue(_ byte: UInt8) -> Bool {
    byte == comma || byte == lineFeed || byte == carriageReturn
  }

  private func text(_ bytes: ArraySlice<UInt8>, line: Int) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(line: line, reason: "the text is not UTF-8")
    }
    return text
  }

  /// - Returns: false when no line break comes next.
  private mutating func skipLineBreak() -> Bool {
    if rest.first == Self.lineFeed {
      rest.removeFirst()
    } else if rest.starts(with: [Self.carriageReturn, Self.lineFeed]) {
      rest.removeFirst(2)
    } else {
      return false
    }
    line += 1
    return true
  }
}
