/// A part of a stream's declaration: a field, or several fields that are judged together.
protocol StreamPart {
  associatedtype Writer: PartWriter
  /// Names the part's fields, and its columns in the order in which the writer writes them.
  func declare(in stream: inout StreamDeclaration) -> Writer
}

/// Writes what a part of a stream makes of a line.
///
/// It holds nothing but where a decoded line has the values. A list of writers is a type of its own:
/// the compiler sees all of them at once, and makes one function of them.
protocol PartWriter: Sendable {
  /// Writes the value of each column of the part.
  func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection)
}

/// Two parts, one behind the other.
struct PartPair<First: StreamPart, Second: StreamPart>: StreamPart {
  let first: First
  let second: Second

  func declare(in stream: inout StreamDeclaration) -> Writer {
    Writer(first: first.declare(in: &stream), second: second.declare(in: &stream))
  }

  struct Writer: PartWriter {
    let first: First.Writer
    let second: Second.Writer

    @inline(__always)
    func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection) {
      try first.write(&line, to: &row)
      try second.write(&line, to: &row)
    }
  }
}

/// Parts as a list in braces.
@resultBuilder
enum StreamParts {
  static func buildPartialBlock<Part>(first: Part) -> Part { first }

  static func buildPartialBlock<First, Second>(
    accumulated: First, next: Second
  ) -> PartPair<First, Second> { PartPair(first: accumulated, second: next) }
}
