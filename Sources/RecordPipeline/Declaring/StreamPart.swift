/// A part of a stream's declaration: a field, or several fields that are checked together.
protocol StreamPart {
  associatedtype Writer: PartWriter
  /// Declares the part's fields and columns; the columns in the order in which the writer writes
  /// them.
  func declare(in stream: inout StreamDeclaration) -> Writer
}

/// Writes the columns of a part of a stream.
///
/// It holds only the slots of its fields. The writers of a stream form one generic type, so that
/// the compiler specializes them to one function.
protocol PartWriter: Sendable {
  /// Writes the value of each column of the part.
  func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection)
}

/// Two parts in sequence.
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

/// Builds parts from a list in braces.
@resultBuilder
enum StreamParts {
  static func buildPartialBlock<Part>(first: Part) -> Part { first }

  static func buildPartialBlock<First, Second>(
    accumulated: First, next: Second
  ) -> PartPair<First, Second> { PartPair(first: accumulated, second: next) }
}
