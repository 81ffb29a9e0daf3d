package import RecordPipeline
internal import SHA256

/// One line, explained field by field, for `explain`.
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
  /// - Throws: `LoadError` when the file cannot be read (exit code 5, or 75 for a
  ///   storage that is away), or has no such line (64).
  package init(
    _ number: Int, of input: Input, stream: RecordStream, rules: NormalizationRules
  ) throws(LoadError) {
    do {
      let source = try DecodedSource(InputFile(input))
      var reader = LineReader(source, limit: rules.limits.lineBytes) { _ in }
      while let line = try reader.next() {
        guard line.number == number else { continue }
        byteOffset = line.byteOffset
        byteCount = line.byteCount
        explanation = try LineExplanation(of: line, stream: stream, rules: rules)
        return
      }
    } catch {
      throw LoadError(error, path: input.path)
    }
    throw LoadError(.usage, "\(input.path) has no line \(number)")
  }

  /// Explains the stored bytes of a refused line.
  ///
  /// - Throws: `LoadError` when the line cannot be read.
  package init(
    _ number: Int, storedAs reject: LineTrace.StoredReject, stream: RecordStream,
    rules: NormalizationRules
  ) throws(LoadError) {
    byteOffset = reject.byteOffset
    byteCount = reject.byteCount
    do throws(ReadError) {
      explanation = try InputLine.with(
        bytes: reject.raw, number: number, byteOffset: byteOffset
      ) { (line) throws(ReadError) in
        try LineExplanation(of: line, stream: stream, rules: rules)
      }
    } catch {
      throw LoadError(.fileFailed, "the line \(error.message)")
    }
  }

  /// The digest of a file's decoded bytes, in hexadecimal digits; nil: they cannot be read.
  package static func digest(of input: Input) -> String? {
    let digest = try? SHA256.digest(
      of: DecodedSource(InputFile(input)), checking: {})
    return digest.map { hexadecimal($0.sha256) }
  }
}
