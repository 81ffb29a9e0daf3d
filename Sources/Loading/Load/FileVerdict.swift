package import RecordPipeline

/// The verdict on a checked file; programs read its properties as JSON.
package struct FileVerdict: Encodable, Sendable {
  package enum Status: String, Encodable, Sendable {
    case good
    case hasRejects = "has_rejects"
    case aboveLimit = "above_limit"
    case noGoodLine = "no_good_line"
    case failed
  }

  /// The lines of the file with a field that its stream does not declare.
  package struct Field: Encodable, Sendable {
    /// nil: further names.
    package let field: String?
    package let lines: Int
    package let firstLine: Int
  }

  package let path: String
  /// nil: the stream is not known.
  package let stream: String?
  package private(set) var status = Status.good
  /// 64 hexadecimal digits; nil: the file was not read to its end.
  package private(set) var sha256: String?
  package private(set) var lines = 0
  package private(set) var good = 0
  package private(set) var rejected = 0
  package private(set) var blank = 0
  /// True when the file ends in the middle of a line.
  package private(set) var looksTruncated = false
  package private(set) var unknownFields: [Field] = []
  /// A clause to print after the path; nil unless the status is `failed` or `no_good_line`.
  package private(set) var error: String?

  /// The verdict on a path that failed in the search for files.
  package init(_ failure: FailedInput) {
    (path, stream) = (failure.path, failure.stream)
    (status, error) = (.failed, failure.error.message)
  }

  private init(path: String, stream: String) { (self.path, self.stream) = (path, stream) }

  /// Reads a file to its end and checks its lines by the rules of a load, without a database.
  ///
  /// - Parameters:
  ///   - startOfRun: epoch milliseconds, by this machine's clock.
  ///   - reject: called once for each refused line, in line order.
  /// - Returns: the verdict, and the exit code of a load of this file alone into an empty database; a
  ///   file that cannot be read has the status `failed`.
  /// - Throws: any error of `reject`.
  package static func check(
    _ input: Input, options: LoadOptions, startOfRun: Int64,
    reject: (RejectedLine) throws -> Void
  ) throws -> (FileVerdict, ExitCode) {
    let stream = input.recordStream
    defer { input.object?.discard() }
    var verdict = FileVerdict(path: input.path, stream: input.stream)
    let rules = options.rules(startOfRun: startOfRun)
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
      verdict.sha256 = hexadecimal(totals.sha256)
      (verdict.lines, verdict.good) = (totals.lineCount, totals.rowCount)
      (verdict.rejected, verdict.blank) = (totals.rejectedCount, totals.blankCount)
      verdict.looksTruncated = sample.looksTruncated
      verdict.unknownFields = totals.unknownFields.map {
        Field(field: $0.name, lines: $0.lineCount, firstLine: $0.firstLine)
      }
      let refusal = FileRefusal(
        options.rejectLimit, totals, sample, stream: stream, rules: rules)
      guard let refusal else {
        if verdict.rejected > 0 { verdict.status = .hasRejects }
        return (verdict, verdict.rejected > 0 ? .loadedWithFindings : .success)
      }
      verdict.status = refusal.status
      if verdict.status != .aboveLimit { verdict.error = refusal.sentence + refusal.remedy }
      return (verdict, refusal.code.exitCode)
    } catch let error as ReadError {
      (verdict.status, verdict.error) = (.failed, error.message)
      return (verdict, ErrorCode(error.kind).exitCode)
    }
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
