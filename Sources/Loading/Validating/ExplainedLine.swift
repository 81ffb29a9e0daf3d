package import RecordPipeline

/// One line of a file, explained field by field without a database, for `explain`.
package struct ExplainedLine: Sendable {
  /// The offset of the line's first byte in the decoded stream.
  package let byteOffset: Int
  package let byteCount: Int
  package let explanation: LineExplanation

  /// Reads a file up to one line and explains that line.
  ///
  /// - Parameters:
  ///   - number: the number of the line, from 1.
  ///   - input: a file of `stream`.
  /// - Throws: `LoadError` when the file cannot be read (exit code 5), or has no such line (64).
  package init(
    _ number: Int, of input: Input, stream: RecordStream, rules: NormalizationRules
  ) throws(LoadError) {
    do {
      let source = try DecodedSource(InputFile(input, options: ReadOptions()))
      var reader = LineReader(source, limit: rules.limits.lineBytes) { _ in }
      while let line = try reader.next() {
        guard line.number == number else { continue }
        byteOffset = line.byteOffset
        byteCount = line.byteCount
        explanation = try LineExplainer(stream: stream, rules: rules).explain(line)
        return
      }
    } catch {
      throw LoadError(.fileFailed, "\(input.path) \(error.message)")
    }
    throw LoadError(.usage, "\(input.path) has no line \(number)")
  }
}
