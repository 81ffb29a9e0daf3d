package import RecordPipeline

extension FileReport {
  /// Reads a file to its end and judges its lines by the rules of a load, without a database.
  ///
  /// - Parameters:
  ///   - startOfRun: epoch milliseconds, by this machine's clock.
  ///   - reject: called once for each refused line, in line order.
  /// - Returns: the report with the counts of the lines, and the error of a load into an empty database.
  /// - Throws: any error of `reject`.
  package static func checking(
    _ input: Input, options: LoadOptions, startOfRun: Int64,
    reject: (RejectedLine) throws -> Void
  ) throws -> FileReport {
    defer { input.object?.discard() }
    let (stream, rules) = (input.recordStream, options.rules(startOfRun: startOfRun))
    var report = FileReport(path: input.path, stream: input.stream, status: .checked)
    do {
      let file = try InputFile(input)
      var sample = RejectSample()
      let totals = try Pipeline(stream: stream, rules: rules, sourceFileID: 0).run(
        file,
        routing: .init(largestKnownKey: nil, memory: 0, seed: 0),
        emit: { batch in
          sample.note(batch.rejects)
          for line in batch.rejects { try reject(line) }
        })
      try file.checkUnchanged()
      report.take(totals, sample)
      report.newFields = totals.unknownFields.compactMap(\.name)
      let error = options.rejectLimit.error(of: totals, sample, stream: stream, rules: rules)
      if let error { report.fail(error) }
    } catch let error as ReadError {
      report.fail(LoadError(error))
    }
    return report
  }
}

/// A refused line of a checked file, as programs read it.
package struct RefusedLine: Encodable, Sendable {
  package let line: Int
  package let byteOffset: Int
  package let code: String
  /// nil: the line as a whole is at fault.
  package let field: String?
  package let reason: String

  package init(_ line: RejectedLine) {
    (self.line, byteOffset) = (line.lineNumber, line.byteOffset)
    let rejection = line.rejection
    (code, field, reason) = (rejection.code.rawValue, rejection.field, rejection.reason)
  }
}
